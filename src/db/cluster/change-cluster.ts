import { type Queryable, statement } from '../database.ts'
import { replaceIdentities } from './numbers.ts'
import { isSpread, spread } from './spread-table.ts'
import { copiedTables, shardedTables } from './tables.ts'

/**
 * Applies a migration to a cluster, and places the new tables that it has made. Its statements go one by one, because
 * Citus sends the whole text of each request to the workers. They use one connection for each machine, because Citus
 * can't see on the others what was changed before in the same transaction.
 */
export async function changeCluster(tx: Queryable, text: string): Promise<void> {
  await tx.query(statement(`set local citus.multi_shard_modify_mode = 'sequential'`))
  // Otherwise Citus takes a new table with a foreign key at once, with its identity column: see `numberForCluster`.
  await tx.query(statement('set local citus.enable_local_reference_table_foreign_keys = off'))
  for (const one of statementsOf(text)) await tx.query(statement(one))
  await tx.query(replaceIdentities)
  await tx.query(statement('set local citus.enable_local_reference_table_foreign_keys = on'))
  for (const table of [...copiedTables, ...shardedTables])
    if (!(await isSpread(tx, table))) await spread(tx, table, 0)
  for (const { table } of await tx.query(findReferencing)) await tx.query(addLocal, [table])
}

/** The statements of a text. A semicolon in a string, a function's body or a comment ends none. */
export function statementsOf(text: string): string[] {
  const statements = ['']
  for (const [part] of text.matchAll(parts))
    if (part === ';') statements.push('')
    else if (!part.startsWith('--')) statements[statements.length - 1] += part
  return statements.map((one) => one.trim()).filter((one) => one !== '')
}

const parts = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-'"$;]+|[\s\S]/g

const findReferencing = statement<{ table: string }>(`
select distinct conrelid::regclass::text as table
from pg_constraint
where contype = 'f'
and confrelid in (select logicalrelid from pg_dist_partition)
and conrelid not in (select logicalrelid from pg_dist_partition)`)

const addLocal = statement(`
select citus_add_local_table_to_metadata($1::text::regclass, cascade_via_foreign_keys => true)`)
