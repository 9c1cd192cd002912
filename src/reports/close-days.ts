import { type Queryable, statement } from '../db/database.ts'
import { closedDaysAtOnce, closedMerchantsAtOnce } from '../limits.ts'
import { closeMonths, forgetMonths, reopenMonths } from './close-months.ts'
import { figureNames, sumFigures } from './figures-sql.ts'
import { type ReportDay, splitMonths, dayAfter } from './report-days.ts'

/**
 * Sums the quarters of days that are over, up to the time `counted`, for merchants that have such days, or for one
 * whose clock is ahead. Called by the one process that counts, in its transaction. If a merchant's time zone has
 * changed, its days are summed again.
 */
export async function closeDays(tx: Queryable, counted: Date, only: number | null): Promise<void> {
  const moved = await tx.query(forgetOldZones)
  if (moved.length > 0) {
    const merchantIds = moved.map(({ merchantId }) => merchantId)
    for (const forget of forgetMerchants) await tx.query(forget, [merchantIds])
    await forgetMonths(tx, merchantIds)
  }
  const due = await tx.query(readDue, [counted, only])
  if (due.length === 0) return
  const columns = [
    due.map(({ merchantId }) => merchantId),
    due.map(({ timeZone }) => timeZone),
    due.map(({ since }) => since),
    due.map(({ until }) => until),
  ]
  for (const sum of [sumActivity, sumPlays, sumSettlements, sumCampaigns]) await tx.query(sum, columns)
  await closeMonths(tx, due)
  await tx.query(setClosed, [columns[0], columns[1], columns[3]])
}

/** Opens the days from `start` on again, because their quarters will change. */
export async function reopenDays(tx: Queryable, start: Date): Promise<void> {
  await tx.query(moveBack, [start])
  for (const forget of forgetDays) await tx.query(forget)
  await reopenMonths(tx)
}

/** The days of a report whose counts are summed already, and the others. */
export async function splitDays(
  db: Queryable,
  merchantId: number,
  days: readonly ReportDay[],
): Promise<{ closed: ReportDay[]; open: ReportDay[] }> {
  const [row] = await db.query(readClosed, [merchantId])
  const isClosed = ({ day }: ReportDay) => row !== undefined && day <= row.until
  return { closed: days.filter(isClosed), open: days.filter((day) => !isClosed(day)) }
}

/** The time of a report by what it is summed in: whole months, other days that are over, and quarters of an hour. */
export type Spans = Record<(typeof spanNames)[number], { from: string | Date; to: string | Date }[]>
export const spanNames = ['months', 'days', 'quarters'] as const

export async function readSpans(
  db: Queryable,
  merchantId: number,
  days: readonly ReportDay[],
): Promise<Spans> {
  const { closed, open } = await splitDays(db, merchantId, days)
  const spans: Spans = { months: [], days: [], quarters: [] }
  const [first, last] = [closed[0], closed.at(-1)]
  if (first !== undefined && last !== undefined)
    Object.assign(spans, splitMonths({ from: first.day, to: dayAfter(last.day) }))
  const [next, newest] = [open[0], open.at(-1)]
  if (next !== undefined && newest !== undefined) spans.quarters.push({ from: next.from, to: newest.to })
  return spans
}

const forgetOldZones = statement<{ merchantId: number }>(`
delete from closed_days
using merchants
where merchants.merchant_id = closed_days.merchant_id
and merchants.time_zone <> closed_days.time_zone
returning closed_days.merchant_id as "merchantId"`)

const dayTables = ['activity_days', 'play_days', 'settlement_days', 'campaign_days']

const forgetMerchants = dayTables.map((table) =>
  statement(`
delete from ${table}
where merchant_id = any ($1::int[])`),
)

