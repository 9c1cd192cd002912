// Concurrency problems of shared transactions that were found in development, in the order of a batch's steps up to its
// commit; batch-commit.test.ts has the rest. Each test runs twice on a real PostgreSQL: Wheelhouse must pass, and the
// naive implementation in the test must fail. So a test that has stopped detecting its problem fails.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { allInOrder, type Database, statement } from '../../src/db/database.ts'
import { GroupCommit } from '../../src/orders/group-commit.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { batchWaitMaxMs } from '../../src/limits.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import type { Grant, GrantVerdict } from '../../src/grants/grant.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import type { PlayerKey } from '../../src/players/ledger.ts'
import { playWheels } from '../../src/plays/play-wheels.ts'
import { lockStocks, readStocks, setStocks, type StockKey } from '../../src/stock/prize-stocks.ts'
import { findWheel } from '../../src/wheels/wheels.ts'
import {
  FirstComeQueue,
  grantStepByStep,
  insertOrReadAnswer,
  lockCheckAndGrant,
  naiveGrantValues,
  type Run,
  TimedBatches,
  updatePlayers,
  updatePrizes,
  updateSortedPlayers,
  upsertPlayers,
} from './naive-implementations.ts'
import { asSuperuser, type Lifetime, makeDatabaseProxy, openTestDatabase, times } from '../scenes/scene.ts'
import {
  whileAnotherCommits,
  columnsOf,
  keyOf,
  makeScene,
  orderOf,
  longTimeouts,
  playOrdersOf,
  publishOnly,
  readBalances,
  type Scene,
  countDeadlocks,
  untilWaiting,
  whileLocked,
} from '../scenes/batch-scene.ts'

test('a single command is sent without a timer, in one round trip', async (t) => {
  const scene = await makeScene(t)
  const databaseProxy = await makeDatabaseProxy(t, scene.target)
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const db = openTestDatabase(t, databaseProxy.target, { poolMax: 1 })
  const memory = new GrantMemory()
  const run = (orders: readonly Grant[]) => grantSpins(db, orders, new Date(), memory)
  const group = groupOf({ run })
  await group.submit(orderOf(scene, { key: 'the connection is open, and the player there' }))
  const naive = new TimedBatches(run, 10)

  const late = naive.submit(orderOf(scene, { key: 'naive' }))
  const before = databaseProxy.roundTrips
  const verdict = await group.submit(orderOf(scene, { key: 'real' }))
  assert.deepEqual(verdict, { outcome: 'granted', balance: 10 })
  assert.equal(databaseProxy.roundTrips - before, 1)
  const again = databaseProxy.roundTrips
  assert.deepEqual(await group.submit(orderOf(scene, { key: 'real' })), { outcome: 'replayed', balance: 10 })
  assert.equal(databaseProxy.roundTrips - again, 2, 'a repeat is looked up first')

  // No timer has fired, so the naive implementation has sent nothing.
  assert.equal(naive.batchesSent, 0)
  t.mock.timers.tick(10)
  assert.deepEqual(await late, { outcome: 'granted', balance: 15 })
  t.mock.timers.reset()

  const plainly = databaseProxy.roundTrips
  await grantStepByStep(db, orderOf(scene, { key: 'step by step' }))
  assert.equal(databaseProxy.roundTrips - plainly, 4, 'a simple transaction takes more')
})

test('a command that waited for a lock sees the concurrent change and is not executed twice', async (t) => {
  const scene = await makeScene(t)
  const order = orderOf(scene, { key: 'twice' })
  await grantSpins(scene.db, [orderOf(scene, { key: 'first' })], new Date())
  const naively = () => scene.db.query(lockCheckAndGrant, naiveGrantValues(order))

  // The last safeguard: the key is unique, so the naive implementation gets an error instead of a result.
  await assert.rejects(whileAnotherCommits(scene, order, naively), hasState('23505'))
  assert.deepEqual(await readBalances(scene.db), { ann: 10 })

  await asSuperuser(scene.target.database, (client) => client.query('drop index ledger_entries_by_key'))
  const other = orderOf(scene, { key: 'other' })
  const [verdict] = await whileAnotherCommits(scene, other, () => grantSpins(scene.db, [other], new Date()))
  assert.deepEqual(verdict, { outcome: 'replayed', balance: 15 })
  assert.deepEqual(await readBalances(scene.db), { ann: 15 })

  const third = orderOf(scene, { key: 'third' })
  await whileAnotherCommits(scene, third, () => scene.db.query(lockCheckAndGrant, naiveGrantValues(third)))
  assert.deepEqual(
    await readBalances(scene.db),
    { ann: 25 },
    'the naive implementation granted five spins twice',
  )
})

