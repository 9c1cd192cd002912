import type { Queryable } from '../db/database.ts'
import { readActivity, readFigures } from './counts-by-day.ts'
import type { ReportDay } from './report-days.ts'

type DayReport = {
  day: string
  plays: number
  wins: number
  cost: number
  grants: number
  spinsGranted: number
  spinsSpent: number
  spinsWon: number
  spinsCorrected: number
  spinsExpired: number
  /** Free spins that were collected. */
  spinsFree: number
  newPlayers: number
  claimed: number
  redeemed: number
  cancelled: number
  expired: number
  /** Redemptions that were taken back. They stay counted in `redeemed`. */
  reversed: number
  /** Prizes that staff had to check, whatever they decided. */
  held: number
  refused: number
}

/** Activity per day, from the counts of count-activity.ts. */
export async function reportDays(
  db: Queryable,
  merchantId: number,
  days: readonly ReportDay[],
): Promise<DayReport[]> {
  const [activity, figures] = await Promise.all([
    readActivity(db, merchantId, days),
    readFigures(db, { merchantId, wheelId: null, campaignId: null }, days),
  ])
  const reports = new Map(days.map(({ day }): [string, DayReport] => [day, { day, ...nothing }]))
  const on = (day: string) => reports.get(day) as DayReport
  for (const { fallbacks: _fallbacks, ...row } of figures) Object.assign(on(row.day), row)
  for (const row of activity) {
    const report = on(row.day)
    if (row.kind === 'player') report.newPlayers += row.count
    if (row.kind === 'grant' || row.kind === 'initial') {
      report.grants += row.count
      report.spinsGranted += row.spins
    }
    if (row.kind === 'play') report.spinsSpent -= row.spins
    if (row.kind === 'prize') report.spinsWon += row.spins
    if (row.kind === 'correction') report.spinsCorrected += row.spins
    if (row.kind === 'expiry') report.spinsExpired -= row.spins
    if (row.kind === 'free') report.spinsFree += row.spins
  }
  return [...reports.values()]
}

const nothing = {
  plays: 0,
  wins: 0,
  cost: 0,
  grants: 0,
  spinsGranted: 0,
  spinsSpent: 0,
  spinsWon: 0,
  spinsCorrected: 0,
  spinsExpired: 0,
  spinsFree: 0,
  newPlayers: 0,
  claimed: 0,
  redeemed: 0,
  cancelled: 0,
  expired: 0,
  reversed: 0,
  held: 0,
  refused: 0,
}
