import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../src/db/database.ts'
import { readEvents } from '../src/events/event-log.ts'
import { numberNextPages } from '../src/events/sequencer.ts'
import { auditLedger } from '../src/audit/audit.ts'
import { decideExpiry, expireNextSpins } from '../src/players/expire-spins.ts'
import type { Grant } from '../src/grants/grant.ts'
import { grantSpins } from '../src/grants/grant-spins.ts'
import type { LockedPlayer } from '../src/players/ledger.ts'
import { findPlayer } from '../src/players/players.ts'
import { databaseUrl, makeDatabase, makeMerchant, makeServer, runCli, times, until } from './scene.ts'

const day = (number: number, hour = 0): Date => new Date(Date.UTC(2026, 0, number, hour))

const grant = (merchantId: number, playerId: string, amount: number, key: string): Grant => ({
  merchantId,
  playerId,
  kind: 'grant',
  amount,
  key,
  reason: null,
  mayCreatePlayer: true,
  callMax: 1_000_000,
  dailyMax: null,
})

async function expireAll(db: Database, now: Date): Promise<number> {
  let steps = 0
  while ((await expireNextSpins(db, now)) === 'more') steps++
  return steps
}

async function emitted(db: Database, merchantId: number) {
  while ((await numberNextPages(db)).pages > 0);
  const events = await readEvents(db, { merchantId, after: 0, types: ['spins.expired'], limit: 100_000 })
  return events.map((event) => event.data)
}

const balanceOf = async (db: Database, merchantId: number, playerId: string) =>
  (await findPlayer(db, { merchantId, playerId }))?.balance

test('unused spins expire completely, once, with an event', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db, { settings: { spinLifetimeDays: 30 } })
  const { merchant: other } = await makeMerchant(db)
  const { merchantId } = merchant
  await grantSpins(db, [grant(merchantId, 'late', 5, '1'), grant(merchantId, 'kept', 7, '1')], day(1, 12))
  await grantSpins(db, [grant(other.merchantId, 'late', 5, '1')], day(1, 12))
  await grantSpins(db, [grant(merchantId, 'kept', 1, '2')], day(1, 13))
  await expireAll(db, day(31, 11))
  assert.deepEqual(await emitted(db, merchantId), [], 'thirty days have not passed')
  await expireAll(db, day(31, 12))
  assert.deepEqual(await emitted(db, merchantId), [
    { playerId: 'late', amount: 5, oldBalance: 5, newBalance: 0 },
  ])
  assert.deepEqual(
    [
      await balanceOf(db, merchantId, 'late'),
      await balanceOf(db, merchantId, 'kept'),
      await balanceOf(db, other.merchantId, 'late'),
    ],
    [0, 8, 5],
  )
  await expireAll(db, day(40))
  await expireAll(db, day(50))
  assert.equal((await emitted(db, merchantId)).length, 2, 'one event per player')
  // Spins granted later have their own lifetime.
  await grantSpins(db, [grant(merchantId, 'late', 3, '2')], day(50))
  await expireAll(db, day(79))
  assert.equal(await balanceOf(db, merchantId, 'late'), 3)
  await expireAll(db, day(80))
  assert.equal(await balanceOf(db, merchantId, 'late'), 0)
  assert.deepEqual((await auditLedger(db)).findings, [])
})

test('a repeated grant gets the first response after its spins have expired, and adds nothing', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db, { settings: { spinLifetimeDays: 1 } })
  const order = grant(merchant.merchantId, 'a', 5, 'order-1')
  await grantSpins(db, [order], day(1))
  await expireAll(db, day(3))
  assert.deepEqual(await grantSpins(db, [order], day(4)), [{ outcome: 'replayed', balance: 5 }])
  assert.equal(await balanceOf(db, merchant.merchantId, 'a'), 0)
})

