import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { type Database, statement } from '../../src/db/database.ts'
import { DatabaseFailure } from '../../src/db/database-fault.ts'
import {
  checkSchema,
  checkTexts,
  migrate,
  type Migration,
  readMigrations,
  SchemaError,
} from '../../src/db/migrate.ts'
import {
  asSuperuser,
  databaseUrl,
  defer,
  freePort,
  type Lifetime,
  makeDatabase,
  makeEmptyDatabase,
  notOnCluster,
  openTestDatabase,
  repository,
  runCli,
  times,
  until,
} from '../scenes/scene.ts'

test('twenty concurrent migrations of an empty database apply each migration once', async (t) => {
  const target = await makeEmptyDatabase(t)
  const rivals = times(20, () => openTestDatabase(t, target, { poolMax: 2 }))
  const applied = await Promise.all(rivals.map((db) => migrate(db)))
  const names = readMigrations().map((migration) => migration.name)
  assert.deepEqual(applied.flat().toSorted(), names)
  const [db] = rivals as [Database]
  assert.deepEqual(
    (await schemaOf(db)).migrations.map((row) => row.name),
    names,
  )
  await checkSchema(db)
})

test('concurrent processes migrate once, and each reports what it did itself', async (t) => {
  const target = await makeEmptyDatabase(t)
  const env = { DATABASE_URL: databaseUrl(target) }
  const runs = await Promise.all(times(4, () => runCli(['migrate', '--json'], env)))
  for (const run of runs) assert.deepEqual([run.code, run.stderr], [0, ''])
  const applied = runs.flatMap((run) => (JSON.parse(run.stdout) as { applied: string[] }).applied)
  const names = readMigrations().map((migration) => migration.name)
  assert.deepEqual(applied.toSorted(), names)
})

test('applied migrations stay, and only new ones are added', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels])
  assert.deepEqual(await migrate(db, [createWheels, addColour]), [addColour.name])
  assert.deepEqual(await migrate(db, [createWheels, addColour]), [])
})

test(
  'indexes that were built beforehand, as docs/backup.md says, are used; one that failed is refused',
  notOnCluster,
  async (t) => {
    const [, text = ''] =
      /### Large tables[^]*?```sql\n([^]*?)```/.exec(readFileSync(`${repository}/docs/backup.md`, 'utf8')) ??
      []
    const statements = text.split(';').filter((one) => one.trim() !== '')
    assert.equal(statements.length, 3)
    const names = statements.map((one) => / concurrently (\w+) on/.exec(one)?.[1])
    const nodesOf = statement<{ node: number }>(`
select relfilenode::int as node
from pg_class
where relname = any($1)
order by relfilenode`)

    const db = openTestDatabase(t, await makeEmptyDatabase(t))
    await migrate(db, readMigrations().slice(0, 40))
    for (const one of statements) await db.query(statement(one))
    const built = await db.query(nodesOf, [names])
    await migrate(db)
    const used = await db.query(nodesOf, [['plays_pkey', 'ledger_entries_pkey', 'ledger_entries_by_key']])
    assert.deepEqual(used, built)

    for (const [place, name] of names.entries()) {
      const target = await makeEmptyDatabase(t)
      const half = openTestDatabase(t, target)
      await migrate(half, readMigrations().slice(0, 40))
      await half.query(statement(statements[place] ?? ''))
      const spoil = `update pg_index set indisvalid = false where indexrelid = '${name}'::regclass`
      await asSuperuser(target.database, (client) => client.query(spoil))
      await assert.rejects(migrate(half), (error: unknown) =>
        new RegExp(`${name}.* is not valid`).test(String((error as Error).cause ?? error)),
      )
      await half.query(statement(`drop index ${name}`))
      await migrate(half)
    }
  },
)

test('a schema newer than the program is refused with one sentence, and nothing changes', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels, addColour])
  // A gap, so that an old program that looked only for its own next step would find something to apply.
  await db.query(statement(`delete from schema_migrations where version = 1`))
  const before = await schemaOf(db)
  const old = [{ ...createWheels, text: 'create table doors (id int)' }]
  const refusal = /^The database has schema version 2, and this Wheelhouse knows only 1\. Start the newer/
  await assert.rejects(migrate(db, old), isSchemaError(refusal))
  await assert.rejects(checkSchema(db, old), isSchemaError(refusal))
  assert.deepEqual(await schemaOf(db), before)
})

