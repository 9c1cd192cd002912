import { type Database, statement } from '../database.ts'
import { reachNodes, refuseOthers } from './check-nodes.ts'
import { numberForOneMachine } from './numbers.ts'
import { keepGrants } from './table-grants.ts'

/**
 * Brings all tables back to the coordinator. Servers no longer recognise a cluster from the first step on, and refuse
 * to start until the last one. Every step skips what is done, so that it can be repeated.
 */
export async function undistribute(db: Database, onTable: (table: string) => void): Promise<void> {
  await reachNodes(db)
  await refuseOthers(db)
  await db.longTransaction((tx) => tx.query(dropOwnParts))
  for (;;) {
    const [next] = await db.longTransaction((tx) => tx.query(findNext))
    if (next === undefined) break
    await refuseOthers(db)
    await db.longTransaction(async (tx) => {
      await tx.query(statement('set local client_min_messages = warning'))
      await keepGrants(tx, () => tx.query(bringBack, [next.table]))
    })
    onTable(next.table)
  }
  await db.longTransaction(numberForOneMachine)
}

const dropOwnParts = statement(`
drop function if exists on_shard(int, bigint, boolean, text, text, text);
drop table if exists cluster_shards, cluster_probe`)

// The others are placed as `players` is, so that it comes last: see `distribute`.
const findNext = statement<{ table: string }>(`
select logicalrelid::text as table
from pg_dist_partition
join pg_class on pg_class.oid = logicalrelid
where not relispartition
and relnamespace = current_schema()::regnamespace
order by partmethod, logicalrelid = 'players'::regclass, logicalrelid::text
limit 1`)

const bringBack = statement(`
select undistribute_table($1::text::regclass, cascade_via_foreign_keys => true)`)
