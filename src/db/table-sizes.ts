import { type Queryable, statement } from './database.ts'

/** A table with its indexes, in bytes. A partitioned table counts with all its partitions. */
type TableSize = { table: string; bytes: number }

/** The sizes of all tables, largest first. */
export async function readTableSizes(db: Queryable): Promise<TableSize[]> {
  return db.query(readSizes)
}

const readSizes = statement<TableSize>(`
select
  coalesce(inhparent, pg_class.oid)::regclass::text as table,
  sum(pg_total_relation_size(pg_class.oid))::bigint as bytes
from pg_class
left join pg_inherits on inhrelid = pg_class.oid
where relnamespace = current_schema()::regnamespace
and relkind = 'r'
group by 1
order by bytes desc`)