test('a command refuses a schema older than the program and says what to run', async (t) => {
  const target = await makeEmptyDatabase(t)
  const run = await runCli(['merchant', 'list'], { DATABASE_URL: databaseUrl(target) })
  assert.deepEqual(
    [run.code, run.stderr],
    [1, 'wheelhouse: The schema lacks 0001-ground.sql. Run `wheelhouse migrate`.\n'],
  )
  assert.deepEqual((await schemaOf(openTestDatabase(t, target))).tables, [])
})

test('a server does not start on a newer schema: one sentence and exit code 1', async (t) => {
  const target = await makeEmptyDatabase(t)
  const db = openTestDatabase(t, target)
  await migrate(db)
  await db.query(
    statement(`insert into schema_migrations values (9999, '9999-future.sql', 'unknown', '2030-01-01')`),
  )
  const run = await runCli(['serve'], {
    DATABASE_URL: databaseUrl(target),
    PORT: String(await freePort()),
    METRICS_ADDRESS: 'off',
    LOG_LEVEL: 'silent',
  })
  assert.equal(run.code, 1)
  assert.equal(run.stdout, '')
  assert.match(run.stderr, /^wheelhouse: The database has schema version 9999, and this [^\n]+\n$/)
})

test('a migration changed after it was applied is refused, and later migrations are not applied', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels])
  const before = await schemaOf(db)
  const changed = makeMigration(1, `${createWheels.text} -- changed`)
  await assert.rejects(migrate(db, [changed, addColour]), unknownText('0001-test.sql'))
  assert.deepEqual(await schemaOf(db), before)
})

test('the earlier texts of six migrations are accepted, and doctor names any other', async (t) => {
  const { target, db } = await makeDatabase(t)
  const record = (name: string, text: string) =>
    db.query(statement('update schema_migrations set sha256 = $2 where name = $1'), [name, text])
  for (const [name, text] of Object.entries(earlierTexts)) await record(name, text)
  const before = await schemaOf(db)
  assert.deepEqual(await migrate(db), [])
  const doctor = () => runCli(['doctor'], { DATABASE_URL: databaseUrl(target) })
  assert.match((await doctor()).stdout, /^schema +ok +up to date, version \d+$/m)

  await record('0012-event-page-ids.sql', earlierTexts['0011-ledger-seals.sql'])
  await assert.rejects(migrate(db), unknownText('0012-event-page-ids.sql'))
  const { code, stdout } = await doctor()
  assert.equal(code, 1)
  assert.match(
    stdout,
    /^schema +wrong +The database was made by .* 0012-event-page-ids\.sql .*not in danger\. /m,
  )
  await record('0012-event-page-ids.sql', before.migrations[11]?.sha256 ?? '')
  assert.deepEqual(await schemaOf(db), before)
})

test('an edited file of a migration is refused before anything is applied', async (t) => {
  const db = openTestDatabase(t, await makeEmptyDatabase(t))
  const files = readMigrations().map((one) => (one.version === 30 ? { ...one, sha256: 'edited' } : one))
  const sentence =
    /^The file sql\/0030-test-merchants\.sql of this installation was edited, .*Install this version/
  await assert.rejects(migrate(db, files), { message: sentence })
  await assert.rejects(checkTexts(db, files), { message: sentence })
  assert.deepEqual((await schemaOf(db)).tables, [])
})

test('a migration that waits for a table lock gives way to the queries behind it and retries', async (t) => {
  const target = await makeEmptyDatabase(t)
  const db = openTestDatabase(t, target)
  await migrate(db, [createWheels])
  const longReader = new pg.Client(target)
  await longReader.connect()
  defer(t, () => longReader.end())
  await longReader.query('begin')
  await longReader.query('select from wheels')

  const migrated = migrate(db, [createWheels, addColour])
  await until(() => hasWaiter(target.database, 'alter table wheels'))
  // This query waits behind the migration. The long reader stays until it is done, so only giving way helps.
  const shortReader = openTestDatabase(t, target, { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 })
  await shortReader.query(statement('select from wheels'))
  await longReader.query('commit')
  assert.deepEqual(await migrated, [addColour.name])
})

