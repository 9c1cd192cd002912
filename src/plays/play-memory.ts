import { isMain } from '../campaign-ref.ts'
import { lowStockShare, playersRememberedMin, seenNamesMax, stocksRememberedMin } from '../limits.ts'
import { type LockedPlayer, type PlayerKey, playerName } from '../players/ledger.ts'
import { SeenNames } from '../players/seen-names.ts'
import { nextExpiryOf } from '../players/write-entries.ts'
import { RecentMap } from '../recent-map.ts'
import { isLimited, type PrizeStock } from '../stock/prize-stocks.ts'
import { localDay } from '../wheel-document/schedule.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import { givenToday } from './prize-availability.ts'
import { forcedOutcome } from './forced-outcomes.ts'
import { meetsGates } from '../pacing/pace-gates.ts'
import { drawPlay, type PlayLimits, prizeKey, refusalOfPlay, settle, stockName } from './draw-plays.ts'
import type { PlayOrder, PlayResult, PlayState, PlayVerdict, DrawnPlay } from './play-types.ts'

type RememberedPlayer = {
  playerNo: number
  playCount: number
  balance: number
  /** The earliest expiry of its spins; null if none expires. */
  nextExpiry: Date | null
}

/**
 * Remembers players and stocks, to draw a play before the database is asked. The memory may be outdated; the statement
 * in play-at-once.ts checks everything that it was used for.
 */
export class PlayMemory {
  readonly #players = new RecentMap<string, RememberedPlayer>(playersRememberedMin)
  /** By stock: how many units can be given before the stock is low. */
  readonly #rooms = new RecentMap<string, number>(stocksRememberedMin)
  readonly #playIds = new SeenNames(seenNamesMax)

  rememberPlayer(key: Pick<PlayerKey, 'merchantId' | 'playerId'>, player: RememberedPlayer): void {
    const { playerNo, playCount, balance, nextExpiry } = player
    this.#players.set(playerName(key), { playerNo, playCount, balance, nextExpiry })
  }

  /** A play that was refused takes the transaction next time, which gives the reason. */
  rememberVerdict(order: PlayOrder, verdict: PlayVerdict): void {
    if (verdict.outcome === 'refused') this.#players.delete(playerName(order))
    else this.rememberPlayer(order, { ...verdict.player, nextExpiry: nextExpiryOf(verdict.player) })
  }

  rememberStock(
    { order, segment }: Pick<DrawnPlay, 'order' | 'segment'>,
    stock: PrizeStock | undefined,
    now: Date,
  ): void {
    if (stock === undefined) return
    this.#rooms.set(stockName(stock), roomOf(stock, segment, localDay(order.wheel.document, now)))
  }

  /**
   * The results of those plays that one statement can carry out: each of another player, with a new id and the expected
   * commitment, and a prize that needs no more than stock.
   */
  foresee(orders: readonly PlayOrder[], state: PlayState): PlayResult[] {
    const names = new Set<string>()
    return orders.flatMap((order) => {
      const isNew = this.#playIds.add(`${order.merchantId}:${order.playerId}:${order.playId}`)
      const name = playerName(order)
      if (!isNew || names.has(name)) return []
      const result = this.#foreseeOne(order, state)
      if (result === undefined) return []
      names.add(name)
      return [result]
    })
  }

  #foreseeOne(order: PlayOrder, state: PlayState): PlayResult | undefined {
    // Plays of other campaigns take the transaction, which reads their purses; forced plays, because it marks them.
    if (!isMain(order.wheel.campaign) || forcedOutcome(order) !== undefined) return undefined
    // It also collects free spins.
    if (order.wheel.freeSpins !== undefined) return undefined
    const known = this.#players.get(playerName(order))
    // So do those of players with lots.
    if (known === undefined || known.nextExpiry !== null) return undefined
    if (refusalOfPlay(order, known, state.now) !== undefined) return undefined
    const drawnPlay = drawPlay(order, expectedPlayer(order, known), state.seedKeys)
    if (drawnPlay === undefined || needsMoreThanStock(drawnPlay.segment) || meetsGates(drawnPlay, state.now))
      return undefined
    const result = settle(drawnPlay, unlimited(drawnPlay), state.now)
    return result.play.fallbackReason === null && this.#takeRoom(drawnPlay) ? result : undefined
  }

  #takeRoom(drawnPlay: DrawnPlay): boolean {
    if (!isLimited(drawnPlay.segment)) return true
    const name = stockName(prizeKey(drawnPlay))
    const room = this.#rooms.get(name) ?? 0
    if (room < 1) return false
    this.#rooms.set(name, room - 1)
    return true
  }
}

function needsMoreThanStock({ prize, limitPerPlayer, hold }: WheelSegment): boolean {
  return prize.kind === 'pool' || prize.kind === 'spins' || limitPerPlayer !== undefined || hold !== undefined
}

/** The statement fills in balance and entry number. */
function expectedPlayer({ shard, merchantId, playerId }: PlayOrder, known: RememberedPlayer): LockedPlayer {
  const { playerNo, playCount, balance } = known
  const rest = {
    entryCount: 0,
    grantedDay: 0,
    grantedDayTotal: 0,
    isBlocked: false,
    linksValidFrom: null,
    nextExpiry: null,
  }
  return { shard, merchantId, playerId, playerNo, playCount, balance, ...rest }
}

/** A stock without limits: the statement checks the real one. */
function unlimited(drawnPlay: DrawnPlay): PlayLimits {
  const key = prizeKey(drawnPlay)
  const stock = { ...key, stock: null, given: 0, day: 0, dayGiven: 0 }
  return { stocks: new Map([[stockName(key), stock]]), pools: none, runs: none, playerPrizes: none }
}

const none = new Map<string, never>()

/** How many units can be given at once. The one that makes the stock low, and all later ones, take the transaction. */
function roomOf(stock: PrizeStock, { stockPerDay }: WheelSegment, today: number): number {
  const { stock: units, given } = stock
  const inAll = units === null ? Infinity : units - given - Math.floor(units * lowStockShare) - 1
  const ofToday = stockPerDay === undefined ? Infinity : stockPerDay - givenToday(stock, today)
  return Math.min(inAll, ofToday)
}
