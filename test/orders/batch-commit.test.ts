// Concurrency problems of shared transactions from the commit on; batch-races.test.ts describes the method.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { parseConfig } from '../../src/config.ts'
import { type Database, statement, type Transaction, untilDone } from '../../src/db/database.ts'
import { DatabaseFailure } from '../../src/db/database-fault.ts'
import { GroupCommit } from '../../src/orders/group-commit.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { createLinks } from '../../src/links/create-links.ts'
import { batchWaitMaxMs } from '../../src/limits.ts'
import type { Grant } from '../../src/grants/grant.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { keyHash } from '../../src/players/ledger.ts'
import { shardOf } from '../../src/players/shard.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { readDueDeliveries } from '../../src/webhooks/webhook-deliveries.ts'
import {
  addAndReturn,
  FirstComeQueue,
  grantStepByStep,
  joinByShardFirst,
  joinWithinBatch,
} from './naive-implementations.ts'
import {
  asSuperuser,
  makeMerchant,
  makeDatabaseProxy,
  makeServer,
  openTestDatabase,
  post,
  times,
} from '../scenes/scene.ts'
import {
  columnsOf,
  keyOf,
  makeScene,
  orderOf,
  longTimeouts,
  playOrdersOf,
  publishOnly,
  readBalances,
  type Scene,
  untilWaiting,
  whileLocked,
} from '../scenes/batch-scene.ts'

test('a connection that dies after its commit succeeded leaves the grant done once and acknowledged', async (t) => {
  const scene = await makeScene(t)
  const databaseProxy = await makeDatabaseProxy(t, scene.target)
  const db = openTestDatabase(t, databaseProxy.target)
  const cutDuring = async <T>(work: () => Promise<T>): Promise<T> => {
    databaseProxy.cutsAfterCommit = true
    const [result] = await Promise.allSettled([work()])
    assert.equal(databaseProxy.cutsAfterCommit, false, 'the connection was never cut')
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
  const verdicts = await cutDuring(() => grantSpins(db, [orderOf(scene, { key: 'real' })], new Date()))
  assert.deepEqual(verdicts, [{ outcome: 'replayed', balance: 5 }])
  assert.partialDeepStrictEqual(await auditLedger(scene.db), { players: 1, entries: 1, findings: [] })

  const isLost = (error: unknown) => error instanceof DatabaseFailure && error.fault === 'lost'
  await assert.rejects(
    cutDuring(() => grantStepByStep(db, orderOf(scene, { key: 'naive' }))),
    isLost,
  )
  assert.deepEqual(
    await readBalances(scene.db),
    { ann: 10 },
    'the naive implementation failed, but the grant was committed',
  )
  const withoutKey = () => grantStepByStep(db, orderOf(scene, { key: randomUUID() }))
  await cutDuring(() => untilDone(withoutKey))
  assert.deepEqual(await readBalances(scene.db), { ann: 20 }, 'the naive retry granted twice')
})

test('a caller without a key gets a normal first response for a grant that had to be looked up again', async (t) => {
  const scene = await makeScene(t)
  const databaseProxy = await makeDatabaseProxy(t, scene.target)
  const db = openTestDatabase(t, databaseProxy.target)
  const server = await makeServer(t, { database: { target: databaseProxy.target, db } })
  const { token } = await makeMerchant(scene.db)
  const grant = () => post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 5 })
  assert.equal((await grant()).status, 200)
  databaseProxy.cutsAfterCommit = true
  const { body, headers } = await grant()
  assert.equal(databaseProxy.cutsAfterCommit, false, 'the connection was never cut')
  assert.deepEqual(body, { playerId: 'ann', spinCount: 10 })
  assert.equal(headers.get('idempotent-replayed'), null)
})

test('a link whose commit response was lost emits one event', async (t) => {
  const scene = await makeScene(t)
  const databaseProxy = await makeDatabaseProxy(t, scene.target)
  const db = openTestDatabase(t, databaseProxy.target)
  const { merchantId } = scene
  // Two new players in different shards: on the second attempt they exist already, and other events come first.
  const orders = ['ann', 'bob'].map((playerId) => ({
    ...keyOf({ merchantId, playerId }),
    linkId: `link of ${playerId}`,
    campaign: 'main',
    expiresAt: new Date(),
    initial: playerId === 'bob' ? orderOf(scene, { playerId, kind: 'initial', key: 'initial' }) : undefined,
  }))
  databaseProxy.cutsAfterCommit = true
  const made = await createLinks(db, orders, new Date())
  assert.deepEqual(
    made.map(({ outcome }) => outcome),
    ['created', 'created'],
  )
  assert.equal(databaseProxy.cutsAfterCommit, false, 'the connection was never cut')
  const pages = await scene.db.query(
    statement<{ body: string }>(`select body from event_pages where body like '%link.created%'`),
  )
  const types = pages.flatMap(({ body }) => (JSON.parse(body) as [string][]).map(([type]) => type))
  assert.deepEqual(types.toSorted(), [
    'link.created',
    'link.created',
    'player.created',
    'player.created',
    'spins.granted',
  ])
})

