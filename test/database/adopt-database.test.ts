// A database that the 48 migrations of 0.3.0 have made goes on with the baseline that replaces them
// (docs/decisions/0103-one-baseline.md).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Database, statement } from '../../src/db/database.ts'
import { migrate, schemaTexts } from '../../src/db/migrate.ts'
import { baselineVersion, readMigrations } from '../../src/db/migrations.ts'
import {
  databaseUrl,
  type Lifetime,
  makeEmptyDatabase,
  notOnCluster,
  openTestDatabase,
  runCli,
} from '../scenes/scene.ts'
import { loadRelease, readRelease } from './recorded-release.ts'
import { onLanding } from '../scenes/selection.ts'

const recorded = readRelease('0.3.0')
const later = readMigrations()
  .filter(({ version }) => version > baselineVersion)
  .map(({ name }) => name)

describe('a database of 0.3.0', { concurrency: 2, ...notOnCluster }, () => {
  test('is refused in one sentence that names what it lacks, and nothing changes', async (t) => {
    const lacks = {
      'alter table plays drop constraint plays_check':
        /plays lacks: constraint plays_check CHECK .*drawn = segment/,
      'drop index ledger_entries_by_key': /ledger_entries lacks: CREATE UNIQUE INDEX ledger_entries_by_key /,
      'alter table players alter column balance drop not null':
        /players lacks: balance integer not null default 0\./,
      'drop table visits': /visits lacks: .* \d more are missing\./,
    }
    for (const [change, sentence] of Object.entries(lacks)) {
      const { db, env } = await makeOldDatabase(t)
      await db.query(statement(change))
      const before = await recordOf(db)
      const refused = await runCli(['migrate'], env)
      assert.equal(refused.code, 1, change)
      assert.match(refused.stderr, /^wheelhouse: The tables are not those of Wheelhouse 0\.3\.0, [^\n]*\n$/)
      assert.match(refused.stderr, sentence)
      assert.deepEqual(await recordOf(db), before)
    }
  })

  test(
    'is used with what an operator added or tuned, and a warning names a missing index and privilege',
    onLanding,
    async (t) => {
      const { db, env } = await makeOldDatabase(t)
      for (const change of [
        'create index own_index on plays (segment)',
        'create table own_table (id int)',
        'alter table players add column own_column text',
        'alter table players set (autovacuum_vacuum_scale_factor = 0.01)',
        'alter table plays validate constraint plays_check',
      ])
        await db.query(statement(change))
      assert.deepEqual(await migratedBy(env), { applied: later, warnings: '' })
      assert.deepEqual(await migratedBy(env), { applied: [], warnings: '' })

      const other = await makeOldDatabase(t)
      await other.db.query(statement('drop index plays_time_idx; grant delete on plays to current_user'))
      const { applied, warnings } = await migratedBy(other.env)
      assert.deepEqual(applied, later)
      assert.match(warnings, /^wheelhouse: The tables differ from those of Wheelhouse 0\.3\.0\. [^\n]*\n$/)
      assert.match(warnings, /plays lacks: CREATE INDEX plays_time_idx .*; plays lacks: revoke delete, /)
    },
  )

  test('can be restored from its backup into the tables of the baseline', async (t) => {
    const target = await makeEmptyDatabase(t)
    await loadRelease({ ...recorded, migrations: schemaTexts(baselineVersion) }, target)
    const env = { DATABASE_URL: databaseUrl(target), SEAL_KEY: recorded.sealKey }
    assert.deepEqual(await migratedBy(env), { applied: later, warnings: '' })
    assert.match((await runCli(['audit'], env)).stdout, /^Clean: 3 players, .*\nSealed: [1-9]/)
  })

  test('is compared once', async (t) => {
    const { db } = await makeOldDatabase(t)
    assert.deepEqual(await migrate(db), later)
    await db.query(statement('drop table visits'))
    assert.deepEqual(await migrate(db), [])
    // One that the baseline has made is never compared.
    const made = openTestDatabase(t, await makeEmptyDatabase(t))
    const [baseline] = readMigrations()
    assert.ok(baseline)
    await migrate(made, { migrations: [baseline] })
    await made.query(statement('drop table visits'))
    assert.deepEqual(await migrate(made), later)
  })
})

async function makeOldDatabase(t: Lifetime): Promise<{ db: Database; env: Record<string, string> }> {
  const target = await makeEmptyDatabase(t)
  await loadRelease(recorded, target)
  return { db: openTestDatabase(t, target), env: { DATABASE_URL: databaseUrl(target) } }
}

async function migratedBy(env: Record<string, string>): Promise<{ applied: string[]; warnings: string }> {
  const { code, stdout, stderr } = await runCli(['migrate', '--json'], env)
  assert.equal(code, 0, stderr)
  return { applied: (JSON.parse(stdout) as { applied: string[] }).applied, warnings: stderr }
}

async function recordOf(db: Database): Promise<unknown[]> {
  return db.query(statement('select * from schema_migrations order by version'))
}
