import { type Queryable, statement } from '../db/database.ts'
import { splitDays } from './close-days.ts'
import { addedFigures, type Figures, sumFigures } from './figures-sql.ts'
import type { ReportDay } from './report-days.ts'

/** The plays that a report is about: of a merchant, or of one of its wheels or campaigns. Campaign 0 is `main`. */
export type ReportScope = { merchantId: number; wheelId: number | null; campaignId: number | null }

type ActivityOfDay = { day: string; kind: string; count: number; spins: number }

/** What was counted on each of these days. Days on which nothing happened are missing. */
export async function readFigures(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<(Figures & { day: string })[]> {
  const { closed, open } = await splitDays(db, merchantId, days)
  const scope = [merchantId, wheelId, campaignId]
  const ofClosed = [...scope, closed[0]?.day ?? null, closed.at(-1)?.day ?? null]
  return bothOf(db.query(closedFigures, ofClosed), db.query(openFigures, [...scope, ...columnsOf(open)]))
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

const ofScope = `
  where merchant_id = $1
  and ($2::int is null or wheel_id = $2)
  and ($3::int is null or campaign_id = $3)`

const closedFigures = statement<Figures & { day: string }>(`
select day::text, ${addedFigures}
from campaign_days
${ofScope}
and day between $4::date and $5::date
group by day`)

const onOpenDays = (table: string, columns: string, count: string) => `
  select day.day, ${columns}, sum(${count}) as ${count}
  from unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) as day (day, start_at, end_at)
  cross join lateral (
    select *
    from ${table}
    ${ofScope}
    and quarter >= day.start_at
    and quarter < day.end_at
    offset 0
  ) as quarters
  group by day.day, ${columns}`

const openFigures = statement<Figures & { day: string }>(
  sumFigures('day', {
    plays: onOpenDays('play_counts', 'wheel_id, wheel_version, drawn, segment', 'plays'),
    settlements: onOpenDays('settlement_counts', 'state', 'settlements'),
  }),
)
