import type { Command } from 'commander'
import { auditLedger } from '../games/audit.ts'
import { type JsonOption, print, withDatabase } from './output.ts'

/** Exit code of an audit that found something. */
const somethingIsOff = 2

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('recompute every balance from the ledger and tell what is off (exit code 2 if anything is)')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const report = await withDatabase((db) => auditLedger(db))
      const counted = `${report.players} players, ${report.entries} entries`
      const lines = report.findings.map(
        ({ check, count, examples }) =>
          `NOT TRUE: ${check}: ${count} rows, for example\n${examples.map((one) => `  ${JSON.stringify(one)}`).join('\n')}`,
      )
      print(
        report,
        options,
        lines.length === 0 ? `Clean: ${counted}.` : `${lines.join('\n')}\nOff: ${counted}.`,
      )
      if (lines.length > 0) process.exitCode = somethingIsOff
    })
}
