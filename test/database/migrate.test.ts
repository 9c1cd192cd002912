import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { type Database, statement } from '../../src/db/database.ts'
import { DatabaseFailure } from '../../src/db/database-fault.ts'
import { checkSchema, checkTexts, migrate, SchemaError } from '../../src/db/migrate.ts'
import { type Migration, readMigrations } from '../../src/db/migrations.ts'
import {
  asSuperuser,
  databaseUrl,
  defer,
  freePort,
  type Lifetime,
  makeEmptyDatabase,
  openTestDatabase,
  runCli,
  times,
  until,
} from '../scenes/scene.ts'

test('twenty concurrent migrations of an empty database apply each migration once', async (t) => {
  const target = await makeEmptyDatabase(t)
  const rivals = times(20, () => openTestDatabase(t, target, { poolMax: 2 }))
  const applied = await Promise.all(rivals.map((db) => migrate(db)))
  const names = readMigrations().map((migration) => migration.name)
  assert.deepEqual(applied.flat().toSorted(), names.toSorted())
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
  assert.deepEqual(applied.toSorted(), names.toSorted())
})

test('applied migrations stay, and only new ones are added', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels])
  assert.deepEqual(await migrate(db, { migrations: [createWheels, addColour] }), [addColour.name])
  assert.deepEqual(await migrate(db, { migrations: [createWheels, addColour] }), [])
})

test('a schema newer than the program is refused with one sentence, and nothing changes', async (t) => {
  const db = await makeDatabaseWith(t, [createWheels, addColour])
  // A gap, so that an old program that looked only for its own next step would find something to apply.
  await db.query(statement(`delete from schema_migrations where version = 1`))
  const before = await schemaOf(db)
  const old = [{ ...createWheels, text: 'create table doors (id int)' }]
  const refusal = /^The database has schema version 2, and this Wheelhouse knows only 1\. Start the newer/
  await assert.rejects(migrate(db, { migrations: old }), isSchemaError(refusal))
  await assert.rejects(checkSchema(db, old), isSchemaError(refusal))
  assert.deepEqual(await schemaOf(db), before)
})

test('a command refuses a schema older than the program and says what to run', async (t) => {
  const target = await makeEmptyDatabase(t)
  const run = await runCli(['merchant', 'list'], { DATABASE_URL: databaseUrl(target) })
  assert.deepEqual(
    [run.code, run.stderr],
    [1, 'wheelhouse: The database has no tables yet. Run `wheelhouse migrate`.\n'],
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
  await assert.rejects(migrate(db, { migrations: [changed, addColour] }), unknownText('0001-test.sql'))
  assert.deepEqual(await schemaOf(db), before)
})

test('an edited file of a migration is refused before anything is applied', async (t) => {
  const db = openTestDatabase(t, await makeEmptyDatabase(t))
  const [baseline, ...later] = readMigrations() as [Migration, ...Migration[]]
  const edited = <File extends { name: string }>(files: readonly File[], name: string) =>
    files.map((file) => (file.name === name ? { ...file, sha256: 'edited' } : file))
  const parts = edited(baseline.parts ?? [], 'baseline/05-plays.sql')
  for (const [name, migrations] of [
    ['baseline/05-plays.sql', [{ ...baseline, parts }, ...later]],
    ['0049-one-baseline.sql', [baseline, ...edited(later, '0049-one-baseline.sql')]],
  ] as const) {
    const message = new RegExp(
      `^The file sql/${name} of this installation was edited, .*Install this version`,
    )
    await assert.rejects(migrate(db, { migrations }), { message })
    await assert.rejects(checkTexts(db, migrations), { message })
  }
  assert.deepEqual((await schemaOf(db)).tables, [])
})

test('a migration that waits for a table lock gives way to the queries behind it and retries', async (t) => {
  const target = await makeEmptyDatabase(t)
  const db = openTestDatabase(t, target)
  await migrate(db, { migrations: [createWheels] })
  const longReader = new pg.Client(target)
  await longReader.connect()
  defer(t, () => longReader.end())
  await longReader.query('begin')
  await longReader.query('select from wheels')

  const migrated = migrate(db, { migrations: [createWheels, addColour] })
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
    migrate(db, { migrations: [createWheels, failing, makeMigration(3, 'create table never (id int)')] }),
    (error) => error instanceof DatabaseFailure && error.fault === 'mistake',
  )
  assert.deepEqual(await schemaOf(db), before)
  assert.deepEqual(await migrate(db, { migrations: [createWheels, addColour] }), [addColour.name])
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

const createWheels = makeMigration(1, 'create table wheels (id int)')
const addColour = makeMigration(2, 'alter table wheels add column colour text')

function makeMigration(version: number, text: string): Migration {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { version, name: `000${version}-test.sql`, text, sha256 }
}

async function makeDatabaseWith(t: Lifetime, migrations: Migration[]): Promise<Database> {
  const db = openTestDatabase(t, await makeEmptyDatabase(t))
  await migrate(db, { migrations })
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
