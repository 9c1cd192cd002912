import { type FallbackReason, fallbackReasons } from '../fairness/fallback-reasons.ts'
import { forecastPlaysAtOnce, forecastRunsMax, forecastRunsMin } from '../limits.ts'
import type { WheelDocument } from '../wheel-document/wheel-document.ts'
import { expectedDays } from './expected-days.ts'
import { seededRandom } from './random.ts'
import { type Run, simulateRuns, stockAtStart, type StockFacts } from './simulate-runs.ts'

export type ForecastOrder = {
  wheel: WheelDocument
  facts: StockFacts
  start: Date
  days: number
  playsPerDay: number
  spinsPerPlayer: number
}

/** The mean over all runs. Nine of ten runs are between `low` and `high`. */
type Range = { expected: number; low: number; high: number }

export type Forecast = {
  runs: number
  plays: number
  cost: Range
  days: { day: string; plays: number; cost: number }[]
  prizes: PrizeForecast[]
}

type PrizeForecast = {
  id: string
  label: string
  /** How often the wheel stops there, fallbacks included. All prizes together are all plays. */
  given: Range
  /** How often it is drawn and can't be given. */
  fallbacks: number
  /** Why it can't be given, the most frequent reason first. */
  reasons: { reason: FallbackReason; count: number }[]
  cost: Range
  /** Null for a prize that can't run out. */
  stock: { atStart: number; left: Range; byDay: Range[]; runsOut: RunOut } | null
}

/** When a stock is used up. `share`: in how many of all runs, from 0 to 1. The days are those of these runs. */
type RunOut = { share: number; expected: string | null; earliest: string | null; latest: string | null }

/** Simulates a wheel many times. The more plays a run has, the fewer runs are needed, and done. */
export function forecastWheel(order: ForecastOrder): Forecast {
  const { wheel, facts, spinsPerPlayer } = order
  const days = expectedDays(wheel, order)
  const plays = days.reduce((sum, day) => sum + day.plays, 0)
  const count = Math.floor(forecastPlaysAtOnce / Math.max(plays, 1))
  const runs = Math.min(Math.max(count, forecastRunsMin), forecastRunsMax)
  const results = simulateRuns(wheel, days, facts, { runs, spinsPerPlayer, random: seededRandom(1) })
  const atStart = stockAtStart(wheel, facts)
  return {
    runs,
    plays,
    cost: rangeOf(results.map((run) => run.days.reduce((sum, { cost }) => sum + cost, 0))),
    days: days.map(({ day, plays: expected }, place) => ({
      day,
      plays: expected,
      cost: mean(results.map((run) => run.days[place]?.cost ?? 0)),
    })),
    prizes: wheel.segments.map(({ id, label, cost = 0 }, segment) => {
      const given = results.map((run) => run.given[segment] as number)
      const start = atStart[segment] ?? null
      return {
        id,
        label,
        given: rangeOf(given),
        fallbacks: mean(results.map((run) => run.fallbacks[segment] as number)),
        reasons: reasonsOf(results, segment),
        cost: rangeOf(given.map((number) => number * cost)),
        stock:
          start === null
            ? null
            : stockOf(results, { segment, atStart: start, days: days.map(({ day }) => day) }),
      }
    }),
  }
}

function reasonsOf(results: readonly Run[], segment: number): PrizeForecast['reasons'] {
  return fallbackReasons
    .map((reason) => ({ reason, count: mean(results.map((run) => run.reasons[segment]?.get(reason) ?? 0)) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
}

function stockOf(
  results: readonly Run[],
  { segment, atStart, days }: { segment: number; atStart: number; days: readonly string[] },
): PrizeForecast['stock'] {
  const left = (run: Run, place: number) => run.days[place]?.left[segment] ?? atStart
  const byDay = days.map((_, place) => rangeOf(results.map((run) => left(run, place))))
  const ends = results
    .map((run) => days.findIndex((_, place) => left(run, place) === 0))
    .filter((place) => place >= 0)
    .toSorted((one, other) => one - other)
  const dayAt = (share: number) => days[quantile(ends, share) ?? -1] ?? null
  const runsOut = {
    share: ends.length / results.length,
    expected: dayAt(0.5),
    earliest: dayAt(0.05),
    latest: dayAt(0.95),
  }
  return { atStart, left: byDay.at(-1) ?? rangeOf([atStart]), byDay, runsOut }
}

function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((one, other) => one - other)
  return { expected: mean(values), low: quantile(sorted, 0.05) ?? 0, high: quantile(sorted, 0.95) ?? 0 }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.round((sorted.length - 1) * share)]
}
