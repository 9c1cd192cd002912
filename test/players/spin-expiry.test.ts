import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { auditLedger } from '../../src/integrity/audit.ts'
import { sealAll } from '../../src/integrity/seal-ledger.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import type { EventType } from '../../src/events/event-types.ts'
import type { Grant } from '../../src/grants/grant.ts'
import { GrantMemory } from '../../src/grants/grant-memory.ts'
import { grantSpins } from '../../src/grants/grant-spins.ts'
import { lotsPerPlayerMax } from '../../src/limits.ts'
import { expireNextSpins } from '../../src/players/expire-spins.ts'
import { keyHash } from '../../src/players/ledger.ts'
import { findPlayer } from '../../src/players/players.ts'
import { shardOf } from '../../src/players/shard.ts'
import {
  compareLots,
  drawFromLots,
  expiryFrom,
  type LotSource,
  settleExpiry,
  type SpinLot,
  takeFromLot,
} from '../../src/players/spin-lots.ts'
import { numberAllPages } from '../scenes/event-scene.ts'
import { callApi, makeManagementApi } from '../scenes/management-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  runCli,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const day = (number: number, hour = 0): Date => new Date(Date.UTC(2026, 0, number, hour))

/** A grant whose spins expire, and are announced a day before. */
const grant = (merchantId: number, playerId: string, amount: number, expiresAt?: Date): Grant => ({
  merchantId,
  playerId,
  kind: 'grant',
  amount,
  key: randomUUID(),
  reason: null,
  mayCreatePlayer: true,
  callMax: 1_000_000,
  dailyMax: null,
  expiry: expiresAt && { expiresAt, lifetimeDays: null, noticeHours: 24 },
})

async function expireAll(db: Database, now: Date): Promise<void> {
  while ((await expireNextSpins(db, now)) === 'more');
}

async function emitted(db: Database, merchantId: number, type: EventType = 'spins.expired'): Promise<any[]> {
  await numberAllPages(db)
  const events = await readEvents(db, { merchantId, after: 0, types: [type], limit: 100_000 })
  return events.map((event) => event.data)
}

/** The balance in the ledger, which may hold spins that have expired. */
const balanceOf = async (db: Database, merchantId: number, playerId: string) =>
  (await findPlayer(db, { merchantId, playerId }, day(1)))?.balance

const anyLot = fc.record({
  purseId: fc.integer({ min: 0, max: 1 }),
  spins: fc.integer({ min: 1, max: 4 }),
  hour: fc.integer({ min: 1, max: 6 }),
  source: fc.constantFrom<LotSource>('free', 'won', 'granted'),
})
const anyStep = fc.oneof(
  fc.record({ purseId: fc.integer({ min: 0, max: 1 }), spins: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ hour: fc.integer({ min: 0, max: 6 }) }),
)

test('lots are used one spin after the other, as from a list, and never after their time', () => {
  const property = fc.property(fc.array(anyLot), fc.array(anyStep), (given, steps) => {
    const lots = given.map(({ purseId, spins, hour, source }, index): SpinLot => {
      const moments = { expiresAt: day(1, hour), dueAt: day(1, hour) }
      return { lotNo: index + 1, purseId, amount: spins, spinsLeft: spins, source, ...moments }
    })
    // The model has one item for each spin.
    let spins = lots.flatMap((lot) => times(lot.amount, () => ({ ...lot })))
    spins.sort(
      (one, other) =>
        one.expiresAt.getTime() - other.expiresAt.getTime() ||
        ['free', 'won', 'granted'].indexOf(one.source) - ['free', 'won', 'granted'].indexOf(other.source) ||
        one.lotNo - other.lotNo,
    )
    for (const step of steps) {
      if ('hour' in step) {
        const lapsed = settleExpiry(lots, day(1, step.hour))
        const due = spins.filter((spin) => spin.expiresAt <= day(1, step.hour))
        assert.deepEqual(
          lapsed.flatMap((lot) => times(lot.spinsLeft, () => lot.lotNo)),
          due.map((spin) => spin.lotNo),
        )
        for (const lot of lapsed) takeFromLot(lot, lot.spinsLeft)
        spins = spins.filter((spin) => !due.includes(spin))
      } else {
        const taken = spins.filter((spin) => spin.purseId === step.purseId).slice(0, step.spins)
        assert.deepEqual(
          drawFromLots(lots, step).flatMap(({ lotNo, spins: count }) => times(count, () => lotNo)),
          taken.map((spin) => spin.lotNo),
        )
        spins = spins.filter((spin) => !taken.includes(spin))
      }
    }
    assert.deepEqual(
      lots.toSorted(compareLots).flatMap((lot) => times(lot.spinsLeft, () => lot.lotNo)),
      spins.map((spin) => spin.lotNo),
    )
  })
  fc.assert(property)
  const rule = { lifetimeDays: 3, noticeHours: 24 }
  assert.deepEqual(expiryFrom(rule, day(1)), { expiresAt: day(4), dueAt: day(3) })
  const soon = { ...rule, expiresAt: day(1, 5) }
  assert.deepEqual(expiryFrom(soon, day(1, 2)), { expiresAt: day(1, 5), dueAt: day(1, 2) })
})

