import { Command } from 'commander'
import { DatabaseFailure } from '../db/database-fault.ts'
import { describeError } from '../log.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'

/** In the order of `--help`. Only the verb that is asked for is loaded: most need a tenth of what all of them need. */
const verbs = new Map<string, () => Promise<(program: Command) => void>>([
  ['serve', async () => (await import('./serve.ts')).addServeCommand],
  ['migrate', async () => (await import('./migrate.ts')).addMigrateCommand],
  ['merchant', async () => (await import('./merchant.ts')).addMerchantCommands],
  ['token', async () => (await import('./token.ts')).addTokenCommands],
  ['staff', async () => (await import('./staff.ts')).addStaffCommands],
  ['keys', async () => (await import('./keys.ts')).addKeyCommands],
  ['link', async () => (await import('./player.ts')).addLinkCommands],
  ['player', async () => (await import('./player.ts')).addPlayerCommands],
  ['wheel', async () => (await import('./wheel.ts')).addWheelCommands],
  ['codes', async () => (await import('./wheel.ts')).addCodeCommands],
  ['webhook', async () => (await import('./webhook.ts')).addWebhookCommands],
  ['plays', async () => (await import('./verify.ts')).addPlayCommands],
  ['verify', async () => (await import('./verify.ts')).addVerifyCommand],
  ['events', async () => (await import('./events.ts')).addEventCommands],
  ['audit', async () => (await import('./audit.ts')).addAuditCommand],
  ['demo', async () => (await import('./demo.ts')).addDemoCommand],
  ['doctor', async () => (await import('./doctor.ts')).addDoctorCommand],
])

const program = new Command('wheelhouse').description('Self-hosted spin-the-wheel game service').addHelpText(
  'after',
  `
A first walk:
  wheelhouse serve                      run it, with a demo merchant at the first start
  wheelhouse merchant create acme       a merchant of your own
  wheelhouse token issue acme           its service token, shown once
  wheelhouse staff invite               who may use the console
  wheelhouse doctor                     what is wrong, and what to do
Every verb has --help; most have --json. Verbs work beside a running server.`,
)

/** Carries out the command line of this process; the exit code, where it fails. */
export async function runProgram(): Promise<number | undefined> {
  try {
    const asked = verbs.get(process.argv[2] ?? '')
    for (const load of asked === undefined ? verbs.values() : [asked]) (await load())(program)
    await program.parseAsync()
    return undefined
  } catch (error) {
    process.stderr.write(`wheelhouse: ${explain(error)}\n`)
    return 1
  }
}

/** A person's mistake is told in a sentence; ours, with everything. */
function explain(error: unknown): string {
  if (error instanceof Mistake) return error.message
  if (error instanceof Refusal && error.code !== 'database_unavailable') return error.message
  if (error instanceof Refusal || (error instanceof DatabaseFailure && error.isPassing)) {
    return `The database does not answer: ${error.message}. \`wheelhouse doctor\` tells more.`
  }
  return JSON.stringify(describeError(error), null, 2)
}