test('a failed migration leaves nothing behind and can be fixed', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels])
  const before = await schemaOf(db)
  const failing = makeMigration(2, 'create table half (id int); insert into half values (1); select 1 / 0;')
  await assert.rejects(
    migrate(db, [createWheels, failing, makeMigration(3, 'create table never (id int)')]),
    (error) => error instanceof DatabaseFailure && error.fault === 'mistake',
  )
  assert.deepEqual(await schemaOf(db), before)
  assert.deepEqual(await migrate(db, [createWheels, addColour]), [addColour.name])
})

test('a database with an encoding other than UTF-8 is refused with instructions', async (t) => {
  const name = `test_${randomBytes(6).toString('hex')}`
  const create = `create database ${name} owner wheelhouse encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`
  await asSuperuser('postgres', (client) => client.query(create))
  defer(t, () => asSuperuser('postgres', (client) => client.query(`drop database ${name} with (force)`)))
  const target = { ...(await makeEmptyDatabase(t)), database: name }
  const db = openTestDatabase(t, target)
  await assert.rejects(
    migrate(db),
    isSchemaError(/encoding is SQL_ASCII; create it again with `encoding 'UTF8'`/),
  )
  assert.deepEqual((await schemaOf(db)).tables, [])
  const doctor = await runCli(['doctor'], { DATABASE_URL: databaseUrl(target) })
  assert.equal(doctor.code, 1)
  assert.match(doctor.stdout, /^database +wrong +The database's encoding is SQL_ASCII; create it again/m)
})

/** The texts that 0.1.0 and 0.2.0 have applied. Since then, comments in them were edited. */
const earlierTexts = {
  '0011-ledger-seals.sql': 'f69dc2ca5117552636ef165871c22a47b4d07916da57d2d373ad7bcd66f1c3d4',
  '0014-staff-grants.sql': '46efd99c6a7816206ee278eaffe6a9caefa89c52112946f42e2e9cd899f4e822',
  '0015-event-erasures.sql': '6abf7a9e84ad8b44519b94a40fd7ff12f396d9a119cabd0c51fa55092dfcd255',
  '0016-webhook-turns.sql': 'ad4657f36125e4d5ab6878751e388b52d48d5f2617b1e8aee0368ee3b86f603e',
  '0017-webhook-resends.sql': '0de23ef557355d4cecc754ef869ef607fa0c57fa2651a2888ac3882bd0999b6a',
  '0018-sign-in-methods.sql': '553b434c1129032714780b45de803718ecf39d841de8b269c43f29b12e9ad7d3',
}

const createWheels = makeMigration(1, 'create table wheels (id int)')
const addColour = makeMigration(2, 'alter table wheels add column colour text')

function makeMigration(version: number, text: string): Migration {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { version, name: `000${version}-test.sql`, text, sha256 }
}

async function makeDatabaseWith(t: Lifetime, migrations: Migration[]): Promise<Database> {
  const db = openTestDatabase(t, await makeEmptyDatabase(t))
  await migrate(db, migrations)
  return db
}

type Schema = { tables: string[]; migrations: { version: number; name: string; sha256: string }[] }

/** Everything that a migration could have changed: the columns of all tables, and the record of applied migrations. */
async function schemaOf(db: Database): Promise<Schema> {
  const columns = await db.query(readColumns)
  const tables = columns.map((column) => column.name)
  const isRecorded = tables.includes('schema_migrations.version')
  return { tables, migrations: isRecorded ? await db.query(readRecord) : [] }
}

const readColumns = statement<{ name: string }>(`
select table_name || '.' || column_name as name
from information_schema.columns
where table_schema = 'public'
order by 1`)

const readRecord = statement<Schema['migrations'][number]>(`
select version, name, sha256
from schema_migrations
order by version`)

function isSchemaError(message: RegExp) {
  return (error: unknown) => error instanceof SchemaError && message.test(error.message)
}

function unknownText(name: string) {
  return {
    message: new RegExp(`^The database was made by .*does not know its migration ${name} .*was not changed`),
  }
}

/** Whether a statement with this beginning waits for a lock. */
async function hasWaiter(database: string, start: string): Promise<boolean> {
  return asSuperuser('postgres', async (client) => {
    const waiting = await client.query(
      `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query like $2 || '%'`,
      [database, start],
    )
    return waiting.rowCount === 1
  })
}