test('six concurrent sweeps find all of 2,500 players, each once, while grants continue', async (t) => {
  const { db } = await makeDatabase(t)
  const merchants = await Promise.all(
    times(2, async () => (await makeMerchant(db, { settings: { spinLifetimeDays: 10 } })).merchant),
  )
  for (const { merchantId } of merchants)
    await grantSpins(
      db,
      times(1_250, (index) => grant(merchantId, `p${index}`, 2, '1')),
      day(1),
    )
  const late = merchants.flatMap(({ merchantId }) =>
    times(50, (index) => grant(merchantId, `p${index * 25}`, 10, '2')),
  )
  const [granted] = await Promise.all([
    Promise.all(times(10, (part) => grantSpins(db, late.slice(part * 10, part * 10 + 10), day(20)))),
    ...times(6, () => expireAll(db, day(20))),
  ])
  for (const { merchantId } of merchants) {
    const expired = await emitted(db, merchantId)
    assert.equal(new Set(expired.map((data) => (data as { playerId: string }).playerId)).size, expired.length)
    for (const data of expired) assert.equal((data as { amount: number }).amount, 2)
    // A player granted before its expiry keeps all spins; a player that expired first keeps only the new grant.
    const rescued = granted
      .flat()
      .filter((verdict) => verdict.outcome === 'granted' && verdict.balance === 12)
    assert.ok(expired.length >= 1_250 - rescued.length)
  }
  const { findings, entries } = await auditLedger(db)
  assert.deepEqual(findings, [])
  const all = await Promise.all(merchants.map(({ merchantId }) => emitted(db, merchantId)))
  assert.equal(entries, 2_600 + all.flat().length)
})

test('a sweep resumes where it stopped, and starts over an hour after its end', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db, { settings: { spinLifetimeDays: 1 } })
  const { merchantId } = merchant
  await grantSpins(
    db,
    times(2_300, (index) => grant(merchantId, `p${index}`, 1, '1')),
    day(1),
  )
  assert.equal(await expireNextSpins(db, day(3)), 'more')
  assert.equal((await emitted(db, merchantId)).length, 1_000)
  assert.equal(await expireAll(db, day(3)), 2)
  assert.equal((await emitted(db, merchantId)).length, 2_300)
  await grantSpins(db, [grant(merchantId, 'p5', 1, '2')], day(1))
  assert.equal(await expireAll(db, new Date(day(3).getTime() + 3_599_000)), 0)
  assert.ok((await expireAll(db, day(3, 1))) > 0)
  assert.equal((await emitted(db, merchantId)).length, 2_301)
})

test('won spins expire like granted spins', () => {
  const player: LockedPlayer = {
    shard: 0,
    merchantId: 1,
    playerId: 'a',
    playerNo: 1,
    balance: 4,
    entryCount: 9,
    playCount: 3,
    grantedDay: 0,
    grantedDayTotal: 0,
    isBlocked: false,
    linksValidFrom: null,
  }
  const decide = (createdAt: Date, balance = 4) =>
    decideExpiry([{ ...player, balance }], {
      lastGrants: [{ place: 1, purseId: 0, entryNo: 7, createdAt }],
      names: new Map(),
      spinLifetimeDays: 2,
      now: day(10),
    })
  assert.deepEqual(decide(day(8, 1)), { entries: [], players: [], events: [] })
  assert.deepEqual(decide(day(8), 0), { entries: [], players: [], events: [] })
  const [entry] = decide(day(8)).entries
  assert.deepEqual(
    [entry?.kind, entry?.amount, entry?.balanceAfter, entry?.entryNo, entry?.key],
    ['expiry', -4, 0, 10, 'after-7'],
  )
  assert.deepEqual(
    decideExpiry([player], { lastGrants: [], names: new Map(), spinLifetimeDays: 2, now: day(10) }).entries,
    [],
    'without a grant there is no start time',
  )
})

test('a running server expires spins by itself, after the time set by command line', async (t) => {
  const database = await makeDatabase(t)
  const { db, target } = database
  const { merchant } = await makeMerchant(db)
  await grantSpins(db, [grant(merchant.merchantId, 'a', 5, '1')], new Date())
  const set = (value: string) =>
    runCli(['merchant', 'set', merchant.slug, '--spin-lifetime', value, '--json'], {
      DATABASE_URL: databaseUrl(target),
    })
  for (const wrong of ['12h', '0d', '3651d', 'soon']) assert.equal((await set(wrong)).code, 1, wrong)
  const changed = await set('90d')
  assert.equal((JSON.parse(changed.stdout) as { spinLifetimeDays: number }).spinLifetimeDays, 90)
  await makeServer(t, { database, now: () => new Date(Date.now() + 91 * 86_400_000) })
  await until(async () => (await balanceOf(db, merchant.merchantId, 'a')) === 0)
  assert.equal((JSON.parse((await set('none')).stdout) as { spinLifetimeDays: null }).spinLifetimeDays, null)
})