test('each grant expires at its own time, once, whoever comes first, and is announced once', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const { merchantId } = merchant
  const names = times(120, (index) => `p${index}`)
  const early = names.map((name) => grant(merchantId, name, 2, day(10)))
  await grantSpins(db, early, day(1))
  await grantSpins(
    db,
    names.map((name) => grant(merchantId, name, 3, day(20))),
    day(1),
  )
  await grantSpins(
    db,
    names.map((name) => grant(merchantId, name, 4)),
    day(1),
  )
  await expireAll(db, day(8, 23))
  assert.deepEqual(await emitted(db, merchantId, 'spins.expiring'), [])
  await Promise.all(times(3, () => expireAll(db, day(9))))
  const [notice, ...others] = await emitted(db, merchantId, 'spins.expiring')
  assert.equal(others.length, names.length - 1)
  const expiresAt = day(10).toISOString()
  assert.deepEqual({ ...notice, playerId: 'p' }, { playerId: 'p', lot: 1, amount: 2, expiresAt, balance: 9 })
  await expireAll(db, day(9, 23))
  assert.deepEqual(await emitted(db, merchantId), [])

  // Sweeps, and grants by both paths, at the moment of expiry.
  const memory = new GrantMemory()
  const late = names.map((name) => grant(merchantId, name, 1))
  const [verdicts] = await Promise.all([
    Promise.all(times(12, (part) => grantSpins(db, late.slice(part * 10, part * 10 + 10), day(10), memory))),
    ...times(4, () => expireAll(db, day(10))),
  ])
  for (const verdict of verdicts.flat()) assert.deepEqual(verdict, { outcome: 'granted', balance: 8 })
  const expired = await emitted(db, merchantId)
  assert.equal(new Set(expired.map(({ playerId }) => playerId)).size, names.length)
  assert.equal(expired.length, names.length)
  const { playerId: _, oldBalance, newBalance, ...data } = expired[0]
  assert.deepEqual([data, oldBalance - newBalance], [{ amount: 2, lot: 1, expiresAt }, 2])
  assert.deepEqual(await grantSpins(db, early.slice(0, 1), day(12)), [{ outcome: 'replayed', balance: 2 }])
  await expireAll(db, day(19))
  await expireAll(db, day(40))
  assert.equal((await emitted(db, merchantId, 'spins.expiring')).length, 2 * names.length)
  assert.equal(await balanceOf(db, merchantId, 'p5'), 5, 'spins without a time stay')
  await sealAll(db, { now: new Date() })
  assert.deepEqual((await auditLedger(db)).findings, [])
})

