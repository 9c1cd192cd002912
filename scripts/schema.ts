// `npm run schema`: writes sql/schema.sql, the tables as all migrations together make them, for reading. The statements
// are from the catalogue of a migrated database; the comments are those above the tables, columns and indexes in the
// migrations.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../src/config.ts'
import { type Fact, readCatalogue } from '../src/db/catalogue.ts'
import type { Queryable } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { readMigrations } from '../src/db/migrations.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { makeLog } from '../src/log.ts'

export const schemaFile = join(import.meta.dirname, '..', 'sql', 'schema.sql')

if (import.meta.main) {
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-schema-'))
  chmodSync(dataDir, 0o711)
  const config = parseConfig({ DATA_DIR: dataDir })
  const { db, close } = await openDatabase(config, { log: makeLog('warn'), sharingAllowed: false })
  try {
    await migrate(db)
    writeFileSync(schemaFile, await schemaText(db))
  } finally {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The text of sql/schema.sql. Each table is in the section of the file that creates it. */
export async function schemaText(db: Queryable): Promise<string> {
  const facts = Map.groupBy(await readCatalogue(db), ({ table }) => table)
  const { comments, tables } = readMigrationTexts()
  // The table of migrations is not made by one.
  const order = [...tables.keys(), 'schema_migrations']
  const sorted = [...facts.keys()].toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
  const sections = Map.groupBy(sorted, (table) => tables.get(table) ?? 'src/db/migrate.ts')
  const texts = [...sections].map(([file, named]) => {
    const created = named.map((table) => tableText(table, facts.get(table) ?? [], comments))
    return `-- ${file} ${'-'.repeat(110 - file.length)}\n\n${created.join('\n')}`
  })
  return [
    '-- All tables, for reading. `npm run schema` writes this file, and nothing runs it.\n',
    ...texts,
  ].join('\n')
}

type Comments = ReadonlyMap<string, string[]>

function tableText(table: string, facts: readonly Fact[], comments: Comments): string {
  const textsOf = (...kinds: Fact['kind'][]) =>
    facts.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => readable(text))
  const created = [bodyText(table, facts, comments), ...textsOf('partition'), ...textsOf('storage')]
  const statements = textsOf('sequence', 'unique index', 'index', 'privilege').map((text) => {
    const index = / index (\w+)/.exec(text)?.[1] ?? ''
    return [...(comments.get(index) ?? []), `${text};`].join('\n')
  })
  const first = `${created.filter((text) => text !== '').join('\n')};`
  return `${[...(comments.get(table) ?? []), first, ...statements].join('\n')}\n`
}

/** The columns and constraints. A constraint on one column is beside it, without its name. */
function bodyText(table: string, facts: readonly Fact[], comments: Comments): string {
  const constraints = facts.filter(({ kind }) => kind === 'constraint')
  const columns = facts
    .filter(({ kind }) => kind === 'column')
    .map(({ text }) => {
      const [name = ''] = text.split(' ')
      const own = constraints
        .filter(({ column }) => column === name)
        .map(({ text: named }) =>
          named.replace(/^constraint \S+ (?:FOREIGN KEY \(.+?\) |(PRIMARY KEY|UNIQUE) .*)?/, '$1'),
        )
      return [...(comments.get(`${table}.${name}`) ?? []), readable([text, ...own].join(' '))].join('\n')
    })
  const others = constraints.filter(({ column }) => column === null).map(({ text }) => readable(text))
  const parts = [...columns, ...others].map((part) => part.replaceAll(/^/gm, '  '))
  return parts.length === 0 ? '' : `create table ${table} (\n${parts.join(',\n')}\n)`
}

/** In the style of our migrations: lower case, short names of types, no casts that go without saying. */
function readable(text: string): string {
  const lower = text.split(/('(?:[^']|'')*'|"[^"]*")/).map((part, index) => {
    return index % 2 === 1 ? part : part.toLowerCase()
  })
  return lower
    .join('')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(/\binteger\b/g, 'int')
    .replaceAll(/::(?:text|regclass)\b(?!\[)| using btree|(?<= on) only/g, '')
}

/** The comments directly above tables, columns and indexes, and the file that first creates each table. */
function readMigrationTexts(): { comments: Comments; tables: ReadonlyMap<string, string> } {
  const comments = new Map<string, string[]>()
  const tables = new Map<string, string>()
  const files = readMigrations().flatMap((migration) => migration.parts ?? [migration])
  for (const { name, text } of files) {
    let table = ''
    let above: string[] = []
    for (const line of text.split('\n')) {
      const [, created, changed] = /^(?:create table (\w+)|alter table (\w+))/.exec(line) ?? []
      const index = /^create (?:unique )?index (\w+) on/.exec(line)?.[1]
      const column = /^ {2}(?:add column )?(\w+) /.exec(line)?.[1]
      table = created ?? changed ?? table
      if (created !== undefined && !tables.has(created)) tables.set(created, name)
      const about = created ?? index ?? (column === undefined ? undefined : `${table}.${column}`)
      if (about !== undefined && above.length > 0) comments.set(about, above)
      above = line.trimStart().startsWith('--') ? [...above, line.trim()] : []
    }
  }
  return { comments, tables }
}
