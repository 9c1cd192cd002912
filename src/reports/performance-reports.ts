import { exactCost } from '../currency.ts'
import type { Queryable } from '../db/database.ts'
import { readFigures, type ReportScope } from './counts-by-day.ts'
import type { ReportDay } from './report-days.ts'
import { readVisitsByDay } from './visit-days.ts'

/** What can be said of a wheel as well as of a whole merchant. Spins and new players belong to no wheel. */
type Performance = typeof nothing
type PerformanceDay = Performance & { day: string }

export async function reportPerformance(
  db: Queryable,
  scope: ReportScope,
  days: readonly ReportDay[],
): Promise<PerformanceDay[]> {
  const [counted, visits] = await Promise.all([
    readFigures(db, scope, days),
    readVisitsByDay(db, scope, days),
  ])
  const reports = new Map(days.map(({ day }): [string, PerformanceDay] => [day, { day, ...nothing }]))
  const on = (day: string) => reports.get(day) as PerformanceDay
  for (const row of counted) Object.assign(on(row.day), row)
  for (const { day, opened } of visits) on(day).visits = opened
  return [...reports.values()]
}

export function totalOf(days: readonly Performance[]): Performance {
  const total = { ...nothing }
  for (const day of days) for (const name of figures) total[name] += day[name]
  total.cost = days.reduce((sum, { cost }) => exactCost(sum + cost), 0)
  return total
}

const nothing = {
  visits: 0,
  plays: 0,
  wins: 0,
  fallbacks: 0,
  cost: 0,
  claimed: 0,
  redeemed: 0,
  cancelled: 0,
  expired: 0,
  reversed: 0,
  held: 0,
  refused: 0,
}

const figures = Object.keys(nothing) as (keyof Performance)[]