/** Days before the first count need not be summed. Counts can be older than the merchant, as those of a demo are. */
const readDue = statement<{ merchantId: number; timeZone: string; since: string; until: string }>(`
select
  merchant_id as "merchantId",
  time_zone as "timeZone",
  since::text,
  least(since + ${closedDaysAtOnce}, yesterday)::text as until
from (
  select
    merchants.merchant_id,
    merchants.time_zone,
    ($1::timestamptz at time zone merchants.time_zone)::date - 1 as yesterday,
    coalesce(closed_days.until, (first.quarter at time zone merchants.time_zone)::date - 1) as since
  from merchants
  left join closed_days using (merchant_id)
  cross join lateral (
    select min(quarter) as quarter
    from activity_counts
    where activity_counts.merchant_id = merchants.merchant_id
  ) as first
  where case when $2::int is null then coalesce(clock_ahead_ms, 0) = 0 else merchants.merchant_id = $2 end
) as merchant
where since < yesterday
order by merchant_id
limit ${closedMerchantsAtOnce}`)

const overQuarters = (table: string) => `
from unnest($1::int[], $2::text[], $3::date[], $4::date[]) as due (merchant_id, time_zone, since, until)
join ${table}
  on ${table}.merchant_id = due.merchant_id
  and ${table}.quarter >= (due.since + 1)::timestamp at time zone due.time_zone
  and ${table}.quarter < (due.until + 1)::timestamp at time zone due.time_zone`
const dayOf = '(quarter at time zone due.time_zone)::date'

// In the order of the index, in which reports read them. Otherwise a year of 50 campaigns touches 77,000 pages, not
// 1,100.
const inOrder = 'order by 1, 2, 3, 4, 5, 6, 7'

const sumActivity = statement(`
insert into activity_days (merchant_id, day, kind, count, spins)
select due.merchant_id, ${dayOf}, kind, sum(count), sum(spins)
${overQuarters('activity_counts')}
group by 1, 2, 3`)

const sumPlays = statement(`
insert into play_days (merchant_id, day, campaign_id, wheel_id, wheel_version, drawn, segment, plays)
select due.merchant_id, ${dayOf}, campaign_id, wheel_id, wheel_version, drawn, segment, sum(plays)
${overQuarters('play_counts')}
group by 1, 2, 3, 4, 5, 6, 7
${inOrder}`)

const sumSettlements = statement(`
insert into settlement_days (merchant_id, day, campaign_id, wheel_id, wheel_version, segment, state, settlements)
select due.merchant_id, ${dayOf}, campaign_id, wheel_id, wheel_version, segment, state, sum(settlements)
${overQuarters('settlement_counts')}
group by 1, 2, 3, 4, 5, 6, 7
${inOrder}`)

const onDueDays = (table: string) => `
  select ${table}.*
  from unnest($1::int[], $2::text[], $3::date[], $4::date[]) as due (merchant_id, time_zone, since, until)
  join ${table}
    on ${table}.merchant_id = due.merchant_id
    and ${table}.day > due.since
    and ${table}.day <= due.until`

/** From the days that were just summed. */
const sumCampaigns = statement(`
insert into campaign_days (merchant_id, day, campaign_id, wheel_id, ${figureNames.join(', ')})
${sumFigures('merchant_id, day, campaign_id, wheel_id', {
  plays: onDueDays('play_days'),
  settlements: onDueDays('settlement_days'),
})}`)

const setClosed = statement(`
insert into closed_days (merchant_id, time_zone, until)
select *
from unnest($1::int[], $2::text[], $3::date[])
on conflict (merchant_id) do update
set time_zone = excluded.time_zone, until = excluded.until`)

const moveBack = statement(`
update closed_days
set until = least(until, ($1::timestamptz at time zone time_zone)::date - 1)`)

const forgetDays = dayTables.map((table) =>
  statement(`
delete from ${table}
using closed_days
where closed_days.merchant_id = ${table}.merchant_id
and ${table}.day > closed_days.until`),
)

const readClosed = statement<{ until: string }>(`
select until::text
from closed_days
join merchants using (merchant_id, time_zone)
where merchant_id = $1`)
