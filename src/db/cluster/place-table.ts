import { type Queryable, statement } from '../database.ts'
import { keepGrants } from './table-grants.ts'
import { copiedTables } from './tables.ts'

/** Copies a table to all machines, or spreads it over them: the first one, `players`, in as many shards as given. */
export async function place(tx: Queryable, table: string, shardCount: number): Promise<void> {
  await tx.query(statement('set local client_min_messages = warning'))
  await keepGrants(tx, () => tx.query(placement(table, shardCount)), table)
}

/** Whether the table is where `place` puts it. Also if there is no such table. */
export async function isPlaced(tx: Queryable, table: string): Promise<boolean> {
  const [found] = await tx.query(readPlace, [table])
  return found?.isPlaced ?? true
}

function placement(table: string, shardCount: number) {
  if (copiedTables.includes(table)) return statement(`select create_reference_table('${table}')`)
  const beside = table === 'players' ? `'none', shard_count => ${shardCount}` : `'players'`
  return statement(`select create_distributed_table('${table}', 'shard', colocate_with => ${beside})`)
}

const readPlace = statement<{ isPlaced: boolean }>(`
select coalesce(partmethod = 'h' or repmodel = 't', false) as "isPlaced"
from pg_class
left join pg_dist_partition on logicalrelid = pg_class.oid
where pg_class.oid = to_regclass($1)`)
