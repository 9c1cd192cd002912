import { type Queryable, statement } from '../database.ts'
import { keepGrants } from './table-grants.ts'
import { copiedTables } from './tables.ts'

/** Copies a table to all machines, or spreads it over them: the first one, `players`, in as many shards as given. */
export async function spread(tx: Queryable, table: string, shardCount: number): Promise<void> {
  await tx.query(statement('set local client_min_messages = warning'))
  await keepGrants(tx, () => tx.query(spreading(table, shardCount)), table)
}

/** Whether the table is where `spread` puts it. Also if there is no such table. */
export async function isSpread(tx: Queryable, table: string): Promise<boolean> {
  const [found] = await tx.query(readSpread, [table])
  return found?.isSpread ?? true
}

function spreading(table: string, shardCount: number) {
  if (copiedTables.includes(table)) return statement(`select create_reference_table('${table}')`)
  const beside = table === 'players' ? `'none', shard_count => ${shardCount}` : `'players'`
  return statement(`select create_distributed_table('${table}', 'shard', colocate_with => ${beside})`)
}

const readSpread = statement<{ isSpread: boolean }>(`
select coalesce(partmethod = 'h' or repmodel = 't', false) as "isSpread"
from pg_class
left join pg_dist_partition on logicalrelid = pg_class.oid
where pg_class.oid = to_regclass($1)`)
