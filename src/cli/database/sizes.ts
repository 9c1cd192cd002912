import type { Command } from 'commander'
import { readRowWidths } from '../../db/row-widths.ts'
import { readTableSizes } from '../../db/table-sizes.ts'
import { type JsonOption, print, table, withDatabase } from '../output.ts'

/** The tables that grow with every grant and play, and are never shortened by themselves. */
const growing = [
  'ledger_entries',
  'plays',
  'ledger_seal_parts',
  'archived_keys',
  'archived_players',
  'archived_purses',
  'players',
]

export function addSizesCommand(program: Command): void {
  program
    .command('sizes')
    .description('show the size of each table, and with --rows what each column and index of a row takes')
    .option('--rows', 'measure rows of the tables that grow; this reads them')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { rows?: boolean }) => {
      const found = await withDatabase(async (db) => {
        if (options.rows !== true) return readTableSizes(db)
        return db.longTransaction(async (tx) => {
          const widths = []
          for (const name of growing) widths.push(...((await readRowWidths(tx, name)) ?? []))
          return widths
        })
      })
      print(found, options, table(found, 'The tables are empty.'))
    })
}