test('a batch reads rows in proportion to its size, even with plans made on empty tables', async (t) => {
  const scene = await makeScene(t)
  await publishOnly(scene.db, scene.merchantId, { stock: 1_000_000, limitPerPlayer: 1_000_000 })
  await asSuperuser(scene.target.database, async (client) => {
    // An earlier version of the index, with the same columns in the other order.
    await client.query('create unique index on ledger_entries (shard, key_hash)')
    for (const table of ['players', 'ledger_entries', 'plays', 'player_prizes', 'event_pages_first'])
      await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
    await client.query('vacuum analyze')
  })
  const players = playersInShard(scene, 100)
  // One connection, whose plans are made on first use.
  const db = openTestDatabase(t, scene.target, { ...longTimeouts, poolMax: 1 })
  const batchOfEach = async (key: string) => {
    const orders = players.map((playerId) => orderOf(scene, { playerId, key }))
    const links = players.map((playerId) => linkOf(scene, playerId))
    const { orders: plays, seedKeys } = await playOrdersOf({ ...scene, db }, players)
    return readDuring(db, async () => {
      for (const { outcome } of await grantSpins(db, orders, new Date())) assert.equal(outcome, 'granted')
      for (const { outcome } of await createLinks(db, links, new Date())) assert.equal(outcome, 'created')
      const played = plays.length > 0 ? await playWheels(db, plays, { seedKeys, now: new Date() }) : []
      for (const { outcome } of played) assert.equal(outcome, 'played')
    })
  }
  const naively = (key: string) => {
    const hashes = players.map((playerId) => `\\x${keyHash({ ...scene, playerId, kind: 'grant', key })}`)
    const shards = players.map((playerId) => shardOf({ ...scene, playerId }))
    return readDuring(db, async () => (await db.query(joinByShardFirst, [shards, hashes])).length)
  }
  await naively('nothing is there yet')
  await batchOfEach('the first: players come into being')
  await batchOfEach('the second: they play')
  await fillShard(scene, players[0] as string, 20_000)

  const { rowsRead } = await batchOfEach('late')
  assert.ok(rowsRead < 40 * players.length, `${rowsRead} rows for three batches of ${players.length}`)
  const naive = await naively('late')
  assert.equal(naive.result, players.length)
  assert.ok(naive.rowsRead > 20_000, `the naive implementation read only ${naive.rowsRead} rows`)
})

test('due deliveries are found by reading few rows, even with a plan made on an empty table', async (t) => {
  const scene = await makeScene(t)
  await asSuperuser(scene.target.database, async (client) => {
    await client.query('alter table webhook_deliveries set (autovacuum_enabled = off)')
    await client.query('vacuum analyze')
  })
  const db = openTestDatabase(t, scene.target, { ...longTimeouts, poolMax: 1 })
  const now = new Date()
  const latestAt = new Date(now.getTime() + 30 * 86_400_000)
  const readDue = () =>
    readDuring(db, () => readDueDeliveries(db, { webhookNo: 1, now, latestAt, limit: 100 }))
  assert.deepEqual((await readDue()).result, [])
  await asSuperuser(scene.target.database, (client) =>
    client.query(`
      insert into webhook_deliveries (webhook_no, seq, created_at, next_try_at, tries, event_id, event_type, body)
      select 1, number, now(), now() + case when number <= 10 then '-1 day' else '1 day'::interval end, 1, 'evt', 'webhook.test', ''
      from generate_series(1, 20000) as number`),
  )
  const { rowsRead, result } = await readDue()
  assert.equal(result.length, 10)
  assert.ok(rowsRead < 100, `${rowsRead} rows for 10 deliveries`)
})

