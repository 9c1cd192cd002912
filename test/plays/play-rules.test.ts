import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SigningKey } from '../../src/crypto/signing-key.ts'
import { SigningKeys } from '../../src/crypto/signing-keys.ts'
import { type Database, type Queryable, statement } from '../../src/db/database.ts'
import { lowStockShare } from '../../src/limits.ts'
import { type LockedPlayer, lockPlayers } from '../../src/players/ledger.ts'
import { playAtOnce } from '../../src/plays/play-at-once.ts'
import { PlayMemory } from '../../src/plays/play-memory.ts'
import { playInTransaction } from '../../src/plays/play-transaction.ts'
import type { PlayOrder } from '../../src/plays/play-types.ts'
import { commitment } from '../../src/plays/seeds.ts'
import { readStocks } from '../../src/stock/prize-stocks.ts'
import { type CurrentWheel, PublishedWheels } from '../../src/wheels/published-wheels.ts'
import { localDay } from '../../src/wheel-document/schedule.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { keyOf, makeScene, type Scene } from '../scenes/batch-scene.ts'
import { givePlayers, rowsOfPlays } from './play-scene.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2_147_483_647)
const now = new Date('2026-11-15T12:00:00Z')
const issuedAt = new Date('2026-11-15T11:00:00Z')
const today = localDay(defaultWheel, now)
const rarely = fc.integer({ min: 0, max: 14 }).map((number) => number === 0)
const anyTime = fc.constantFrom(
  null,
  null,
  null,
  issuedAt,
  new Date(issuedAt.getTime() - 1),
  new Date(issuedAt.getTime() + 1),
)

/** A player's state when its play arrives. The memory expects it with spins, not blocked, and without a play since. */
const anyPlayer = fc.record({
  balance: fc.integer({ min: 0, max: 6 }),
  isBlocked: rarely,
  linksValidFrom: anyTime,
  isRevoked: rarely,
  hasPlayedSince: rarely,
  /** The play's id was used by the player before. */
  isUsedId: rarely,
  /** Another player had the name when the memory was made. */
  isAnother: rarely,
})
const anyStock = fc.record({
  stock: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 30 }), fc.constant(1_000)),
  given: fc.integer({ min: 0, max: 20 }),
  day: fc.constantFrom(0, today - 1, today, today + 1),
  dayGiven: fc.integer({ min: 0, max: 6 }),
  stockPerDay: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 12 })),
})
const anyScene = fc.record({
  players: fc.array(anyPlayer, { minLength: 1, maxLength: 8 }),
  stocks: fc.tuple(anyStock, anyStock),
  isSuspended: rarely,
  linksValidFrom: anyTime,
})
type AnyScene = typeof anyScene extends fc.Arbitrary<infer T> ? T : never