test('reads never show expired spins and never write', async (t) => {
  let now = new Date()
  const server = await makeServer(t, { now: () => now })
  const { db } = server.ctx
  const api = await makeManagementApi(server)
  const give = async (body: object, key: string = randomUUID()) =>
    api.call('POST', '/grants', { playerId: 'ann', ...body }, { 'Idempotency-Key': key })
  const soon = new Date(now.getTime() + 3_600_000).toISOString()
  const later = new Date(now.getTime() + 2 * 86_400_000).toISOString()
  assert.equal((await give({ spins: 2, expiresAt: soon }, 'one')).body.spinCount, 2)
  assert.equal((await give({ spins: 3, expiresAt: later })).body.spinCount, 5)
  await api.grant('ann', 4)
  const { token } = (await api.call('POST', '/links', { playerId: 'ann' })).body
  const session = () => callApi(server, undefined, 'POST', '/api/v1/game/session', { body: { token } })
  assert.deepEqual((await session()).body.spinsExpire, [
    { spins: 2, expiresAt: soon },
    { spins: 3, expiresAt: later },
  ])

  // The server's sweep comes once a minute; nobody needs to wait for it.
  now = new Date(now.getTime() + 3_600_000)
  const shown = async () => [
    (await api.call('GET', '/players/ann')).body.spinCount,
    (await api.call('GET', '/players')).body.players[0].spinCount,
    (await api.call('GET', '/players?search=nn')).body.players[0].spinCount,
    JSON.parse((await api.call('GET', '/exports/players')).text.split('\n')[0] as string).spinCount,
    JSON.parse((await api.call('GET', '/players/ann/personal-data')).text.split('\n')[0] as string).player
      .spinCount,
    (await session()).body.spinCount,
  ]
  assert.deepEqual(await shown(), [7, 7, 7, 7, 7, 7])
  const { lots } = (await api.call('GET', '/players/ann')).body
  assert.deepEqual(lots, [{ lot: 2, campaign: 'main', spins: 3, expiresAt: later, source: 'granted' }])
  assert.equal(await balanceOf(db, api.merchant.merchantId, 'ann'), 9, 'nothing was written')
  const blocked = await api.call('PUT', '/players/ann/block')
  assert.equal(blocked.body.spinCount, 7)
  await api.call('DELETE', '/players/ann/block')

  const opened = (await session()).body
  const played = await callApi(server, undefined, 'POST', '/api/v1/game/plays', {
    body: {
      session: opened.session,
      playId: randomUUID(),
      playerSeed: 'ab'.repeat(32),
      commitment: opened.next.commitment,
      versionHash: opened.wheel.hash,
    },
  })
  assert.equal(played.body.spinCount, 6 + (played.body.play.prize.spins ?? 0), played.text)
  assert.deepEqual(played.body.spinsExpire, [{ spins: 2, expiresAt: later }])
  const { entries } = (await api.call('GET', '/players/ann/ledger')).body
  const [debit, expiry] = entries.filter((entry: any) => entry.amount < 0)
  assert.deepEqual([expiry.kind, expiry.key, expiry.amount], ['expiry', 'lot-1', -2])
  assert.deepEqual([debit.kind, debit.lots], ['play', [{ lot: 2, spins: 1 }]])

  // A repeat gets its first answer, also after its spins have expired.
  const repeat = await give({ spins: 2, expiresAt: soon }, 'one')
  assert.deepEqual([repeat.status, repeat.body.spinCount], [200, 2])
  const other = await give({ spins: 2, expiresAt: later }, 'one')
  assert.equal(other.body.code, 'idempotency_key_reused')
  assert.match(other.body.detail, /had another `expiresAt`/)
  assert.equal((await give({ spins: 2 }, 'one')).body.spinCount, 2)
  for (const expiresAt of [now.toISOString(), '1999-01-01T00:00:00Z', '2137-01-01T00:00:00Z'])
    assert.equal((await give({ playerId: 'new', spins: 1, expiresAt })).body.code, 'expiry_out_of_range')
  for (const expiresAt of ['tomorrow', 5, '2030-02-30T00:00:00Z', '2030-01-01'])
    assert.equal((await give({ playerId: 'new', spins: 1, expiresAt })).body.code, 'validation_failed')
  assert.equal((await api.call('GET', '/players/new')).status, 404)

  const batch = {
    grants: [
      { playerId: 'bob', spinNumber: 2, expiresAt: later },
      { playerId: 'bob', spinNumber: 1, expiresAt: soon },
    ],
  }
  const sent = () => api.call('POST', '/grant-batches', batch, { 'Idempotency-Key': 'batch' })
  const { verdicts } = (await sent()).body
  assert.deepEqual([verdicts[0].spinCount, verdicts[1].code], [2, 'expiry_out_of_range'])
  ;(batch.grants[0] as { expiresAt: string }).expiresAt = soon
  assert.equal((await sent()).body.code, 'idempotency_key_reused')
  const gift = { spins: 1, reason: 'sorry', expiresAt: later }
  await api.call('POST', '/players/bob/grants', gift, { 'Idempotency-Key': 'gift' })
  const bob = (await api.call('GET', '/players/bob')).body
  assert.deepEqual(
    bob.lots.map((lot: any) => lot.spins),
    [2, 1],
  )
  assert.equal((await api.call('PATCH', '/campaigns/main', { spinLifetimeDays: 3 })).status, 400)
  assert.deepEqual((await auditLedger(db)).findings, [])

  const edit = (sql: string) => asSuperuser(server.target.database, (client) => client.query(sql))
  await edit('update spin_lots set spins_left = spins_left - 1 where spins_left > 1 and lot_no = 2')
  const found = (await auditLedger(db)).findings.map(({ check }) => check)
  assert.deepEqual(found, ['what is left of each lot is what was granted, without what its entries took'])
})

