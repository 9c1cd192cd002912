import assert from 'node:assert/strict'
import type { SigningKey } from '../crypto/signing-key.ts'
import { allInOrder, type Database, type Queryable, type Transaction, untilDone } from '../db/database.ts'
import {
  distinctPlayers,
  enter,
  type LockedPlayer,
  lockPlayers,
  playerName,
  writeEntries,
} from '../players/ledger.ts'
import { type LinkState, readLinkStates, refusalOfLink } from '../links/link-states.ts'
import { type CodePool, lockPools, type PoolKey, readCodes, updateTaken } from '../stock/code-pools.ts'
import { isLimited, lockStocks, type PrizeStock, updateStocks } from '../stock/prize-stocks.ts'
import type { RefusalCode } from '../refusals.ts'
import { localDay, openingAt } from '../wheels/schedule.ts'
import type { WheelSegment } from '../wheels/wheel-document.ts'
import { leftOf, takeFromStock, whyNot } from './prize-availability.ts'
import { draw } from './draw.ts'
import {
  countPlayerPrizes,
  insertPlays,
  type PlayerPrize,
  type PlayRow,
  readPlayerPrizes,
  readPlaysById,
} from './plays.ts'
import { eventsOfPlay } from './play-events.ts'
import type { PlayOrder, PlayResult, PlayVerdict, Turn } from './play-types.ts'
import { commitment, hashing, serverSeed } from './seeds.ts'

/**
 * Carries out plays in one transaction and returns a verdict for each, in the order given. A play spends a spin, draws the
 * outcome, and takes stock and code, all or nothing. The same play id always gives the same play.
 */
export async function playWheels(
  db: Database,
  orders: readonly PlayOrder[],
  state: { seedKeys: readonly SigningKey[]; now: Date },
): Promise<PlayVerdict[]> {
  assert(orders.length > 0)
  return untilDone(() => db.transaction((tx) => playInTransaction(tx, orders, state)))
}

async function playInTransaction(
  tx: Transaction,
  orders: readonly PlayOrder[],
  state: { seedKeys: readonly SigningKey[]; now: Date },
): Promise<PlayVerdict[]> {
  const [players, earlier, links] = await allInOrder([
    lockPlayers(tx, distinctPlayers(orders)),
    readPlaysById(tx, orders),
    readLinkStates(
      tx,
      orders.map(({ merchantId, link }) => ({ merchantId, linkId: link.linkId })),
    ),
  ])
  const known = {
    players: new Map(players.map((player) => [playerName(player), player])),
    plays: new Map(earlier.map((play) => [playName(play), play])),
    links,
  }
  const begun = beginTurns(orders, known, state)
  const turns = [...new Set(begun.filter((one) => 'drawn' in one))]
  const limits = await lockLimits(tx, turns)
  const results = new Map(turns.map((turn) => [turn, settle(turn, limits, state.now)]))
  if (results.size > 0) await write(tx, [...results.values()], limits, state.now)
  return begun.map((one, index): PlayVerdict => {
    if (!('drawn' in one)) return one
    const result = results.get(one)
    assert(result !== undefined)
    // If a batch has the same order twice, the second one is a repeat.
    const outcome = begun.indexOf(one) === index ? 'played' : 'replayed'
    return { outcome, play: result.play, player: one.player }
  })
}