test('a repeat that conflicts with the first request in flight gets the response of the first', async (t) => {
  const scene = await makeScene(t)
  await grantSpins(scene.db, [orderOf(scene, { key: 'first' })], new Date())
  const order = orderOf(scene, { key: 'repeated' })
  const [verdict] = await whileAnotherCommits(scene, order, () => grantSpins(scene.db, [order], new Date()))
  assert.deepEqual(verdict, { outcome: 'replayed', balance: 10 })

  const other = orderOf(scene, { key: 'other' })
  const naively = () => scene.db.query(insertOrReadAnswer, naiveGrantValues(other))
  assert.deepEqual(
    await whileAnotherCommits(scene, other, naively),
    [],
    'the naive implementation returns no row',
  )
  assert.deepEqual(await naively(), [{ balanceAfter: 15 }], 'the next statement can read it')
})

test('batches with the same players and prizes in opposite orders never deadlock', async (t) => {
  const scene = await makeScene(t)
  const otherwisePlanned = await openWithHashJoins(t, scene)
  const grantEach =
    (db: Database, isTrusting = false) =>
    (keys: readonly PlayerKey[]) =>
      grantSpins(
        db,
        keys.map((key) => orderOf(key, { playerId: key.playerId, key: randomUUID() })),
        new Date(),
        isTrusting ? new GrantMemory() : undefined,
      )
  await lockInOppositeOrders(await contendedPlayers(scene), grantEach(scene.db), grantEach(scene.db))
  await lockInOppositeOrders(await contendedPlayers(scene), grantEach(scene.db), grantEach(otherwisePlanned))
  await lockInOppositeOrders(await contendedPlayers(scene), grantEach(scene.db, true), grantEach(scene.db))
  await lockInOppositeOrders(
    await contendedPlayers(scene),
    grantEach(scene.db, true),
    grantEach(otherwisePlanned, true),
  )
  const prizes = await contendedPrizes(scene)
  const lock = (keys: readonly StockKey[]) => scene.db.transaction((tx) => lockStocks(tx, keys))
  await lockInOppositeOrders(prizes, lock, lock)
  // A grant that met a deadlock would have been retried without a trace.
  assert.equal(await countDeadlocks(scene.target, [scene.db, otherwisePlanned]), 0)

  const isDeadlock = hasState('40P01')
  const update = (db: Database, sql: string) => (keys: readonly PlayerKey[]) =>
    db.query(statement(sql), columnsOf(keys))
  const unsorted = update(scene.db, updatePlayers)
  await assert.rejects(lockInOppositeOrders(await contendedPlayers(scene), unsorted, unsorted), isDeadlock)
  // Sorted before the join, and still each locks in the order of its plan.
  const sorted = update(scene.db, updateSortedPlayers)
  const sortedOtherwise = update(otherwisePlanned, updateSortedPlayers)
  await assert.rejects(
    lockInOppositeOrders(await contendedPlayers(scene), sorted, sortedOtherwise),
    isDeadlock,
  )
  const updateEach = (keys: readonly StockKey[]) =>
    scene.db.query(updatePrizes, [
      keys.map((key) => key.merchantId),
      keys.map((key) => key.wheelId),
      keys.map((key) => key.prizeId),
    ])
  await assert.rejects(lockInOppositeOrders(prizes, updateEach, updateEach), isDeadlock)
  assert.equal(await countDeadlocks(scene.target, [scene.db, otherwisePlanned]), 3)
})