test('no statement joins the rows of its batch with each other in quadratic time', async (t) => {
  const scene = await makeScene(t)
  await publishOnly(scene.db, scene.merchantId, { stock: 1_000_000, limitPerPlayer: 1_000_000 })
  const players = times(200, (index) => `player-${index}`)
  const { db, plans } = explaining(scene.db)
  const orders = players.map((playerId) => orderOf(scene, { playerId }))
  await grantSpins(db, orders, new Date())
  await createLinks(
    db,
    players.map((playerId) => linkOf(scene, playerId)),
    new Date(),
  )
  const { orders: plays, seedKeys } = await playOrdersOf(scene, players)
  await playWheels(db, plays, { seedKeys, now: new Date() })
  assert.ok(plans.length >= 15)
  for (const { text, rows } of plans) assert.ok(rows < 20 * players.length, `${rows} rows:\n${text}`)

  const keys = players.map((playerId) => keyOf({ ...scene, playerId }))
  await db.transaction((tx) => tx.query(joinWithinBatch, columnsOf(keys)))
  const naiveRows = plans.at(-1)?.rows ?? 0
  assert.ok(naiveRows > players.length ** 2 / 2, `the naive implementation read only ${naiveRows} rows`)
})

test('results come in the order of the commands, whatever row order the database returns', async (t) => {
  const scene = await makeScene(t)
  const keys = times(20, (index) => keyOf({ ...scene, playerId: `player-${index}` }))
  const backwards = keys.toSorted((one, other) => other.shard - one.shard)
  const orders = backwards.map(({ playerId }, index) => orderOf(scene, { playerId, amount: index + 1 }))
  const balances = times(20, (index) => index + 1)
  for (const outcome of ['granted', 'replayed'])
    assert.deepEqual(
      await grantSpins(scene.db, orders, new Date()),
      balances.map((balance) => ({ outcome, balance })),
    )
  const returned = await scene.db.query(addAndReturn, columnsOf(backwards))
  const naive = returned.map(({ balance }) => balance)
  assert.deepEqual(
    naive.toSorted((one, other) => one - other),
    balances.map((balance) => balance + 1),
  )
  assert.notDeepEqual(
    naive,
    balances.map((balance) => balance + 1),
    'the naive implementation returns the balances of others',
  )
})

test('a blocked batch delays only its own players', async (t) => {
  const scene = await makeScene(t)
  const { databaseBatches } = parseConfig({})
  assert.equal(databaseBatches, 2)
  await grantSpins(scene.db, [orderOf(scene, { playerId: 'held' })], new Date())
  const run = (orders: readonly Grant[]) => grantSpins(scene.db, orders, new Date())
  const limits = {
    batchMax: 100,
    sharedBatchMax: 100,
    queueMax: 100,
    queueMaxPerMerchant: 100,
    queueMinPerMerchant: 100,
    expectedWaitMaxMs: 60_000,
    batchWaitMaxMs,
    waitMaxMs: 60_000,
  }
  const group = new GroupCommit({
    run,
    ...limits,
    laneOf: () => 0,
    laneCount: 1,
    batchesMax: databaseBatches,
    merchantOf: ({ merchantId }: Grant) => merchantId,
    playerOf: ({ playerId }: Grant) => playerId,
  })
  const naive = new FirstComeQueue({ run, ...limits })
  for (const queue of [group, naive]) {
    const key = queue === group ? 'real' : 'naive'
    const answered: string[] = []
    const submit = async (playerId: string, suffix = '') => {
      await queue.submit(orderOf(scene, { playerId, key: key + suffix }))
      answered.push(playerId)
    }
    const work = await whileLocked(scene, keyOf({ ...scene, playerId: 'held' }), async () => {
      const all = [submit('held')]
      await untilWaiting(scene.target, 1)
      // Repeats for the same player must not take the second slot.
      all.push(submit('held', ' again'), submit('other'), submit('held', ' and again'))
      // A grant beside the queues, which takes as long as theirs.
      if (queue === group) await all[2]
      else await run([orderOf(scene, { playerId: 'other', key: 'beside' })])
      assert.deepEqual(answered, queue === group ? ['other'] : [])
      return all
    })
    await Promise.all(work)
    assert.equal(answered.length, 4)
  }
})

test('updates of balances and stock are heap-only and touch no index', async (t) => {
  const scene = await makeScene(t)
  const db = openTestDatabase(t, scene.target, { ...longTimeouts, poolMax: 1 })
  await publishOnly(scene.db, scene.merchantId, { stock: 1_000_000 })
  const players = times(20, (index) => `player-${index}`)
  const shares = async (rounds: number) => {
    const before = await readUpdates(db)
    for (const round of times(rounds, () => randomUUID())) {
      await grantSpins(
        db,
        players.map((playerId) => orderOf(scene, { playerId, key: round })),
        new Date(),
      )
      const { orders, seedKeys } = await playOrdersOf({ ...scene, db }, players)
      await playWheels(db, orders, { seedKeys, now: new Date() })
    }
    const after = await readUpdates(db)
    return after.map(({ name, all, inPlace }, index) => {
      const changes = all - (before[index]?.all ?? 0)
      assert.ok(changes >= rounds, `${changes} updates of ${name}`)
      return (inPlace - (before[index]?.inPlace ?? 0)) / changes
    })
  }
  for (const share of await shares(20)) assert.ok(share > 0.7, `only ${share} of all updates were heap-only`)
  await asSuperuser(scene.target.database, async (client) => {
    await client.query('create index on players (balance)')
    await client.query('create index on prize_stocks (given)')
  })
  assert.deepEqual(await shares(3), [0, 0], 'with the naive index, no update is heap-only')
})

