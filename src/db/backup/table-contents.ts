import type pg from 'pg'
import { Mistake } from '../../mistake.ts'
import { schemaTexts } from '../migrate.ts'
import { newestVersion } from '../migrations.ts'
import { copyIn, copyOut } from './copy-streams.ts'

/** What a database holds besides the rows: all that is needed to load them into an empty database. */
export type Contents = {
  schema: number
  tables: Table[]
  sequences: { name: string; value: string }[]
}

/** `rowCount` is known once the rows were read. */
export type Table = { name: string; columns: string[]; rowCount: number }

const chunkBytes = 64 * 1024

/** Begins a transaction in which every statement sees the same state, without time limits. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  await client.query(copySettings)
}

/** Describes the tables of the current schema in the client's snapshot. */
export async function describeContents(client: pg.Client): Promise<Contents> {
  const tables = await listTables(client)
  const hasSchema = tables.some((table) => table.name === 'schema_migrations')
  const { rows } = await client.query<{ version: number }>(hasSchema ? selectVersion : 'select 0 as version')
  return {
    schema: rows[0]?.version ?? 0,
    tables,
    // Sequences are not part of the snapshot: these values are later than its rows, never earlier.
    sequences: (await client.query<Contents['sequences'][number]>(selectSequences)).rows,
  }
}

/** The rows of a table as COPY writes them. Their number is known at the end. */
export async function* readRows(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  const rows = copyOut(client, `copy (select ${names(table.columns)} from ${name(table.name)}) to stdout`)
  yield* inChunks(rows)
  table.rowCount = rows.rowCount ?? 0
}

/** PostgreSQL sends each row by itself. Compressing and sending many together takes a fraction of the time. */
async function* inChunks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunk: Buffer[] = []
  let bytes = 0
  for await (const row of rows) {
    chunk.push(row)
    bytes += row.length
    if (bytes < chunkBytes) continue
    yield Buffer.concat(chunk)
    chunk = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunk)
}

/** Copies everything that the source's snapshot holds into an empty database. */
export async function copyContents(source: pg.Client, target: pg.Client): Promise<void> {
  const contents = await describeContents(source)
  if (contents.schema > 0) await loadContents(target, contents, (table) => readRows(source, table))
}

/** Creates the schema in an empty database and loads all tables, in one transaction. */
export async function loadContents(
  client: pg.Client,
  contents: Contents,
  rowsOf: (table: Table) => AsyncIterable<Buffer>,
  texts = schemaTexts(contents.schema),
): Promise<void> {
  await client.query('begin')
  await client.query(copySettings)
  await refuseTables(client)
  refuseNewer(contents)
  for (const text of texts) await client.query(text)
  await refuseOtherTables(client, contents)
  // Tables refer to each other in circles, so the references are made anew once all rows are there.
  const references = (await client.query<{ drop: string; add: string }>(selectReferences)).rows
  for (const { drop } of references) await client.query(drop)
  for (const table of contents.tables) await loadTable(client, table, rowsOf(table))
  for (const { add } of references) await client.query(add)
  for (const { name: sequence, value } of contents.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [name(sequence), value])
  await client.query('commit')
  // Without statistics, the audit of large tables would choose slow plans.
  await client.query(`analyze ${names(contents.tables.map((table) => table.name))}`)
}

async function loadTable(client: pg.Client, table: Table, rows: AsyncIterable<Buffer>): Promise<void> {
  const loaded = await copyIn(client, `copy ${name(table.name)} (${names(table.columns)}) from stdin`, rows)
  const [counted] = (await client.query<{ count: string }>(`select count(*) from ${name(table.name)}`)).rows
  if (loaded === table.rowCount && Number(counted?.count) === table.rowCount) return
  throw new Mistake(`The table ${table.name} should have ${table.rowCount} rows, but got ${counted?.count}.`)
}

async function refuseTables(client: pg.Client): Promise<void> {
  if ((await listTables(client)).length > 0)
    throw new Mistake(
      'The database is not empty. Create a new one, and set DATABASE_URL to it. Nothing was changed.',
    )
}

function refuseNewer({ schema }: Contents): void {
  const known = newestVersion()
  if (schema <= known) return
  throw new Mistake(
    `The data has schema version ${schema}, and this Wheelhouse knows only ${known}. Use a newer Wheelhouse. ` +
      'Nothing was changed.',
  )
}

/** The schema made here must have the same tables and columns as the data. */
async function refuseOtherTables(client: pg.Client, contents: Contents): Promise<void> {
  const shape = (tables: readonly Table[]) =>
    new Map(tables.map((table) => [table.name, table.columns.toSorted().join(', ')]))
  const ours = shape(await listTables(client))
  const theirs = shape(contents.tables)
  const different = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (table) => ours.get(table) !== theirs.get(table),
  )
  if (different.length === 0) return
  throw new Mistake(
    `The data has tables that are not Wheelhouse's, or lacks some: ${different.join(', ')}. ` +
      'Move your own tables to another schema first. Nothing was changed.',
  )
}

async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(selectTables)
  return rows.map((row) => ({ ...row, rowCount: 0 }))
}

function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

function names(identifiers: readonly string[]): string {
  return identifiers.map(name).join(', ')
}

/** Values must have the same text on both sides, and large tables take their time. */
const copySettings = `
set local datestyle = 'ISO';
set local intervalstyle = 'postgres';
set local extra_float_digits = 3;
set local timezone = 'UTC';
set local statement_timeout = 0;
set local lock_timeout = 0;
set local idle_in_transaction_session_timeout = 0`

const selectVersion = 'select max(version) as version from schema_migrations'

const selectTables = `
select relname::text as name, array_agg(attname::text order by attnum) as columns
from pg_class
join pg_attribute on attrelid = pg_class.oid
where relnamespace = current_schema()::regnamespace
and relkind in ('r', 'p')
and not relispartition
and attnum > 0
and not attisdropped
and attgenerated = ''
group by relname
order by relname`

const selectSequences = `
select sequencename::text as name, last_value::text as value
from pg_sequences
where schemaname = current_schema()
and last_value is not null
order by sequencename`

const selectReferences = `
select
  format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
from pg_constraint
where contype = 'f'
and connamespace = current_schema()::regnamespace
order by oid`
