import assert from 'node:assert/strict'
import { allInOrder, type Queryable, type Transaction } from '../db/database.ts'
import {
  distinctPlayers,
  type LockedPlayer,
  lockPlayers,
  playerName,
  purseOf,
  readPurses,
} from '../players/ledger.ts'
import { collectForLocked, type Collected } from '../free-spins/collect-free-spins.ts'
import { afterExpiry, expireLots } from '../players/expire-spins.ts'
import { readLots } from '../players/lot-rows.ts'
import { writeEntries } from '../players/write-entries.ts'
import { type LinkState, readLinkStates, refusalOfLink } from '../links/link-states.ts'
import { lockPools, readCodes, updateTaken } from '../stock/code-pools.ts'
import { insertRunEntries, lockRuns, updateRuns } from '../pacing/pace-runs.ts'
import { isLimited, lockStocks, updateStocks } from '../stock/prize-stocks.ts'
import {
  countPlayerPrizes,
  insertForcedPlays,
  insertPlays,
  type PlayRow,
  readPlayerPrizes,
  readPlaysById,
} from './plays.ts'
import { offersOf, runKeysOf, runName } from '../pacing/pace-gates.ts'
import { eventsOfPlay } from './play-events.ts'
import type { PlayMemory } from './play-memory.ts'
import { holdPrizes, insertHolds, keepCodes } from './prize-holds.ts'
import {
  drawPlay,
  type PlayLimits,
  playerPrizeName,
  poolKey,
  poolName,
  prizeKey,
  refusalOfPlay,
  settle,
  stockName,
} from './draw-plays.ts'
import type { PlayOrder, PlayResult, PlayState, PlayVerdict, DrawnPlay } from './play-types.ts'

/** Carries out any plays in one transaction: lock the players, look for the play ids, draw, lock the stocks, write. */
export async function playInTransaction(
  tx: Transaction,
  orders: readonly PlayOrder[],
  state: PlayState,
  memory?: PlayMemory,
): Promise<PlayVerdict[]> {
  const [locked, givePurses, earlier, links] = await allInOrder([
    lockPlayers(tx, distinctPlayers(orders)),
    readPurses(tx, orders, ({ wheel }) => wheel.campaign),
    readPlaysById(tx, orders),
    readLinkStates(
      tx,
      orders.map(({ merchantId, link }) => ({ merchantId, linkId: link.linkId })),
    ),
  ])
  givePurses(locked)
  const names = await readLots(tx, locked)
  const { all: players, ...expired } = expireLots(locked, { names, now: state.now })
  const known = {
    players: new Map(players.map((player) => [playerName(player), player])),
    plays: new Map(earlier.map((play) => [playName(play), play])),
    links,
  }
  const visits = orders.filter((order, index) => mayCollect(order, known, index))
  const collected = await collectForLocked(tx, {
    visits: visits.map((order) => ({ ...order, isPlay: true })),
    players,
    expired,
    now: state.now,
  })
  const begun = beginPlays(orders, known, state)
  const drawnPlays = [...new Set(begun.filter((one) => 'drawn' in one))]
  const limits = await lockLimits(
    tx,
    drawnPlays.flatMap((drawnPlay) => offersOf(drawnPlay, state.now)),
    state.now,
  )
  const results = new Map(drawnPlays.map((drawnPlay) => [drawnPlay, settle(drawnPlay, limits, state.now)]))
  const holds = await holdPrizes(tx, [...results.values()], state.now)
  if (results.size > 0 || collected.entries.length > 0)
    await write(tx, { results: [...results.values()], holds, collected }, limits, state.now)
  for (const drawnPlay of drawnPlays)
    memory?.rememberStock(drawnPlay, limits.stocks.get(stockName(prizeKey(drawnPlay))), state.now)
  return begun.map((one, index): PlayVerdict => {
    if (!('drawn' in one)) return one
    const result = results.get(one)
    assert(result !== undefined)
    // If a batch has the same order twice, the second one is a repeat.
    const done = { play: result.play, proof: one.proof, player: one.player }
    return begun.indexOf(one) === index
      ? { outcome: 'played', ...done, left: result.left }
      : { outcome: 'replayed', ...done }
  })
}

type Known = {
  players: ReadonlyMap<string, LockedPlayer>
  plays: ReadonlyMap<string, PlayRow>
  links: readonly (LinkState | undefined)[]
}

/** Whether an order is that of a player with a valid link, and not a repeat. */
function mayCollect(order: PlayOrder, known: Known, index: number): boolean {
  if (order.wheel.freeSpins === undefined) return false
  const player = known.players.get(playerName(order))
  const isRefused = refusalOfLink(order.link.issuedAt, known.links[index], player) !== undefined
  return player !== undefined && !isRefused && !known.plays.has(playName({ ...player, ...order }))
}

