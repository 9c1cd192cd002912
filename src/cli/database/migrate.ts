import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { migrate } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { makeLog } from '../../log.ts'
import { type JsonOption, print } from '../output.ts'

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database schema (the server also does this when it starts)')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const { db, close } = await openDatabase(loadConfig(), { log: makeLog('silent'), sharingAllowed: true })
      try {
        const applied = await migrate(db, {
          warn: (message) => process.stderr.write(`wheelhouse: ${message}\n`),
        })
        print(
          { applied },
          options,
          applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
        )
      } finally {
        await close()
      }
    })
}
