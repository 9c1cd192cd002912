import { Mistake } from '../../mistake.ts'
import { type Queryable, statement } from '../database.ts'
import { copiedTables, shardedTables } from './tables.ts'

/** Refuses a database of which only some tables are distributed: commits would not be atomic. */
export async function refuseUnfinished(db: Queryable): Promise<void> {
  const [state] = await db.query(readState)
  if (state?.mayBeUnfinished !== true) return
  const [found] = await db.query(findDistributed, [[...copiedTables, ...shardedTables]])
  if (found === undefined) return
  throw new Mistake(
    'The tables are between one machine and a cluster. Finish with `wheelhouse distribute`, or go back with `wheelhouse distribute --undo`.',
  )
}

const readState = statement<{ mayBeUnfinished: boolean }>(`
select
  to_regclass('cluster_shards') is null
  and to_regclass('pg_catalog.pg_dist_partition') is not null as "mayBeUnfinished"`)

const findDistributed = statement(`
select
from pg_dist_partition
join pg_class on pg_class.oid = logicalrelid
where relnamespace = current_schema()::regnamespace
and relname = any($1::text[])
limit 1`)