test('several commands for one player and several plays of one prize all count in one batch', async (t) => {
  const scene = await makeScene(t)
  const orders = times(4, (index) => orderOf(scene, { key: `key-${index}`, amount: index + 1 }))
  const verdicts = await grantSpins(scene.db, orders, new Date())
  assert.deepEqual(
    verdicts,
    [1, 3, 6, 10].map((balance) => ({ outcome: 'granted', balance })),
  )
  await publishOnly(scene.db, scene.merchantId, { stock: 100 })
  await grantSpins(scene.db, [orderOf(scene, { playerId: 'bob' })], new Date())
  const { orders: plays, seedKeys } = await playOrdersOf(scene, ['ann', 'bob'])
  const played = await playWheels(scene.db, plays, { seedKeys, now: new Date() })
  assert.deepEqual(
    played.map(({ outcome }) => outcome),
    ['played', 'played'],
  )
  const wheel = await findWheel(scene.db, scene.merchantId, 'main')
  assert.equal((await readStocks(scene.db, wheel))[0]?.given, 2)
  assert.deepEqual((await auditLedger(scene.db)).findings, [])

  const twice = [keyOf({ ...scene, playerId: 'ann' }), keyOf({ ...scene, playerId: 'ann' })]
  await scene.db.query(statement(updatePlayers), columnsOf(twice))
  assert.equal((await readBalances(scene.db)).ann, 9 + 1, 'one of two naive updates is lost silently')
  await assert.rejects(scene.db.query(statement(upsertPlayers), columnsOf(twice)), hasState('21000'))
})

test('a refused command and a failing command do not affect the rest of their batch', async (t) => {
  const scene = await makeScene(t)
  const run = (orders: readonly Grant[]) => grantSpins(scene.db, orders, new Date())
  // No caller can send a fraction; it represents any bug of ours that passes the checks.
  const wrong: Record<number, Partial<Grant>> = { 5: { amount: 20, callMax: 10 }, 17: { amount: 0.5 } }
  const orders = (round: string) =>
    times(40, (index) =>
      orderOf(scene, { playerId: `${round}-${index}`, key: round, amount: 2, ...wrong[index] }),
    )

  const group = groupOf({ run })
  const results = await Promise.allSettled(orders('real').map((order) => group.submit(order)))
  const outcomes = results.map((result) => (result.status === 'fulfilled' ? result.value.outcome : 'failed'))
  const expected = times(40, (index) => ({ 5: 'refused', 17: 'failed' })[index] ?? 'granted')
  assert.deepEqual(outcomes, expected)
  assert.partialDeepStrictEqual(await auditLedger(scene.db), { players: 38, entries: 38, findings: [] })

  const naive = new FirstComeQueue({ run, batchMax: 100, queueMax: 100 })
  const naiveResults = await Promise.allSettled(orders('naive').map((order) => naive.submit(order)))
  assert.ok(
    naiveResults.every(({ status }) => status === 'rejected'),
    'in the naive implementation all forty fail',
  )
  assert.equal((await auditLedger(scene.db)).entries, 38)
})

test("a merchant that floods the queue neither delays another merchant's command nor takes its place", async (t) => {
  const scene = await makeScene(t)
  await grantSpins(scene.db, [orderOf(scene, { playerId: 'gate' })], new Date())
  const otherMerchant = scene.merchantId + 1
  const limits = { batchMax: 10, queueMax: 80, queueMaxPerMerchant: 60 }

  /** The number of the batch, after the flood began, with the other merchant's command; undefined if it was refused. */
  const batchOfOther = async (makeQueue: (run: Run) => Queue, floodSize: number) => {
    const batches: (readonly Grant[])[] = []
    const queue = makeQueue((orders) => {
      batches.push(orders)
      return grantSpins(scene.db, orders, new Date())
    })
    const round = `${makeQueue.name} ${floodSize}`
    const { work, refused } = await whileLocked(scene, keyOf({ ...scene, playerId: 'gate' }), async () => {
      const all = [queue.submit(orderOf(scene, { playerId: 'gate', key: round }))]
      await untilWaiting(scene.target, 1)
      const flood = times(floodSize, (index) => queue.submit(orderOf(scene, { key: `${round} ${index}` })))
      all.push(...flood, queue.submit(orderOf({ merchantId: otherMerchant }, { key: round })))
      return { work: all, refused: await countRefusedNow(all) }
    })
    await Promise.allSettled(work)
    const batchNo = batches.findIndex((orders) => orders.some((order) => order.merchantId === otherMerchant))
    return { batchNo: batchNo < 0 ? undefined : batchNo, refused }
  }
  const fair = (run: Run) => groupOf({ run, ...limits })
  const firstCome = (run: Run) => new FirstComeQueue({ run, ...limits })
  assert.deepEqual(await batchOfOther(fair, 60), { batchNo: 1, refused: 0 })
  assert.deepEqual(await batchOfOther(firstCome, 60), { batchNo: 7, refused: 0 })
  // The excess is refused while the database is still blocked, and only to the merchant that sends it.
  assert.deepEqual(await batchOfOther(fair, 100), { batchNo: 1, refused: 40 })
  assert.deepEqual(await batchOfOther(firstCome, 100), { batchNo: undefined, refused: 21 })
})

