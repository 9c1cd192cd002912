// Problems of a commit that takes long. In this test's own cluster every commit waits for a standby that never
// connects.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { type Database, statement } from '../../src/db/database.ts'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrate.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import { type Grant, type GrantVerdict, withHashes } from '../../src/grants/grant.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { Refusal } from '../../src/refusals.ts'
import { insertOrReadAnswer, naiveGrantValues } from './naive-implementations.ts'
import {
  defer,
  type Lifetime,
  makeFolder,
  makeMerchant,
  openTestDatabase,
  repository,
  setDeadlines,
  suiteLifetime,
  until,
} from '../scenes/scene.ts'
import { orderOf, longTimeouts, readBalances } from '../scenes/batch-scene.ts'

describe('while the synchronous standby is unavailable', () => {
  const lifetime = suiteLifetime()
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster(lifetime)
  })

  test('the write path uses no NOTIFY, which would let one commit block all others', async (t) => {
    const files = globSync(['src/**/*.ts', 'sql/*.sql'], { cwd: repository })
    assert.ok(files.length > 50)
    for (const file of files)
      assert.doesNotMatch(
        readFileSync(join(repository, file), 'utf8'),
        /pg_notify|^\s*(notify|listen) \w/im,
        file,
      )

    const slow = await connect(t, cluster.target)
    const quick = await connect(t, cluster.target)
    await quick.query('set synchronous_commit = local')
    await stopStandby(cluster)
    const slowCommit = slow.query(`begin; insert into trials values ('slow'); notify news; commit`)
    await until(async () => (await waitingCommits(cluster)).length === 1)

    // Other commits do not wait for that one …
    await quick.query(`begin; insert into trials values ('quick'); commit`)
    await cluster.admin.query('alter database wheelhouse set synchronous_commit = local')
    const db = openTestDatabase(t, cluster.target)
    const [verdict] = await grantSpins(db, [orderOf(cluster, { playerId: 'bob' })], new Date())
    assert.deepEqual(verdict, { outcome: 'granted', balance: 5 })
    // … unless they use NOTIFY too, on any channel, in any database of the instance.
    const naiveCommit = quick.query(`begin; insert into trials values ('naive'); notify other_news; commit`)
    await until(async () => {
      const { rowCount } = await cluster.admin.query(
        `select from pg_locks where classid = 'pg_database'::regclass and objid = 0 and not granted`,
      )
      return rowCount === 1
    })
    await startStandby(cluster)
    await Promise.all([slowCommit, naiveCommit])
    await cluster.admin.query('alter database wheelhouse reset synchronous_commit')
  })

  test("no timeout ends a commit's wait, and a repeat is not acknowledged before the standby has the commit", async (t) => {
    const order = orderOf(cluster, { key: 'waits' })
    const beside = orderOf(cluster, { playerId: 'dan', key: 'beside' })
    await grantSpins(
      cluster.db,
      [orderOf(cluster, { key: 'first' }), { ...beside, key: 'first' }],
      new Date(),
    )
    await stopStandby(cluster)
    setDeadlines(t, { operationMs: 2_000 })
    const db = openTestDatabase(t, cluster.target, { statementTimeoutMs: 500, lockTimeoutMs: 300 })
    // Long after every timeout of its connection the caller learns that the outcome is unknown. The commit keeps
    // waiting.
    await assert.rejects(grantSpins(db, [order], new Date()), isUnavailable)
    assert.equal((await waitingCommits(cluster)).length, 1)

    // The wait is cancelled: the grant is on this machine only. If this machine is lost now, so is the grant.
    await cancelWaiting(cluster)
    assert.equal((await readBalances(cluster.db)).ann, 10)
    const naiveAnswer = await cluster.db.query(insertOrReadAnswer, naiveGrantValues(order))
    assert.deepEqual(
      naiveAnswer,
      [{ balanceAfter: 10 }],
      'the naive implementation acknowledges a repeat at once',
    )
    await assert.rejects(grantSpins(db, [order], new Date()), isUnavailable)
    const memory = new GrantMemory()
    assert.equal(memory.foresee([withHashes(order)])?.fresh.length, 1)
    await assert.rejects(grantSpins(db, [order, beside], new Date(), memory), isUnavailable)

    await startStandby(cluster)
    setDeadlines(t, { operationMs: 60_000 })
    assert.deepEqual(await grantSpins(cluster.db, [order, beside], new Date()), [
      { outcome: 'replayed', balance: 10 },
      { outcome: 'replayed', balance: 10 },
    ])
  })

  test('a commit whose wait was cancelled is not acknowledged', async (t) => {
    await grantSpins(cluster.db, [orderOf(cluster, { playerId: 'cat', key: 'first' })], new Date())
    const naive = await connect(t, cluster.target)
    await stopStandby(cluster)
    const naiveCommit = naive.query(`begin; insert into trials values ('naive'); commit`)
    await until(async () => (await waitingCommits(cluster)).length === 1)
    await cancelWaiting(cluster)
    await naiveCommit // It reports success.

    const db = openTestDatabase(t, cluster.target, longTimeouts)
    let isAnswered = false
    const asking = askUntilAnswered(db, orderOf(cluster, { playerId: 'cat', key: 'cancelled' }))
    void asking.then(() => (isAnswered = true))
    await until(async () => (await waitingCommits(cluster)).length === 1)
    const [first] = await waitingCommits(cluster)
    await cancelWaiting(cluster)
    // The server looks the key up again, and that waits for the standby too.
    await until(async () => (await waitingCommits(cluster)).some((pid) => pid !== first) || isAnswered)
    assert.equal(isAnswered, false)

    await startStandby(cluster)
    assert.deepEqual(await asking, { outcome: 'replayed', balance: 10 })
  })
})

