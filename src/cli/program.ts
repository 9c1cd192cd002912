import { Command } from 'commander'
import { describeError } from '../log.ts'
import { describeBuild, readBuild } from '../version.ts'
import { explainError } from './explain-error.ts'

/** In the order of `--help`. Only the requested command is loaded: most need a tenth of the modules of all. */
const commands = new Map<string, () => Promise<(program: Command) => void>>([
  ['serve', async () => (await import('./serve.ts')).addServeCommand],
  ['migrate', async () => (await import('./migrate.ts')).addMigrateCommand],
  ['distribute', async () => (await import('./distribute.ts')).addDistributeCommand],
  ['merchant', async () => (await import('./merchant.ts')).addMerchantCommands],
  ['test', async () => (await import('./test.ts')).addTestCommands],
  ['token', async () => (await import('./token.ts')).addTokenCommands],
  ['staff', async () => (await import('./staff.ts')).addStaffCommands],
  ['keys', async () => (await import('./keys.ts')).addKeyCommands],
  ['link', async () => (await import('./player.ts')).addLinkCommands],
  ['player', async () => (await import('./player.ts')).addPlayerCommands],
  ['wheel', async () => (await import('./wheel.ts')).addWheelCommands],
  ['campaign', async () => (await import('./campaign.ts')).addCampaignCommands],
  ['codes', async () => (await import('./wheel.ts')).addCodeCommands],
  ['webhook', async () => (await import('./webhook.ts')).addWebhookCommands],
  ['plays', async () => (await import('./verify.ts')).addPlayCommands],
  ['verify', async () => (await import('./verify.ts')).addVerifyCommand],
  ['pace', async () => (await import('./pace.ts')).addPaceCommands],
  ['events', async () => (await import('./events.ts')).addEventCommands],
  ['listen', async () => (await import('./client-commands.ts')).addClientCommand('listen')],
  ['trigger', async () => (await import('./client-commands.ts')).addClientCommand('trigger')],
  ['audit', async () => (await import('./audit.ts')).addAuditCommand],
  ['archive', async () => (await import('./archive.ts')).addArchiveCommands],
  ['backup', async () => (await import('./backup.ts')).addBackupCommands],
  ['restore', async () => (await import('./restore.ts')).addRestoreCommand],
  ['upgrade', async () => (await import('./upgrade.ts')).addUpgradeCommands],
  ['demo', async () => (await import('./demo.ts')).addDemoCommand],
  ['sizes', async () => (await import('./sizes.ts')).addSizesCommand],
  ['health', async () => (await import('./health.ts')).addHealthCommand],
  ['doctor', async () => (await import('./doctor.ts')).addDoctorCommand],
])

const program = new Command('wheelhouse')
  .description('Self-hosted spin-the-wheel game service')
  .version(describeBuild(readBuild()), '--version', 'print the version and the commit')
  .addHelpText(
    'after',
    `
First steps:
  wheelhouse serve                      run the server; the first start creates a demo merchant
  wheelhouse merchant create acme       create your own merchant
  wheelhouse token issue acme           issue its service token, shown once
  wheelhouse staff invite               invite a person to the console
  wheelhouse doctor                     find problems and their fixes
Every command has --help; most have --json. Commands also work while a server is running.`,
  )

/** Runs the command line of this process. Returns the exit code if it fails. */
export async function runProgram(): Promise<number | undefined> {
  try {
    const requested = commands.get(process.argv[2] ?? '')
    for (const load of requested === undefined ? commands.values() : [requested]) (await load())(program)
    await program.parseAsync()
    return undefined
  } catch (error) {
    const sentence = explainError(error, 'Run `wheelhouse doctor` for details.')
    // Without a sentence it is a bug of ours, and printed in full.
    process.stderr.write(`wheelhouse: ${sentence ?? JSON.stringify(describeError(error), null, 2)}\n`)
    return 1
  }
}
