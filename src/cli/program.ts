import { Command } from 'commander'
import { describeError } from '../log.ts'
import { Mistake } from '../mistake.ts'
import { describeBuild, readBuild } from '../version.ts'
import { explainError } from './explain-error.ts'

/** In the order of `--help`. Only the requested command is loaded: most need a tenth of the modules of all. */
const commands = new Map<string, () => Promise<(program: Command) => void>>([
  ['serve', async () => (await import('./server/serve.ts')).addServeCommand],
  ['migrate', async () => (await import('./database/migrate.ts')).addMigrateCommand],
  ['distribute', async () => (await import('./database/distribute.ts')).addDistributeCommand],
  ['merchant', async () => (await import('./merchants/merchant.ts')).addMerchantCommands],
  ['test', async () => (await import('./merchants/test.ts')).addTestCommands],
  ['token', async () => (await import('./access/token.ts')).addTokenCommands],
  ['staff', async () => (await import('./access/staff.ts')).addStaffCommands],
  ['keys', async () => (await import('./access/keys.ts')).addKeyCommands],
  ['link', async () => (await import('./access/link.ts')).addLinkCommand],
  ['plays', async () => (await import('./checks/verify.ts')).addPlayCommands],
  ['verify', async () => (await import('./checks/verify.ts')).addVerifyCommand],
  ['client', async () => (await import('./client.ts')).addClientCommand],
  ['audit', async () => (await import('./checks/audit.ts')).addAuditCommand],
  ['archive', async () => (await import('./database/archive.ts')).addArchiveCommands],
  ['backup', async () => (await import('./database/backup.ts')).addBackupCommands],
  ['restore', async () => (await import('./database/restore.ts')).addRestoreCommand],
  ['upgrade', async () => (await import('./database/upgrade.ts')).addUpgradeCommands],
  ['demo', async () => (await import('./merchants/demo.ts')).addDemoCommand],
  ['sizes', async () => (await import('./database/sizes.ts')).addSizesCommand],
  ['health', async () => (await import('./checks/health.ts')).addHealthCommand],
  ['doctor', async () => (await import('./checks/doctor.ts')).addDoctorCommand],
])

/** Commands that were removed, because merchants have them by the API (decision 101), each with an example. */
const replacements = new Map([
  ['wheel', 'api GET wheels'],
  ['campaign', 'api GET campaigns'],
  ['codes', 'api GET code-pools'],
  ['webhook', 'api GET webhooks'],
  ['pace', 'api GET wheels/main/paces'],
  ['player', 'player alice'],
  ['events', 'events'],
  ['listen', 'listen'],
  ['trigger', 'trigger'],
  ['test clock', 'api GET test/clock'],
  ['test reset', 'api POST test/reset'],
  ['test promote', 'api GET test-merchant/wheels/main/promotion'],
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
    const [, , name = '', verb = ''] = process.argv
    refuseReplaced(name, verb)
    const requested = commands.get(name)
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

function refuseReplaced(name: string, verb: string): void {
  const command = [name, `${name} ${verb}`].find((one) => replacements.has(one))
  if (command === undefined) return
  throw new Mistake(
    `\`wheelhouse ${command}\` was replaced by a command that uses the API and a service token: wheelhouse client ` +
      `${replacements.get(command)}. See docs/client-command-line.md.`,
  )
}