type Queue = { submit: (order: Grant) => Promise<GrantVerdict> }

function groupOf(options: { run: Run; batchMax?: number; queueMax?: number; queueMaxPerMerchant?: number }) {
  return new GroupCommit({
    laneOf: () => 0,
    laneCount: 1,
    batchesMax: 1,
    merchantOf: ({ merchantId }: Grant) => merchantId,
    playerOf: ({ playerId }: Grant) => playerId,
    batchMax: 100,
    sharedBatchMax: options.batchMax ?? 100,
    queueMax: 100,
    queueMaxPerMerchant: 100,
    queueMinPerMerchant: 100,
    expectedWaitMaxMs: 60_000,
    batchWaitMaxMs,
    waitMaxMs: 60_000,
    ...options,
  })
}

/** The number of these that are refused right now, before anything else happens. */
async function countRefusedNow(work: readonly Promise<unknown>[]): Promise<number> {
  let count = 0
  for (const one of work)
    one.catch((error: { code?: string }) => (count += error.code === 'overloaded' ? 1 : 0))
  await new Promise((resolve) => setImmediate(resolve))
  return count
}

function hasState(state: string) {
  return (error: unknown) => {
    assert.equal(((error as Error).cause as { code?: string } | undefined)?.code, state, String(error))
    return true
  }
}

/** Rows that two transactions lock in opposite orders, and a way to lock the one in the middle. */
type Contention<Row> = { scene: Scene; rows: Row[]; hold: (work: () => Promise<void>) => Promise<void> }

/** The middle row is locked until both transactions have all the rows that they can get without it. */
async function lockInOppositeOrders<Row>(
  { scene, rows, hold }: Contention<Row>,
  first: (rows: readonly Row[]) => Promise<unknown>,
  second: (rows: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  let both: Promise<unknown> | undefined
  await hold(async () => {
    both = allInOrder([first(rows), second(rows.toReversed())])
    await untilWaiting(scene.target, 2)
  })
  await both
}

/** New players in the order in which they are to be locked, stored on disk in the opposite order. */
async function contendedPlayers(scene: Scene): Promise<Contention<PlayerKey>> {
  const rows = times(200, () => keyOf({ ...scene, playerId: randomUUID() })).toSorted(
    (one, other) => one.shard - other.shard,
  )
  const disputed = [rows[0], rows[100], rows[199]] as [PlayerKey, PlayerKey, PlayerKey]
  assert.equal(new Set(disputed.map(({ shard }) => shard)).size, 3)
  // Enough other players that the planner expects the table to be larger than the batch.
  for (const batch of [...disputed.toReversed().map((key) => [key]), rows]) {
    await scene.db.query(insertPlayers, columnsOf(batch))
  }
  await asSuperuser(scene.target.database, (client) => client.query('analyze players'))
  return { scene, rows: disputed, hold: (work) => whileLocked(scene, disputed[1], work) }
}

/** Connections whose planner prefers a sequential scan to the index. */
async function openWithHashJoins(t: Lifetime, { target }: Scene): Promise<Database> {
  await asSuperuser(target.database, async (client) => {
    for (const setting of ['enable_nestloop', 'enable_mergejoin', 'enable_indexscan', 'enable_bitmapscan'])
      await client.query(`alter database ${target.database} set ${setting} = off`)
  })
  return openTestDatabase(t, target, { ...longTimeouts, pooler: true })
}

async function contendedPrizes(scene: Scene): Promise<Contention<StockKey>> {
  const rows = ['a', 'b', 'c'].map((prizeId) => ({ merchantId: scene.merchantId, wheelId: 1_000, prizeId }))
  await setStocks(
    scene.db,
    { merchantId: scene.merchantId, wheelId: 1_000 },
    rows.map(({ prizeId }) => ({ id: prizeId, stock: 9 })),
  )
  const hold = (work: () => Promise<void>) =>
    scene.db.transaction(async (tx) => {
      await lockStocks(tx, rows.slice(1, 2))
      return work()
    })
  return { scene, rows, hold }
}

const insertPlayers = statement(`
insert into players (shard, merchant_id, player_id, created_at)
select *, '2026-11-15'
from unnest($1::int[], $2::int[], $3::text[])
on conflict do nothing`)
