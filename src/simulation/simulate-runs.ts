import { segmentOf, weightTotal } from '../fairness/draw.ts'
import type { FallbackReason } from '../fairness/fallback-reasons.ts'
import { isActive } from '../fairness/pace.ts'
import { leftOf, takeFromStock, whyNot } from '../plays/prize-availability.ts'
import { isLimited, type PrizeStock } from '../stock/prize-stocks.ts'
import { localDay } from '../wheel-document/schedule.ts'
import type { WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'
import type { ExpectedDay } from './expected-days.ts'
import {
  centsOf,
  type GivenInRuns,
  hasReleased,
  isInLastCall,
  type Release,
  releaseOfBudget,
  releaseOfPace,
} from './releases.ts'

/** What is given out already, and how many codes are left. Limits of the wheel count from there. */
export type StockFacts = {
  stocks: readonly Pick<PrizeStock, 'prizeId' | 'given' | 'day' | 'dayGiven'>[]
  pools: readonly { pool: string; uploaded: number; taken: number }[]
  given?: GivenInRuns
}

/** One possible future. Arrays have a place for each segment. */
export type Run = {
  /** How often the wheel stopped there, fallbacks included. */
  given: number[]
  /** How often it was drawn and could not be given. */
  fallbacks: number[]
  /** How often for each reason. */
  reasons: Map<FallbackReason, number>[]
  /** By day: the cost, and the stock that is left in the evening; null for a prize without a stock. */
  days: { cost: number; left: (number | null)[] }[]
}

type RunOptions = { runs: number; spinsPerPlayer: number; random: () => number }

/**
 * Plays every play of the days by the rules of the game, as often as there are runs: the draw is that of
 * src/fairness/draw.ts, with a random number in the place of the seeds, and the limits are those of
 * src/plays/prize-availability.ts. Each player plays `spinsPerPlayer` times and does not come back.
 */
export function simulateRuns(
  wheel: WheelDocument,
  days: readonly ExpectedDay[],
  facts: StockFacts,
  options: RunOptions,
): Run[] {
  const running = Array.from({ length: options.runs }, () => startRun(wheel, facts))
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
type Running = Run & {
  places: Place[]
  budget: Release | undefined
  wonByPlayer: number[]
  spinsLeft: number
  givenBefore: number[]
}

type Game = { wheel: WheelDocument; weights: number[]; total: number; fallback: number }

function startRun(wheel: WheelDocument, facts: StockFacts): Running {
  const none = () => wheel.segments.map(() => 0)
  const reasons = wheel.segments.map(() => new Map<FallbackReason, number>())
  const counts = { given: none(), fallbacks: none(), reasons, wonByPlayer: none(), givenBefore: none() }
  const limits = { places: makePlaces(wheel, facts), budget: releaseOfBudget(wheel, facts.given) }
  return { ...counts, ...limits, spinsLeft: 0, days: [] }
}

function playTime(
  { wheel, weights, total, fallback }: Game,
  run: Running,
  { at, plays }: ExpectedDay['times'][number],
  { spinsPerPlayer, random }: RunOptions,
): void {
  const { places, given, fallbacks, reasons, wonByPlayer } = run
  const whyNotGiven = (index: number): FallbackReason | undefined => {
    const { segment, isAlwaysThere, stock, pool, release } = places[index] as Place
    const limits = { stock, pool, wonByPlayer: wonByPlayer[index] as number, balance: 0 }
    if (release !== undefined && !hasReleased(release, 1, at.getTime()))
      return isActive(release.spans, at.getTime()) ? 'not_released' : 'not_winnable_now'
    const cents = centsOf(segment.cost ?? 0)
    if (run.budget !== undefined && cents > 0 && !hasReleased(run.budget, cents, at.getTime()))
      return 'budget'
    return isAlwaysThere ? undefined : whyNot(wheel, segment, limits, at)
  }
  for (let play = 0; play < plays; play++) {
    if (run.spinsLeft-- === 0) {
      wonByPlayer.fill(0)
      run.spinsLeft = spinsPerPlayer - 1
    }
    const drawn = segmentOf(weights, Math.floor(random() * total))
    const called =
      drawn === fallback ? places.findIndex((place, index) => isCalled(place, at) && !whyNotGiven(index)) : -1
    const chosen = called === -1 ? drawn : called
    const reason = whyNotGiven(chosen)
    if (reason === undefined) {
      add(given, chosen)
      add(wonByPlayer, chosen)
      take(run, places[chosen] as Place, localDay(wheel, at))
    } else {
      add(fallbacks, drawn)
      const counts = reasons[drawn] as Map<FallbackReason, number>
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      add(given, fallback)
    }
  }
}

/** In its last call, a prize is also given to plays that draw the fallback. */
function isCalled({ release }: Place, at: Date): boolean {
  return release !== undefined && isInLastCall(release, at.getTime())
}

function take({ budget }: Running, { segment, stock, pool, release }: Place, day: number): void {
  if (stock !== undefined) takeFromStock(stock, day)
  if (pool !== undefined) pool.taken++
  if (release !== undefined) release.given++
  if (budget !== undefined) budget.given += centsOf(segment.cost ?? 0)
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
  release: Release | undefined
}

/** The segments with stocks and pools of their own, which a run may change. Segments with the same pool share it. */
function makePlaces(wheel: WheelDocument, facts: StockFacts): Place[] {
  const pools = new Map(facts.pools.map(({ pool, ...counts }) => [pool, counts]))
  return wheel.segments.map((segment) => {
    const { id, prize, limitPerPlayer, winnableFrom, winnableUntil } = segment
    const known = facts.stocks.find(({ prizeId }) => prizeId === id)
    const counts = known ?? { prizeId: id, given: 0, day: 0, dayGiven: 0 }
    const stock = isLimited(segment)
      ? { merchantId: 0, wheelId: 0, ...counts, stock: segment.stock ?? null }
      : undefined
    const pool = prize.pool === undefined ? undefined : pools.get(prize.pool)
    const limits = [stock, prize.pool, limitPerPlayer, winnableFrom, winnableUntil]
    const isAlwaysThere = limits.every((limit) => limit === undefined)
    return { segment, isAlwaysThere, stock, pool, release: releaseOfPace(wheel, segment, facts.given) }
  })
}

/** The stock that is left of each prize; null for a prize without one. */
export function stockAtStart(wheel: WheelDocument, facts: StockFacts): (number | null)[] {
  return stockLeft(makePlaces(wheel, facts))
}

function stockLeft(places: readonly Place[]): (number | null)[] {
  return places.map(({ stock, pool, release }) =>
    release === undefined ? (leftOf(stock, pool)?.count ?? null) : release.units - release.given,
  )
}

function add(counts: number[], index: number): void {
  counts[index] = (counts[index] as number) + 1
}