/** Finds repeats, refuses orders that can't be played, and draws the others. */
function beginTurns(
  orders: readonly PlayOrder[],
  known: {
    players: ReadonlyMap<string, LockedPlayer>
    plays: ReadonlyMap<string, PlayRow>
    links: readonly (LinkState | undefined)[]
  },
  state: { seedKeys: readonly SigningKey[]; now: Date },
): (Turn | PlayVerdict)[] {
  const atTurn = new Map<LockedPlayer, Turn>()
  return orders.map((order, index) => {
    const player = known.players.get(playerName(order))
    const linkRefusal = refusalOfLink(order.link.issuedAt, known.links[index], player)
    if (player === undefined || linkRefusal !== undefined) {
      return { outcome: 'refused', code: linkRefusal ?? 'game_token_invalid' }
    }
    const before = known.plays.get(playName({ ...player, ...order }))
    if (before !== undefined) return { outcome: 'replayed', play: before, player }
    const earlier = atTurn.get(player)
    if (earlier?.order.playId === order.playId) return earlier
    const refusal = refusalOf(order, player, state.now)
    if (refusal !== undefined) return { outcome: 'refused', code: refusal }
    const { merchantId } = order
    const number = { merchantId, playerNo: player.playerNo, playNumber: player.playCount + 1 }
    const key = state.seedKeys.find((one) => commitment(one, number) === order.commitment)
    // The next commitment is shown only after this play, so of two simultaneous plays one is outdated.
    if (key === undefined || earlier !== undefined) return { outcome: 'refused', code: 'play_outdated' }
    const { document, sha256 } = order.wheel
    const { segment: drawn } = draw(
      {
        serverSeed: serverSeed(key, number),
        playerSeed: order.playerSeed,
        playNumber: number.playNumber,
        versionHash: sha256,
        weights: document.segments.map((segment) => segment.weight),
      },
      hashing,
    )
    const turn = {
      order,
      player,
      seedKeyId: key.keyId,
      drawn,
      segment: document.segments[drawn] as WheelSegment,
    }
    atTurn.set(player, turn)
    return turn
  })
}

function refusalOf(order: PlayOrder, player: LockedPlayer, now: Date): RefusalCode | undefined {
  if (order.versionHash !== order.wheel.sha256) return 'play_outdated'
  if (order.wheel.pausedAt !== null) return 'wheel_paused'
  if (!openingAt(order.wheel.document, now).isOpen) return 'wheel_closed'
  return player.balance < 1 ? 'no_spins' : undefined
}

type LockedLimits = {
  stocks: Map<string, PrizeStock>
  pools: Map<string, PoolKey & CodePool>
  playerPrizes: Map<string, PlayerPrize>
}

/** Locks the stocks, then the pools, of the drawn prizes, each sorted. Most plays need neither. */
async function lockLimits(tx: Queryable, turns: readonly Turn[]): Promise<LockedLimits> {
  const stocked = turns.filter((turn) => isLimited(turn.segment)).map(prizeKey)
  const pooled = turns.filter((turn) => turn.segment.prize.pool !== undefined).map(poolKey)
  const counted = turns.filter((turn) => turn.segment.limitPerPlayer !== undefined).map(prizeKey)
  const [stocks, pools, playerPrizes] = await allInOrder([
    stocked.length > 0 ? lockStocks(tx, distinct(stocked, stockName)) : [],
    pooled.length > 0 ? lockPools(tx, distinct(pooled, poolName)) : [],
    counted.length > 0 ? readPlayerPrizes(tx, counted) : [],
  ])
  return {
    stocks: new Map(stocks.map((stock) => [stockName(stock), stock])),
    pools: new Map(pools.map((pool) => [poolName(pool), pool])),
    playerPrizes: new Map(playerPrizes.map((prize) => [playerPrizeName(prize), prize])),
  }
}

