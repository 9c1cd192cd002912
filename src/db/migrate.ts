import { setTimeout as sleep } from 'node:timers/promises'
import { Mistake } from '../mistake.ts'
import { adoptDatabase } from './adopt-database.ts'
import { changeCluster } from './cluster/change-cluster.ts'
import { refuseUnfinished } from './cluster/refuse-unfinished.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { DatabaseFailure } from './database-fault.ts'
import { baselineVersion, type Migration, readMigrations, refuseEditedFiles } from './migrations.ts'

/** An advisory lock number that other programs on the same database are unlikely to use. */
const migrationLock = 7_437_001
const waitForRivalMs = 120_000
const waitForTableMs = 3_000
const attemptsMax = 20

/** The statements that make the schema of this version in an empty database. The migrations' own table stays empty. */
export function schemaTexts(version: number): string[] {
  const migrations = readMigrations()
  refuseOlder(version, migrations)
  const texts = migrations.filter((migration) => migration.version <= version).map(({ text }) => text)
  return [createMigrationsTable.text, ...texts]
}

export class SchemaError extends Mistake {}

/** `warn` gets what is unusual about a database that is used all the same. */
type Options = { migrations: readonly Migration[]; warn: (message: string) => void }

/**
 * Brings the schema up to the newest version and returns the names of the migrations applied. Safe when many processes
 * start at once: each migration is one transaction under one lock, and the second process finds it done.
 */
export async function migrate(db: Database, chosen: Partial<Options> = {}): Promise<string[]> {
  const options = { migrations: readMigrations(), warn: () => undefined, ...chosen }
  const { migrations } = options
  const applied: string[] = []
  refuseEditedFiles(migrations)
  await checkServer(db)
  await refuseUnfinished(db)
  for (const migration of migrations)
    if (await applyOnce(db, migration, options)) applied.push(migration.name)
  if (db.isCluster) db.forgetPlaces()
  return applied
}

/** Fails if the schema is older or newer than this program, or half distributed. Changes nothing. */
export async function checkSchema(
  db: Queryable,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  await checkMigrations(db, migrations)
  await refuseUnfinished(db)
}

export async function checkMigrations(
  db: Queryable,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  const done = await readDone(db)
  refuseOthers(done, migrations)
  const missing = migrations.find((migration) => !done.has(migration.version))
  if (missing === undefined) return
  const lack = done.size === 0 ? 'The database has no tables yet' : `The schema lacks ${missing.name}`
  throw new SchemaError(`${lack}. Run \`wheelhouse migrate\`.`)
}

/** Fails if a migration was applied to the database with a text that this version does not know. Changes nothing. */
export async function checkTexts(
  db: Queryable,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  refuseEditedFiles(migrations)
  const done = await readDone(db)
  refuseOthers(done, migrations)
  for (const migration of migrations) {
    const applied = done.get(migration.version)
    if (applied !== undefined && migration.version !== baselineVersion) refuseUnknownText(migration, applied)
  }
}

async function applyOnce(db: Database, migration: Migration, options: Options): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.longTransaction((tx) => apply(tx, migration, options))
    } catch (error) {
      // While we wait for a table's lock, every later query on it waits behind us. So we give up and retry.
      const isLocked = error instanceof DatabaseFailure && error.fault === 'busy'
      if (!isLocked || attempt === attemptsMax) throw error
      await sleep(200 * attempt)
    }
  }
}

async function apply(tx: Queryable, migration: Migration, { migrations, warn }: Options): Promise<boolean> {
  await tx.query(statement(`set local lock_timeout = ${waitForRivalMs}`))
  await tx.query(statement(`select pg_advisory_xact_lock(${migrationLock})`))
  await tx.query(statement(`set local lock_timeout = ${waitForTableMs}`))
  await tx.query(createMigrationsTable)
  const done = await readDone(tx)
  refuseOthers(done, migrations)
  const applied = done.get(migration.version)
  if (applied !== undefined) {
    if (migration.version !== baselineVersion) refuseUnknownText(migration, applied)
    // Later migrations are applied to databases that were compared only.
    else if (applied.sha256 !== migration.sha256 && newestOf(done) === baselineVersion)
      await adoptDatabase(tx, migration.text, warn)
    return false
  }
  if (tx.isCluster === true) await changeCluster(tx, migration.text)
  else await tx.query(statement(migration.text))
  await tx.query(insertMigration, [migration.version, migration.name, migration.sha256, new Date()])
  return true
}

/** Fails if the schema is older than the first migration, or newer than the last one. */
function refuseOthers(done: Done, known: readonly Migration[]): void {
  const newest = newestOf(done)
  const last = known.at(-1)?.version ?? 0
  if (newest > last)
    throw new SchemaError(
      `The database has schema version ${newest}, and this Wheelhouse knows only ${last}. ` +
        'Start the newer Wheelhouse that made it; schemas do not go back.',
    )
  if (done.size > 0) refuseOlder(newest, known)
}

/** Fails if the migrations that would bring this schema to the first of ours are gone. */
function refuseOlder(version: number, known: readonly Migration[]): void {
  if (version >= (known[0]?.version ?? 0)) return
  throw new SchemaError(
    `The data is of a Wheelhouse before 0.3.0 (schema version ${version}), which this one can't upgrade. Start ` +
      'Wheelhouse 0.3.0 with it once, and then this one (docs/install.md, Updates). Nothing was changed.',
  )
}

/** Fails if the migration was applied to the database with a text that this version does not know. */
function refuseUnknownText({ sha256 }: Migration, applied: { name: string; sha256: string }): void {
  if (applied.sha256 === sha256) return
  throw new Mistake(
    `The database was made by a development build or a modified Wheelhouse: this version does not know its ` +
      `migration ${applied.name} (SHA-256 ${applied.sha256.slice(0, 12)}…). The database was not changed, and its ` +
      'data is not in danger. Start the build that made it, or restore a backup that a release made. ' +
      'docs/install.md, Updates, says more.',
  )
}

function newestOf(done: Done): number {
  return Math.max(0, ...done.keys())
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
