import { type Queryable, statement } from '../db/database.ts'
import type { PrizeState } from '../prizes/prize-settlements.ts'
import { splitDays } from './close-days.ts'
import type { ReportDay } from './report-days.ts'

/** The plays that a report is about: those of a merchant, or of one of its wheels. */
export type ReportScope = { merchantId: number; wheelId: number | null }

type ActivityOfDay = { day: string; kind: string; count: number; spins: number }
type PlaysOfDay = { day: string; plays: number; wins: number; fallbacks: number; cost: number }
type SettlementsOfDay = { day: string; state: Exclude<PrizeState, 'won'>; settlements: number }

/** What was counted on each of these days. Days on which nothing happened are missing. */
export async function readCounts(
  db: Queryable,
  { merchantId, wheelId }: ReportScope,
  days: readonly ReportDay[],
) {
  const { closed, open } = await splitDays(db, merchantId, days)
  const ofClosed = [merchantId, wheelId, closed[0]?.day ?? null, closed.at(-1)?.day ?? null]
  const ofOpen = [merchantId, wheelId, ...columnsOf(open)]
  const [plays, settlements] = await Promise.all([
    bothOf(db.query(closedPlays, ofClosed), db.query(openPlays, ofOpen)),
    bothOf(db.query(closedSettlements, ofClosed), db.query(openSettlements, ofOpen)),
  ])
  return { plays, settlements }
}

/** Entries and new players of each of these days. They belong to no wheel. */
export async function readActivity(
  db: Queryable,
  merchantId: number,
  days: readonly ReportDay[],
): Promise<ActivityOfDay[]> {
  const { closed, open } = await splitDays(db, merchantId, days)
  const ofClosed = [merchantId, closed[0]?.day ?? null, closed.at(-1)?.day ?? null]
  return bothOf(db.query(closedActivity, ofClosed), db.query(openActivity, [merchantId, ...columnsOf(open)]))
}

function columnsOf(days: readonly ReportDay[]): [day: string[], from: Date[], to: Date[]] {
  return [days.map(({ day }) => day), days.map(({ from }) => from), days.map(({ to }) => to)]
}

async function bothOf<Row>(closed: Promise<Row[]>, open: Promise<Row[]>): Promise<Row[]> {
  return (await Promise.all([closed, open])).flat()
}

const closedActivity = statement<ActivityOfDay>(`
select day::text, kind, count, spins
from activity_days
where merchant_id = $1
and day between $2::date and $3::date`)

// `offset 0` keeps the planner from reading all quarters of the merchant first, and looking for their days afterwards.
const openActivity = statement<ActivityOfDay>(`
select day.day, kind, sum(count)::bigint as count, sum(spins)::bigint as spins
from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as day (day, start_at, end_at)
cross join lateral (
  select kind, count, spins
  from activity_counts
  where merchant_id = $1
  and quarter >= day.start_at
  and quarter < day.end_at
  offset 0
) as counted
group by day.day, kind`)

const playFigures = `
  sum(plays)::bigint as plays,
  coalesce(sum(plays) filter (where kind <> 'none'), 0)::bigint as wins,
  coalesce(sum(plays) filter (where drawn <> counted.segment), 0)::bigint as fallbacks,
  coalesce(sum(plays * cost), 0)::double precision as cost`

const withSegments = `
join version_segments
  on version_segments.wheel_id = counted.wheel_id
  and version_segments.version = counted.wheel_version
  and version_segments.segment = counted.segment`

const closedDays = (table: string) => `
from ${table}
where merchant_id = $1
and ($2::int is null or wheel_id = $2)
and day between $3::date and $4::date`

const openDays = (table: string) => `
from unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) as day (day, start_at, end_at)
cross join lateral (
  select *
  from ${table}
  where merchant_id = $1
  and quarter >= day.start_at
  and quarter < day.end_at
  and ($2::int is null or wheel_id = $2)
  offset 0
) as quarters`

const closedPlays = statement<PlaysOfDay>(`
select day::text, ${playFigures}
from (
  select *
  ${closedDays('play_days')}
) as counted
${withSegments}
group by day`)

const openPlays = statement<PlaysOfDay>(`
select day, ${playFigures}
from (
  select day.day, wheel_id, wheel_version, drawn, segment, sum(plays) as plays
  ${openDays('play_counts')}
  group by day.day, wheel_id, wheel_version, drawn, segment
) as counted
${withSegments}
group by day`)

const closedSettlements = statement<SettlementsOfDay>(`
select day::text, state, sum(settlements)::bigint as settlements
${closedDays('settlement_days')}
group by day, state`)

const openSettlements = statement<SettlementsOfDay>(`
select day.day, state, sum(settlements)::bigint as settlements
${openDays('settlement_counts')}
group by day.day, state`)
