import { type Queryable, statement } from './database.ts'

/** A part of a table and the bytes that it takes for each row. */
type RowWidth = {
  table: string
  kind: 'column' | 'header' | 'index'
  name: string
  bytesPerRow: number
}

/**
 * What each column and index of a table costs, on average. Columns are measured in a sample of rows. The rest of the
 * row (its header, its place on the page, gaps between columns, free space) is one line. Undefined for an empty table.
 */
export async function readRowWidths(tx: Queryable, table: string): Promise<RowWidth[] | undefined> {
  const columns = (await tx.query(readColumns, [table])).map(({ name }) => name)
  const [sample] = await tx.query(statement<{ widths: number[]; rows: number }>(sampleOf(table, columns)))
  const [sizes] = await tx.query(statement<{ bytes: number }>(`select pg_table_size('${table}') as bytes`))
  if (sample === undefined || sizes === undefined || sample.rows === 0) return undefined
  const { widths, rows } = sample
  const indexes = await tx.query(readIndexes, [table])
  const line = (kind: RowWidth['kind'], name: string, bytes: number): RowWidth => {
    return { table, kind, name, bytesPerRow: Math.round(bytes * 10) / 10 }
  }
  const inColumns = widths.reduce((sum, width) => sum + width, 0)
  return [
    ...columns.map((name, index) => line('column', name, widths[index] ?? 0)),
    line('header', 'row header, alignment, free space', sizes.bytes / rows - inColumns),
    ...indexes.map(({ name, bytes }) => line('index', name, bytes / rows)),
  ]
}

/** Names come from PostgreSQL's catalogue, so they may be in the text. */
function sampleOf(table: string, columns: readonly string[]): string {
  const widths = columns.map((name) => `coalesce(avg(coalesce(pg_column_size("${name}"), 0)), 0)::float8`)
  return `
select array[${widths.join(', ')}] as widths, (select count(*) from ${table}) as rows
from (select * from ${table} limit 100000) as sample`
}

const readColumns = statement<{ name: string }>(`
select attname::text as name
from pg_attribute
where attrelid = $1::regclass
and attnum > 0
and not attisdropped
order by attnum`)

const readIndexes = statement<{ name: string; bytes: number }>(`
select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes
from pg_index
where indrelid = $1::regclass
order by bytes desc`)