/** Finds repeats, refuses orders that can't be played, and draws the others. */
function beginPlays(
  orders: readonly PlayOrder[],
  known: Known,
  state: PlayState,
): (DrawnPlay | PlayVerdict)[] {
  const drawnByPlayer = new Map<LockedPlayer, DrawnPlay>()
  return orders.map((order, index) => {
    const player = known.players.get(playerName(order))
    const linkRefusal = refusalOfLink(order.link.issuedAt, known.links[index], player)
    if (player === undefined || linkRefusal !== undefined) {
      return { outcome: 'refused', code: linkRefusal ?? 'game_token_revoked' }
    }
    const before = known.plays.get(playName({ ...player, ...order }))
    if (before !== undefined) return { outcome: 'replayed', play: before, player }
    const underWay = drawnByPlayer.get(player)
    if (underWay?.order.playId === order.playId) return underWay
    const refusal = refusalOfPlay(order, purseOf(player, order.wheel.campaign), state.now)
    if (refusal !== undefined) return { outcome: 'refused', code: refusal }
    // The next commitment is shown only after this play, so of two simultaneous plays one is outdated.
    const drawnPlay = underWay === undefined ? drawPlay(order, player, state.seedKeys) : undefined
    if (drawnPlay === undefined) return { outcome: 'refused', code: 'play_outdated' }
    drawnByPlayer.set(player, drawnPlay)
    return drawnPlay
  })
}

/** Locks the runs, then the stocks, then the pools of the prizes, each sorted. Most plays need none of them. */
async function lockLimits(tx: Queryable, drawnPlays: readonly DrawnPlay[], now: Date): Promise<PlayLimits> {
  const paced = drawnPlays.flatMap((drawnPlay) => runKeysOf(drawnPlay, now))
  const stocked = drawnPlays.filter((drawnPlay) => isLimited(drawnPlay.segment)).map(prizeKey)
  const pooled = drawnPlays.filter((drawnPlay) => drawnPlay.segment.prize.pool !== undefined).map(poolKey)
  const counted = drawnPlays
    .filter((drawnPlay) => drawnPlay.segment.limitPerPlayer !== undefined)
    .map(prizeKey)
  const [runs, stocks, pools, playerPrizes] = await allInOrder([
    paced.length > 0 ? lockRuns(tx, distinct(paced, runName)) : [],
    stocked.length > 0 ? lockStocks(tx, distinct(stocked, stockName)) : [],
    pooled.length > 0 ? lockPools(tx, distinct(pooled, poolName)) : [],
    counted.length > 0 ? readPlayerPrizes(tx, counted) : [],
  ])
  return {
    runs: new Map(runs.map((run) => [runName(run), run])),
    stocks: new Map(stocks.map((stock) => [stockName(stock), stock])),
    pools: new Map(pools.map((pool) => [poolName(pool), pool])),
    playerPrizes: new Map(playerPrizes.map((prize) => [playerPrizeName(prize), prize])),
  }
}

type Holds = Awaited<ReturnType<typeof holdPrizes>>

async function write(
  tx: Transaction,
  { results, holds, collected }: { results: readonly PlayResult[]; holds: Holds; collected: Collected },
  limits: PlayLimits,
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
  keepCodes(holds)
  const counted = results.filter(
    ({ drawnPlay, play }) => play.fallbackReason === null && drawnPlay.segment.limitPerPlayer !== undefined,
  )
  const forced = results.map(({ play }) => play).filter(({ isForced }) => isForced === true)
  const stocks = [...limits.stocks.values()]
  const pools = [...limits.pools.values()]
  const runs = [...limits.runs.values()]
  const paceEntries = results.flatMap((result) => result.paceEntries)
  await tx.commitWith([
    writeEntries(
      tx,
      afterExpiry(collected, {
        entries: results.flatMap(({ entries }) => entries),
        players: results.map(({ drawnPlay }) => drawnPlay.player),
        events: results.flatMap((result) => eventsOfPlay(result, now)),
        now,
      }),
    ),
    collected.writeRest(tx),
    results.length > 0
      ? insertPlays(
          tx,
          results.map(({ play }) => play),
        )
      : undefined,
    holds.size > 0 ? insertHolds(tx, [...holds.values()]) : undefined,
    forced.length > 0 ? insertForcedPlays(tx, forced) : undefined,
    counted.length > 0
      ? countPlayerPrizes(
          tx,
          counted.map(({ drawnPlay }) => prizeKey(drawnPlay)),
        )
      : undefined,
    paceEntries.length > 0 ? updateRuns(tx, runs) : undefined,
    paceEntries.length > 0 ? insertRunEntries(tx, paceEntries) : undefined,
    stocks.length > 0 ? updateStocks(tx, stocks) : undefined,
    pools.length > 0 ? updateTaken(tx, pools) : undefined,
  ])
}

function playName(play: { playId: string; playerNo: number }): string {
  return `${play.playId}:${play.playerNo}`
}

function distinct<T>(items: readonly T[], name: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [name(item), item])).values()]
}
