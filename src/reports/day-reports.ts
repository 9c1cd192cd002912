import { type Queryable, statement } from '../db/database.ts'
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
  newPlayers: number
  claimed: number
  redeemed: number
  cancelled: number
  expired: number
  /** Redemptions that were taken back. They stay counted in `redeemed`. */
  reversed: number
}

/** Activity per day, from the counts of count-activity.ts. */
export async function reportDays(
  db: Queryable,
  merchantId: number,
  days: readonly ReportDay[],
): Promise<DayReport[]> {
  const range = [merchantId, days.map(({ from }) => from), days.map(({ to }) => to)]
  const [activity, plays, settlements] = await Promise.all([
    db.query(activityByDay, range),
    db.query(playsByDay, range),
    db.query(settlementsByDay, range),
  ])
  const reports = days.map(({ day }): DayReport => ({ day, ...nothing }))
  for (const row of plays) {
    const report = reports[row.place - 1] as DayReport
    report.plays += row.plays
    report.wins += row.wins
    report.cost += row.cost
  }
  for (const row of activity) {
    const report = reports[row.place - 1] as DayReport
    if (row.kind === 'player') report.newPlayers += row.count
    if (row.kind === 'grant' || row.kind === 'initial') {
      report.grants += row.count
      report.spinsGranted += row.spins
    }
    if (row.kind === 'play') report.spinsSpent -= row.spins
    if (row.kind === 'prize') report.spinsWon += row.spins
    if (row.kind === 'correction') report.spinsCorrected += row.spins
    if (row.kind === 'expiry') report.spinsExpired -= row.spins
  }
  for (const row of settlements) (reports[row.place - 1] as DayReport)[row.state] += row.settlements
  return reports
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
  newPlayers: 0,
  claimed: 0,
  redeemed: 0,
  cancelled: 0,
  expired: 0,
  reversed: 0,
}

const overDays = (table: string) => `
from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as day (start_at, end_at, place)
join ${table}
  on ${table}.merchant_id = $1
  and ${table}.quarter >= day.start_at
  and ${table}.quarter < day.end_at`

const activityByDay = statement<{ place: number; kind: string; count: number; spins: number }>(`
select day.place, kind, sum(count)::bigint as count, sum(spins)::bigint as spins
${overDays('activity_counts')}
group by day.place, kind`)

const playsByDay = statement<{ place: number; plays: number; wins: number; cost: number }>(`
select
  counted.place,
  sum(plays)::bigint as plays,
  coalesce(sum(plays) filter (where kind <> 'none'), 0)::bigint as wins,
  coalesce(sum(plays * cost), 0)::double precision as cost
from (
  select day.place, wheel_id, wheel_version, segment, sum(plays) as plays
  ${overDays('play_counts')}
  group by day.place, wheel_id, wheel_version, segment
) as counted
join version_segments
  on version_segments.wheel_id = counted.wheel_id
  and version_segments.version = counted.wheel_version
  and version_segments.segment = counted.segment
group by counted.place`)

const settlementsByDay = statement<{
  place: number
  state: 'claimed' | 'redeemed' | 'cancelled' | 'expired' | 'reversed'
  settlements: number
}>(`
select day.place, state, sum(settlements)::bigint as settlements
${overDays('settlement_counts')}
group by day.place, state`)