/** Gives the drawn prize if possible, otherwise the fallback, and updates player, stock and pool. */
function settle(turn: Turn, limits: LockedLimits, now: Date): PlayResult {
  const { order, player, drawn } = turn
  const { document } = order.wheel
  const stock = limits.stocks.get(stockName(prizeKey(turn)))
  assert(!isLimited(turn.segment) || stock !== undefined, `the stock of ${turn.segment.id} is not there`)
  const pool = limits.pools.get(poolName(poolKey(turn)))
  const wonByPlayer = limits.playerPrizes.get(playerPrizeName(prizeKey(turn)))?.won ?? 0
  const reason = whyNot(
    document,
    turn.segment,
    { stock, pool, wonByPlayer, balance: player.balance - 1 },
    now,
  )
  const segment =
    reason === undefined ? drawn : document.segments.findIndex((one) => one.id === document.fallback)
  const given = document.segments[segment] as WheelSegment

  player.playCount += 1
  const entries = [enter(player, { kind: 'play', amount: -1, key: order.playId, reason: null })]
  if (given.prize.kind === 'spins' && given.prize.spins !== undefined) {
    entries.push(enter(player, { kind: 'prize', amount: given.prize.spins, key: order.playId, reason: null }))
  }
  if (reason === undefined && stock !== undefined) takeFromStock(stock, localDay(document, now))
  const codePlace =
    reason === undefined && pool !== undefined ? { ...poolKey(turn), position: (pool.taken += 1) } : undefined
  const play: PlayRow = {
    shard: player.shard,
    playerNo: player.playerNo,
    merchantId: player.merchantId,
    playNo: player.playCount,
    playId: order.playId,
    playerSeed: Buffer.from(order.playerSeed, 'hex'),
    seedKeyId: turn.seedKeyId,
    wheelId: order.wheel.wheelId,
    wheelVersion: order.wheel.version,
    drawn,
    segment,
    won: given.prize.kind !== 'none',
    fallbackReason: reason ?? null,
    code: null,
    claimBefore:
      given.claimWithinSeconds === undefined
        ? null
        : new Date(now.getTime() + given.claimWithinSeconds * 1000),
    createdAt: now,
  }
  const left = reason === undefined ? leftOf(stock, pool) : undefined
  return { turn, play, entries, left, codePlace }
}

async function write(
  tx: Transaction,
  results: readonly PlayResult[],
  limits: LockedLimits,
  now: Date,
): Promise<void> {
  const places = results.flatMap(({ codePlace }) => codePlace ?? [])
  if (places.length > 0) {
    const codes = new Map(
      (await readCodes(tx, places)).map((found) => [`${poolName(found)}:${found.position}`, found.code]),
    )
    for (const { play, codePlace } of results) {
      if (codePlace === undefined) continue
      const code = codes.get(`${poolName(codePlace)}:${codePlace.position}`)
      assert(code !== undefined, `pool ${codePlace.pool} lacks position ${codePlace.position}`)
      play.code = code
    }
  }
  const counted = results.filter(
    ({ turn, play }) => play.fallbackReason === null && turn.segment.limitPerPlayer !== undefined,
  )
  const stocks = [...limits.stocks.values()]
  const pools = [...limits.pools.values()]
  await tx.commitWith([
    writeEntries(tx, {
      entries: results.flatMap(({ entries }) => entries),
      players: results.map(({ turn }) => turn.player),
      events: results.flatMap((result) => eventsOfPlay(result, now)),
      now,
    }),
    insertPlays(
      tx,
      results.map(({ play }) => play),
    ),
    counted.length > 0
      ? countPlayerPrizes(
          tx,
          counted.map(({ turn }) => prizeKey(turn)),
        )
      : undefined,
    stocks.length > 0 ? updateStocks(tx, stocks) : undefined,
    pools.length > 0 ? updateTaken(tx, pools) : undefined,
  ])
}

function prizeKey({ order, player, segment }: Turn) {
  return {
    shard: player.shard,
    playerNo: player.playerNo,
    merchantId: order.merchantId,
    wheelId: order.wheel.wheelId,
    prizeId: segment.id,
  }
}

function poolKey({ order, segment }: Turn): PoolKey {
  return { merchantId: order.merchantId, pool: segment.prize.pool ?? '' }
}

function playName(play: { playId: string; playerNo: number }): string {
  return `${play.playId}:${play.playerNo}`
}

function stockName(key: { merchantId: number; wheelId: number; prizeId: string }): string {
  return `${key.merchantId}:${key.wheelId}:${key.prizeId}`
}

function poolName(key: PoolKey): string {
  return `${key.merchantId}:${key.pool}`
}

function playerPrizeName(key: { shard: number; playerNo: number; wheelId: number; prizeId: string }): string {
  return `${key.shard}:${key.playerNo}:${key.wheelId}:${key.prizeId}`
}

function distinct<T>(items: readonly T[], name: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [name(item), item])).values()]
}
