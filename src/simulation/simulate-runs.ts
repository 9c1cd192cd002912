import { segmentOf, weightTotal } from '../fairness/draw.ts'
import { leftOf, takeFromStock, whyNot } from '../plays/prize-availability.ts'
import { isLimited, type PrizeStock } from '../stock/prize-stocks.ts'
import { localDay } from '../wheels/schedule.ts'
import type { WheelDocument, WheelSegment } from '../wheels/wheel-document.ts'
import type { ExpectedDay } from './expected-days.ts'

/** What is given out already, and how many codes are left. Limits of the wheel count from there. */
export type StockFacts = {
  stocks: readonly Pick<PrizeStock, 'prizeId' | 'given' | 'day' | 'dayGiven'>[]
  pools: readonly { pool: string; uploaded: number; taken: number }[]
}

/** One possible future. Arrays have a place for each segment. */
export type Run = {
  /** How often the wheel stopped there, fallbacks included. */
  given: number[]
  /** How often it was drawn and could not be given. */
  fallbacks: number[]
  /** By day: the cost, and the stock that is left in the evening; null for a prize without a stock. */
  days: { cost: number; left: (number | null)[] }[]
}

type RunOptions = { runs: number; spinsPerPlayer: number; random: () => number }

/**
 * Plays every play of the days by the rules of the game, as often as there are runs: the draw is that of src/plays/draw.ts,
 * with a random number in the place of the seeds, and the limits are those of src/plays/prize-availability.ts. Each player
 * plays `spinsPerPlayer` times and does not come back.
 */
export function simulateRuns(
  wheel: WheelDocument,
  days: readonly ExpectedDay[],
  facts: StockFacts,
  options: RunOptions,
): Run[] {
  const running = Array.from({ length: options.runs }, () => startRun(wheel.segments, facts))
  const weights = wheel.segments.map(({ weight }) => weight)
  const fallback = wheel.segments.findIndex(({ id }) => id === wheel.fallback)
  const game = { wheel, weights, total: weightTotal(weights), fallback }
  // All runs play one time of the day before the next one, because to find the day in a time zone takes long.
  for (const { times } of days) {
    for (const time of times) for (const run of running) playTime(game, run, time, options)
    for (const run of running) endDay(wheel.segments, run)
  }
  return running
}

/** A run and what it needs to go on. Arrays have a place for each segment. */
type Running = Run & { places: Place[]; wonByPlayer: number[]; spinsLeft: number; givenBefore: number[] }

type Game = { wheel: WheelDocument; weights: number[]; total: number; fallback: number }

function startRun(segments: readonly WheelSegment[], facts: StockFacts): Running {
  const none = () => segments.map(() => 0)
  const counts = { given: none(), fallbacks: none(), wonByPlayer: none(), givenBefore: none() }
  return { ...counts, places: makePlaces(segments, facts), spinsLeft: 0, days: [] }
}

function playTime(
  { wheel, weights, total, fallback }: Game,
  run: Running,
  { at, plays }: ExpectedDay['times'][number],
  { spinsPerPlayer, random }: RunOptions,
): void {
  const { places, given, fallbacks, wonByPlayer } = run
  for (let play = 0; play < plays; play++) {
    if (run.spinsLeft-- === 0) {
      wonByPlayer.fill(0)
      run.spinsLeft = spinsPerPlayer - 1
    }
    const drawn = segmentOf(weights, Math.floor(random() * total))
    const { segment, isAlwaysThere, stock, pool } = places[drawn] as Place
    const limits = { stock, pool, wonByPlayer: wonByPlayer[drawn] as number, balance: 0 }
    if (isAlwaysThere || whyNot(wheel, segment, limits, at) === undefined) {
      add(given, drawn)
      add(wonByPlayer, drawn)
      if (stock !== undefined) takeFromStock(stock, localDay(wheel, at))
      if (pool !== undefined) pool.taken++
    } else {
      add(fallbacks, drawn)
      add(given, fallback)
    }
  }
}

function endDay(segments: readonly WheelSegment[], run: Running): void {
  const { given, givenBefore, places } = run
  const costs = segments.map(
    ({ cost = 0 }, at) => cost * ((given[at] as number) - (givenBefore[at] as number)),
  )
  run.days.push({ cost: costs.reduce((sum, cost) => sum + cost, 0), left: stockLeft(places) })
  run.givenBefore = [...given]
}

type Place = {
  segment: WheelSegment
  isAlwaysThere: boolean
  stock: PrizeStock | undefined
  pool: { uploaded: number; taken: number } | undefined
}

/** The segments with stocks and pools of their own, which a run may change. Segments with the same pool share it. */
function makePlaces(segments: readonly WheelSegment[], facts: StockFacts): Place[] {
  const pools = new Map(facts.pools.map(({ pool, ...counts }) => [pool, counts]))
  return segments.map((segment) => {
    const { id, prize, limitPerPlayer, winnableFrom, winnableUntil } = segment
    const known = facts.stocks.find(({ prizeId }) => prizeId === id)
    const counts = known ?? { prizeId: id, given: 0, day: 0, dayGiven: 0 }
    const stock = isLimited(segment)
      ? { merchantId: 0, wheelId: 0, ...counts, stock: segment.stock ?? null }
      : undefined
    const pool = prize.pool === undefined ? undefined : pools.get(prize.pool)
    const limits = [stock, prize.pool, limitPerPlayer, winnableFrom, winnableUntil]
    return { segment, isAlwaysThere: limits.every((limit) => limit === undefined), stock, pool }
  })
}

/** The stock that is left of each prize; null for a prize without one. */
export function stockAtStart(segments: readonly WheelSegment[], facts: StockFacts): (number | null)[] {
  return stockLeft(makePlaces(segments, facts))
}

function stockLeft(places: readonly Place[]): (number | null)[] {
  return places.map(({ stock, pool }) => leftOf(stock, pool)?.count ?? null)
}

function add(counts: number[], index: number): void {
  counts[index] = (counts[index] as number) + 1
}