test('the statement that plays at once and the transaction agree', async (t) => {
  const scene = await makeScene(t)
  const seedKeys = await new SigningKeys(scene.db, 'seeds').live()
  const wheel = await new PublishedWheels(scene.db).current(scene.merchantId)
  const outcomes = new Set<string>()
  let run = 0
  const property = fc.asyncProperty(anyScene, async (any) => {
    // Each run finds its own rows by their time.
    const at = new Date(now.getTime() + ++run)
    const state = { seedKeys, now: at }
    const orders = await makeOrders(scene, any, { ...wheel, document: documentOf(any) }, seedKeys)
    const results = memoryOf(orders).foresee(
      orders.map(({ order }) => order),
      state,
    )
    if (results.length === 0) return
    const foreseen = results.map(({ drawnPlay }) => drawnPlay.order)
    const playerIds = foreseen.map(({ playerId }) => playerId)
    const read = (db: Queryable) => rowsOfPlays(db, { merchantId: scene.merchantId, playerIds, at })
    const before = await read(scene.db)
    const attempt = await rolledBack(scene.db, async (tx) => {
      const balances = await playAtOnce({ commitOne: tx.query.bind(tx) }, results, at)
      const isDone = balances.some((balance) => balance !== undefined)
      return { balances, rows: isDone ? await read(tx) : before }
    })
    const verdicts = await scene.db.transaction((tx) => playInTransaction(tx, foreseen, state))

    // A used id, or a stock that is low afterwards, stops the whole statement.
    const isOfUsedId = (order: PlayOrder) => {
      const { player } = orders.find((one) => one.order === order) as MadeOrder
      return player.isUsedId && player.balance > 0 && !player.hasPlayedSince && !player.isAnother
    }
    const isStopped =
      foreseen.some((order, index) => isOfUsedId(order) && verdicts[index]?.outcome === 'replayed') ||
      verdicts.some((verdict) => verdict.outcome === 'played' && verdict.play.fallbackReason !== null) ||
      (await isAnyLow(scene, foreseen, verdicts))
    const expected = verdicts.map((verdict) =>
      verdict.outcome === 'played' && !isStopped ? verdict.player.balance : undefined,
    )
    assert.deepEqual(attempt.balances, expected)
    assert.deepEqual(attempt.rows, isStopped ? before : await read(scene.db))
    for (const verdict of verdicts)
      outcomes.add(isStopped ? 'stopped' : verdict.outcome === 'refused' ? verdict.code : verdict.outcome)
  })
  await fc.assert(property, { seed, numRuns: 80 })
  // Otherwise the test would compare less than it says.
  for (const name of [
    'played',
    'stopped',
    'no_spins',
    'player_blocked',
    'game_token_revoked',
    'merchant_suspended',
    'play_outdated',
  ])
    assert(outcomes.has(name), name)
})

function documentOf({ stocks }: AnyScene): WheelDocument {
  const one = (id: string, more: Partial<WheelSegment>): WheelSegment => ({
    id,
    label: id,
    color: '#112233',
    weight: 1,
    prize: { kind: 'handover' },
    ...more,
  })
  const limited = stocks.map(({ stock, stockPerDay }, index) =>
    one(`limited-${index}`, {
      ...(stock === null ? { stockPerDay: stockPerDay ?? 5 } : { stock }),
      ...(stockPerDay === undefined ? {} : { stockPerDay }),
    }),
  )
  const rest = [
    one('claimed', { claimWithinSeconds: 60 }),
    one('code', { prize: { kind: 'fixed', code: 'A"B' }, title: 'Tïtle' }),
    one('spins', { prize: { kind: 'spins', spins: 2 } }),
    one('nothing', { prize: { kind: 'none' } }),
  ]
  return { ...defaultWheel, fallback: 'nothing', segments: [...limited, ...rest] }
}

type MadeOrder = { order: PlayOrder; player: AnyScene['players'][number]; expected: LockedPlayer }