test('a balance that the upgrade from 0.2.0 has made one lot keeps its time, and gets no second one', async (t) => {
  const { db } = await makeDatabase(t)
  const run = (text: string, values: unknown[] = []) => db.query(statement<any>(text), values)
  await run(`
insert into merchants (slug, name, created_at, spin_lifetime_days)
values ('short', 'Short', now(), 30)`)
  const merchantId = 1
  const shard = shardOf({ merchantId, playerId: 'ann' })
  const key = { merchantId, playerId: 'ann', kind: 'grant' as const, key: 'k' }
  await run(
    `
with player as (
  insert into players (shard, merchant_id, player_id, balance, entry_count, created_at, next_expiry)
  values ($1, $2, 'ann', 7, 1, now(), $3)
  returning player_no
),
entry as (
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at
  )
  select $1, player_no, $2, 1, 'grant', 7, 7, decode($4, 'hex'), 'k', $5
  from player
),
carried as (
  insert into carried_lots (expires_at, player_no, shard, merchant_id, lot_no, purse_id, spins)
  select $3, player_no, $1, $2, 1, 0, 7
  from player
)
insert into spin_lots (
  expires_at, due_at, player_no, shard, merchant_id, lot_no, purse_id, amount, spins_left, source
)
select $3, $6, player_no, $1, $2, 1, 0, 7, 7, 'carried'
from player`,
    [shard, merchantId, day(33), keyHash(key), day(3), day(32)],
  )
  const shown = async (now: Date) => (await findPlayer(db, { merchantId, playerId: 'ann' }, now))?.balance
  assert.deepEqual([await shown(day(32)), await shown(day(33))], [7, 0])
  await grantSpins(db, [grant(1, 'ann', 1, day(60))], day(10))
  assert.deepEqual((await auditLedger(db)).findings, [])
  await expireAll(db, day(33))
  await expireAll(db, day(34))
  assert.deepEqual(
    (await emitted(db, 1)).map(({ amount, lot }) => [amount, lot]),
    [[7, 1]],
  )
  assert.equal(await shown(day(34)), 1)
})

test('a running server expires spins by itself, after the time set by command line', onLanding, async (t) => {
  const database = await makeDatabase(t)
  const { db, target } = database
  const { merchant } = await makeMerchant(db)
  const set = (...options: string[]) =>
    runCli(['merchant', 'set', merchant.slug, ...options, '--json'], { DATABASE_URL: databaseUrl(target) })
  for (const wrong of ['12h', '0d', '3651d', 'soon'])
    assert.equal((await set('--spin-lifetime', wrong)).code, 1, wrong)
  const changed = await set('--spin-lifetime', '90d', '--spin-expiry-notice', '2d')
  const { spinLifetimeDays, spinExpiryNoticeHours } = JSON.parse(changed.stdout)
  assert.deepEqual([spinLifetimeDays, spinExpiryNoticeHours], [90, 48])
  let now = new Date()
  const server = await makeServer(t, { database, now: () => now })
  const api = await makeManagementApi(server)
  await api.call('PATCH', '/merchant', { spinLifetimeDays: 90 })
  await until(async () => {
    await api.grant('a', 5)
    return (await api.call('GET', '/players/a')).body.lots.length > 0
  })
  await api.call('PATCH', '/merchant', { spinLifetimeDays: null })
  now = new Date(now.getTime() + 91 * 86_400_000)
  await makeServer(t, { database, now: () => now })
  await until(async () => (await emitted(db, api.merchant.merchantId)).length > 0)
})

test('a player with a thousand grants that expire gets no more of them, until one is used up', async (t) => {
  const server = await makeServer(t)
  const api = await makeManagementApi(server)
  const { merchantId } = api.merchant
  const later = new Date(Date.now() + 86_400_000)
  const lots = times(lotsPerPlayerMax, () => grant(merchantId, 'lena', 1, later))
  const verdicts = await grantSpins(server.ctx.db, [...lots, grant(merchantId, 'lena', 1, later)], new Date())
  assert.deepEqual(
    verdicts.filter(({ outcome }) => outcome === 'refused'),
    [{ outcome: 'refused', code: 'lot_limit_reached' }],
  )
  const give = (expiresAt?: string) =>
    api.call(
      'POST',
      '/grants',
      { playerId: 'lena', spins: 1, expiresAt },
      { 'Idempotency-Key': randomUUID() },
    )
  const refused = await give(later.toISOString())
  assert.deepEqual([refused.status, refused.body.code], [422, 'lot_limit_reached'])
  assert.equal((await give()).body.spinCount, lotsPerPlayerMax + 1, 'spins that never expire are no lot')
  await api.play('lena')
  assert.equal((await give(later.toISOString())).status, 200)
})
