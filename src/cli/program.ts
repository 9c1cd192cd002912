import { Command } from 'commander'
import { addAuditCommand } from './audit.ts'
import { addDemoCommand } from './demo.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEventCommands } from './events.ts'
import { addKeyCommands } from './keys.ts'
import { addMerchantCommands } from './merchant.ts'
import { addMigrateCommand } from './migrate.ts'
import { addLinkCommands, addPlayerCommands } from './player.ts'
import { addServeCommand } from './serve.ts'
import { addStaffCommands } from './staff.ts'
import { addTokenCommands } from './token.ts'
import { addVerifyCommands } from './verify.ts'
import { addWebhookCommands } from './webhook.ts'
import { addCodeCommands, addWheelCommands } from './wheel.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { describeError } from '../log.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'

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

addServeCommand(program)
addMigrateCommand(program)
addMerchantCommands(program)
addTokenCommands(program)
addStaffCommands(program)
addKeyCommands(program)
addLinkCommands(program)
addPlayerCommands(program)
addWheelCommands(program)
addCodeCommands(program)
addWebhookCommands(program)
addVerifyCommands(program)
addEventCommands(program)
addAuditCommand(program)
addDemoCommand(program)
addDoctorCommand(program)

/** Carries out the command line of this process; the exit code, where it fails. */
export async function runProgram(): Promise<number | undefined> {
  try {
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
