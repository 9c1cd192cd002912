import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { distribute } from '../db/cluster/distribute.ts'
import type { Database } from '../db/database.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { makeLog } from '../log.ts'
import { shardValues } from '../players/shard.ts'
import { type JsonOption, print } from './output.ts'

export function addDistributeCommand(program: Command): void {
  program
    .command('distribute')
    .description('spread the tables of players over the workers of a Citus cluster; no server may run')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const tables: string[] = []
      const onTable = (table: string) => tables.push(table)
      await withDatabase(async (db) => {
        await checkSchema(db)
        await distribute(db, shardValues, onTable)
      })
      print(
        { tables },
        options,
        tables.length === 0 ? 'All tables are distributed.' : `Distributed ${tables.join(', ')}.`,
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