/** Brings the database into the generated state, with new players, and makes an order for each. */
async function makeOrders(
  scene: Scene,
  any: AnyScene,
  wheel: CurrentWheel,
  seedKeys: readonly SigningKey[],
): Promise<MadeOrder[]> {
  const { db, merchantId } = scene
  await db.query(setMerchant, [merchantId, any.isSuspended ? now : null, any.linksValidFrom])
  for (const [index, { stock, given, day, dayGiven }] of any.stocks.entries())
    await db.query(setStock, [
      merchantId,
      wheel.wheelId,
      `limited-${index}`,
      stock,
      Math.min(given, stock ?? given),
      day,
      dayGiven,
    ])
  const names = any.players.map(() => randomUUID())
  await givePlayers(scene, names)
  const keys = names.map((playerId) => keyOf({ merchantId, playerId }))
  const locked = new Map(
    (await db.transaction((tx) => lockPlayers(tx, keys))).map((one) => [one.playerId, one]),
  )
  return Promise.all(
    any.players.map(async (player, index) => {
      const found = locked.get(names[index] as string) as LockedPlayer
      const expected = { ...found, playerNo: found.playerNo + (player.isAnother ? 1_000_000 : 0) }
      const { shard, playerId, playerNo } = expected
      const link = { linkId: player.isRevoked ? `revoked ${playerId}` : 'any', issuedAt }
      const number = { merchantId, playerNo, playNumber: 1 }
      const order: PlayOrder = {
        shard,
        merchantId,
        playerId,
        link,
        playId: randomUUID(),
        playerSeed: randomBytes(32).toString('hex'),
        commitment: commitment(seedKeys[0] as SigningKey, number),
        versionHash: wheel.sha256,
        wheel,
      }
      const { balance, isBlocked, linksValidFrom, hasPlayedSince } = player
      await db.query(setPlayer, [
        playerId,
        balance,
        isBlocked ? now : null,
        linksValidFrom,
        hasPlayedSince ? 1 : 0,
      ])
      if (player.isRevoked) await db.query(revoke, [merchantId, link.linkId])
      // Under a number that the statement does not reach, so that only the id is in its way.
      if (player.isUsedId)
        await db.query(insertPlay, [shard, found.playerNo, merchantId, order.playId, wheel.wheelId])
      return { order, player, expected }
    }),
  )
}

/** A memory that expects nothing to be in the way. */
function memoryOf(orders: readonly MadeOrder[]): PlayMemory {
  const memory = new PlayMemory()
  for (const { order, expected } of orders) {
    memory.rememberPlayer(order, { ...expected, balance: 5 })
    for (const { stock: _, stockPerDay: __, ...segment } of order.wheel.document.segments) {
      const { merchantId, wheel } = order
      const stock = {
        merchantId,
        wheelId: wheel.wheelId,
        prizeId: segment.id,
        stock: null,
        given: 0,
        day: 0,
        dayGiven: 0,
      }
      memory.rememberStock({ order, segment }, stock, now)
    }
  }
  return memory
}

/** Whether a stock from which the transaction gave is low now. */
async function isAnyLow(
  { db, merchantId }: Scene,
  orders: readonly PlayOrder[],
  verdicts: Awaited<ReturnType<typeof playInTransaction>>,
): Promise<boolean> {
  const [order] = orders as [PlayOrder]
  const stocks = await readStocks(db, { merchantId, wheelId: order.wheel.wheelId })
  const given = verdicts.flatMap((verdict) => (verdict.outcome === 'played' ? [verdict.play.segment] : []))
  const ids = new Set(given.map((segment) => order.wheel.document.segments[segment]?.id))
  return stocks.some(
    ({ prizeId, stock, given: count }) =>
      ids.has(prizeId) && stock !== null && stock - count <= Math.floor(stock * lowStockShare),
  )
}

async function rolledBack<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  let result: T | undefined
  const undo = new Error('to be rolled back')
  await db
    .transaction(async (tx) => {
      result = await work(tx)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return result as T
}

const setMerchant = statement(`
update merchants
set suspended_at = $2, links_valid_from = $3
where merchant_id = $1`)

const setStock = statement(`
insert into prize_stocks (merchant_id, wheel_id, prize_id, stock, given, day, day_given)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (merchant_id, wheel_id, prize_id) do update
set stock = excluded.stock, given = excluded.given, day = excluded.day, day_given = excluded.day_given`)

const setPlayer = statement(`
update players
set balance = $2, blocked_at = $3, links_valid_from = $4, play_count = $5
where player_id = $1`)

const revoke = statement(`
insert into revoked_links (merchant_id, link_id, revoked_at)
values ($1, $2, now())`)

const insertPlay = statement(`
insert into plays (
  shard, player_no, merchant_id, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
  created_at
)
values ($1, $2, $3, 1000, $4, decode(repeat('00', 32), 'hex'), 'any', $5, 1, 0, 0, false, now())`)
