import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeCluster } from './cluster/change-cluster.ts'
import { refuseUnfinished } from './cluster/refuse-unfinished.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { DatabaseFailure } from './database-fault.ts'
import { refuseEditedFiles, refuseUnknownText } from './landed-migrations.ts'
import { Mistake } from '../mistake.ts'

export type Migration = { version: number; name: string; text: string; sha256: string }

const folder = join(import.meta.dirname, '..', '..', 'sql')
/** An advisory lock number that other programs on the same database are unlikely to use. */
const migrationLock = 7_437_001
const waitForRivalMs = 120_000
const waitForTableMs = 3_000
const attemptsMax = 20

/** The files `sql/0001-….sql`, in order. A gap or a duplicate number is a bug of ours. */
export function readMigrations(): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .toSorted()
  return names.map((name, index) => {
    const version = index + 1
    if (Number(name.slice(0, 4)) !== version) throw new Error(`sql/${name} should have number ${version}`)
    const text = readFileSync(join(folder, name), 'utf8')
    return { version, name, text, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

/** The statements that make the schema of this version in an empty database. The migrations' own table stays empty. */
export function schemaTexts(version: number): string[] {
  const migrations = readMigrations().slice(0, version)
  return [createMigrationsTable.text, ...migrations.map((migration) => migration.text)]
}

export class SchemaError extends Mistake {}

/**
 * Brings the schema up to the newest version and returns the names of the migrations applied. Safe when many processes
 * start at once: each migration is one transaction under one lock, and the second process finds it done.
 */
export async function migrate(db: Database, migrations = readMigrations()): Promise<string[]> {
  const applied: string[] = []
  refuseEditedFiles(migrations)
  await checkServer(db)
  await refuseUnfinished(db)
  for (const migration of migrations) {
    if (await applyOnce(db, migration, migrations)) applied.push(migration.name)
  }
  if (db.isCluster) db.forgetPlaces()
  return applied
}

/** Fails if the schema is older or newer than this program, or half distributed. Changes nothing. */
export async function checkSchema(db: Queryable, migrations = readMigrations()): Promise<void> {
  await checkMigrations(db, migrations)
  await refuseUnfinished(db)
}

export async function checkMigrations(db: Queryable, migrations = readMigrations()): Promise<void> {
  const done = await readDone(db)
  refuseNewer(done, migrations)
  const missing = migrations.filter((migration) => !done.has(migration.version))
  if (missing.length > 0)
    throw new SchemaError(`The schema lacks ${missing[0]?.name}. Run \`wheelhouse migrate\`.`)
}

/** Fails if a migration was applied to the database with a text that this version does not know. Changes nothing. */
export async function checkTexts(db: Queryable, migrations = readMigrations()): Promise<void> {
  refuseEditedFiles(migrations)
  const done = await readDone(db)
  refuseNewer(done, migrations)
  for (const migration of migrations) {
    const applied = done.get(migration.version)
    if (applied !== undefined) refuseUnknownText(migration, applied)
  }
}

async function applyOnce(db: Database, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.longTransaction((tx) => apply(tx, migration, known))
    } catch (error) {
      // While we wait for a table's lock, every later query on it waits behind us. So we give up and retry.
      const isLocked = error instanceof DatabaseFailure && error.fault === 'busy'
      if (!isLocked || attempt === attemptsMax) throw error
      await sleep(200 * attempt)
    }
  }
}

async function apply(tx: Queryable, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  await tx.query(statement(`set local lock_timeout = ${waitForRivalMs}`))
  await tx.query(statement(`select pg_advisory_xact_lock(${migrationLock})`))
  await tx.query(statement(`set local lock_timeout = ${waitForTableMs}`))
  await tx.query(createMigrationsTable)
  const done = await readDone(tx)
  refuseNewer(done, known)
  const applied = done.get(migration.version)
  if (applied !== undefined) {
    refuseUnknownText(migration, applied)
    return false
  }
  if (tx.isCluster === true) await changeCluster(tx, migration.text)
  else await tx.query(statement(migration.text))
  await tx.query(insertMigration, [migration.version, migration.name, migration.sha256, new Date()])
  return true
}

function refuseNewer(done: Done, known: readonly Migration[]): void {
  const newest = Math.max(0, ...done.keys())
  if (newest <= known.length) return
  throw new SchemaError(
    `The database has schema version ${newest}, and this Wheelhouse knows only ${known.length}. ` +
      'Start the newer Wheelhouse that made it; schemas do not go back.',
  )
}

/** Fails if the version or the encoding of the database does not fit. */
export async function checkServer(db: Queryable): Promise<void> {
  const [server] = await db.query(readServer)
  if (server === undefined) return
  if (server.version < 150_000) {
    throw new SchemaError(
      `The server is PostgreSQL ${Math.floor(server.version / 10_000)}; Wheelhouse needs 15 or newer.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new SchemaError(
      `The database's encoding is ${server.encoding}; create it again with \`encoding 'UTF8'\`.`,
    )
  }
}

/** The migrations that a database has, by their numbers. */
type Done = ReadonlyMap<number, { name: string; sha256: string }>

async function readDone(db: Queryable): Promise<Done> {
  const [table] = await db.query(findMigrationsTable)
  if (table?.found !== true) return new Map()
  const rows = await db.query(readMigrationsDone)
  return new Map(rows.map((row) => [row.version, row]))
}

const createMigrationsTable = statement(`
create table if not exists schema_migrations (
  version int primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null
)`)

const findMigrationsTable = statement<{ found: boolean }>(
  `select to_regclass('schema_migrations') is not null as found`,
)

const readMigrationsDone = statement<{ version: number; name: string; sha256: string }>(`
select version, name, sha256
from schema_migrations`)

const insertMigration = statement(`
insert into schema_migrations (version, name, sha256, applied_at)
values ($1, $2, $3, $4)`)

const readServer = statement<{ version: number; encoding: string }>(`
select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`)
