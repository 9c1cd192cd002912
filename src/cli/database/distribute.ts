import type { Command } from 'commander'
import { loadConfig } from '../../config.ts'
import { distribute } from '../../db/cluster/distribute.ts'
import { undistribute } from '../../db/cluster/undistribute.ts'
import type { Database } from '../../db/database.ts'
import { checkMigrations } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { makeLog } from '../../log.ts'
import { shardValues } from '../../players/shard.ts'
import { type JsonOption, print } from '../output.ts'

export function addDistributeCommand(program: Command): void {
  program
    .command('distribute')
    .description(
      'spread the tables of players over the workers of a Citus cluster; no server may run (docs/operations.md)',
    )
    .option('--undo', 'bring all tables back to the coordinator, which must have the space')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nIf it is interrupted, run it again: it goes on where it ended.')
    .action(async (options: JsonOption & { undo?: boolean }) => {
      const tables: string[] = []
      const verb = options.undo === true ? 'Brought back' : 'Distributed'
      const onTable = (table: string) => {
        tables.push(table)
        if (options.json !== true) process.stdout.write(`${verb} ${table}.\n`)
      }
      await withDatabase(async (db) => {
        await checkMigrations(db)
        if (options.undo === true) await undistribute(db, onTable)
        else await distribute(db, shardValues, onTable)
      })
      print(
        { tables },
        options,
        options.undo === true ? 'All tables are on one machine.' : 'All tables are distributed.',
      )
    })
}

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const { db, close } = await openDatabase(loadConfig(), { log: makeLog('silent'), sharingAllowed: false })
  try {
    await work(db)
  } finally {
    await close()
  }
}