type Cluster = { target: DatabaseTarget; admin: pg.Client; db: Database; merchantId: number }

async function startCluster(t: Lifetime): Promise<Cluster> {
  const dataDir = makeFolder(t)
  const { target } = await startEmbedded(t, dataDir)
  const admin = await connect(t, { ...target, user: 'postgres' })
  await admin.query('set synchronous_commit = local')
  const db = openTestDatabase(t, target, longTimeouts)
  await migrate(db)
  await db.query(statement('create table trials (name text)'))
  const { merchant } = await makeMerchant(db)
  return { target, admin, db, merchantId: merchant.merchantId }
}

async function startEmbedded(t: Lifetime, dataDir: string): Promise<EmbeddedPostgres> {
  const embedded = await EmbeddedPostgres.start({
    dataDir,
    sharingAllowed: false,
    onTrouble: () => undefined,
  })
  defer(t, () => embedded.stop())
  return embedded
}

async function connect(t: Lifetime, { host, port, user, database }: DatabaseTarget): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user: user as string, database })
  await client.connect()
  defer(t, () => client.end())
  return client
}

/** The sessions whose commit waits for the standby. */
async function waitingCommits({ admin }: Cluster): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where wait_event = 'SyncRep' order by pid`,
  )
  return rows.map(({ pid }) => pid)
}

async function cancelWaiting(cluster: Cluster): Promise<void> {
  for (const pid of await waitingCommits(cluster)) {
    await cluster.admin.query('select pg_cancel_backend($1)', [pid])
    await until(async () => !(await waitingCommits(cluster)).includes(pid))
  }
}

async function stopStandby(cluster: Cluster): Promise<void> {
  await cluster.admin.query(`alter system set synchronous_standby_names = 'away'`)
  await cluster.admin.query('select pg_reload_conf()')
  // The setting takes effect when the checkpointer reloads it.
  await until(async () => {
    let isOver = false
    const trial = cluster.db
      .query(statement(`insert into trials values ('trial')`))
      .then(() => (isOver = true))
    await until(async () => isOver || (await waitingCommits(cluster)).length === 1)
    const isInEffect = !isOver
    await cancelWaiting(cluster)
    await trial
    return isInEffect
  })
}

async function startStandby(cluster: Cluster): Promise<void> {
  await cluster.admin.query('alter system reset synchronous_standby_names')
  await cluster.admin.query('select pg_reload_conf()')
  await until(async () => (await waitingCommits(cluster)).length === 0)
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'database_unavailable'
}

/** Like a caller: repeats with the same key until there is a response. */
async function askUntilAnswered(db: Database, order: Grant): Promise<GrantVerdict | undefined> {
  try {
    const [verdict] = await grantSpins(db, [order], new Date(), new GrantMemory())
    return verdict
  } catch (error) {
    if (isUnavailable(error)) return askUntilAnswered(db, order)
    throw error
  }
}