function linkOf({ merchantId }: Scene, playerId: string) {
  return {
    ...keyOf({ merchantId, playerId }),
    linkId: randomUUID(),
    expiresAt: new Date(),
    initial: undefined,
    campaign: 'main',
  }
}

function playersInShard(scene: Scene, count: number): string[] {
  const names = times(64 * count * 2, (index) => `player-${index}`)
  const own = names.filter(
    (playerId) => shardOf({ ...scene, playerId }) === shardOf({ ...scene, playerId: 'ann' }),
  )
  assert.ok(own.length >= count)
  return own.slice(0, count)
}

/** Adds many rows to the shard of a player without a new plan or new statistics. */
async function fillShard(scene: Scene, playerId: string, count: number): Promise<void> {
  const { shard } = keyOf({ ...scene, playerId })
  await asSuperuser(scene.target.database, async (client) => {
    const values = [shard, scene.merchantId, count]
    await client.query(
      `insert into players (shard, merchant_id, player_id, created_at)
       select $1, $2, 'filler-' || number, '2026-11-15' from generate_series(1, $3) as number`,
      values,
    )
    await client.query(
      `insert into ledger_entries (shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at)
       select $1, 1000000, $2, number, 'grant', 1, number, decode(md5(number::text), 'hex'), 'filler', '2026-11-15'
       from generate_series(1, $3) as number`,
      values,
    )
    await client.query(
      `insert into plays (shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won, created_at)
       select $1, 1000000, $2, number, gen_random_uuid(), sha256('filler'), 'filler', 1, 1, 0, 0, false, '2026-11-15'
       from generate_series(1, $3) as number`,
      values,
    )
  })
}

const flushCounts = statement('select pg_stat_force_next_flush()')

/** The number of rows that the one connection of `db` read during `work`, from tables and indexes. */
async function readDuring<T>(db: Database, work: () => Promise<T>): Promise<{ rowsRead: number; result: T }> {
  const count = async () => {
    await db.query(flushCounts)
    const [read] = await db.query(
      statement<{ rows: number }>(`
        select (select sum(seq_tup_read) from pg_stat_user_tables)::bigint
          + (select sum(idx_tup_read) from pg_stat_user_indexes)::bigint as rows`),
    )
    return read?.rows ?? 0
  }
  const before = await count()
  const result = await work()
  return { rowsRead: (await count()) - before, result }
}

async function readUpdates(db: Database): Promise<{ name: string; all: number; inPlace: number }[]> {
  await db.query(flushCounts)
  return db.query(
    statement(`
      select relname as name, n_tup_upd as all, n_tup_hot_upd as "inPlace"
      from pg_stat_user_tables
      where relname in ('players', 'prize_stocks')
      order by relname`),
  )
}

type PlanNode = {
  Plans?: PlanNode[]
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
}

/** A database that explains every statement of a transaction before it executes it. */
function explaining(db: Database): { db: Database; plans: { text: string; rows: number }[] } {
  const plans: { text: string; rows: number }[] = []
  const wrap = (tx: Transaction): Transaction => {
    let last: Promise<unknown> = Promise.resolve()
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const next = last.then(work)
      last = next
      return next
    }
    return {
      commitWith: async (sent) => {
        for (const one of sent) await one
        await tx.commitWith([])
      },
      query: (sql, values = []) =>
        inTurn(async () => {
          await tx.query(statement('savepoint explained'))
          const explain = `explain (analyze, timing off, format json) ${sql.text}`
          const [answer] = await tx.query(statement<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain), values)
          await tx.query(statement('rollback to explained'))
          plans.push({ text: sql.text, rows: rowsOf(answer?.['QUERY PLAN'][0].Plan as PlanNode) })
          return tx.query(sql, values)
        }),
    }
  }
  const explained = {
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => db.transaction((tx) => work(wrap(tx))),
  }
  return { db: explained as Database, plans }
}

/** All rows that a plan read, in all its nodes. */
function rowsOf(node: PlanNode): number {
  const own =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)
}
