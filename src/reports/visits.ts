import { type Queryable, statement } from '../db/database.ts'
import type { ReportScope } from './counts-by-day.ts'
import type { ReportDay } from './report-days.ts'

/** How far a visit can come. Each stage includes those before it. */
export const visitStages = ['opened', 'played', 'won', 'claimed', 'redeemed'] as const
export type VisitStage = (typeof visitStages)[number]

export type OpenedVisit = {
  merchantId: number
  /** 0 for `main`. */
  campaignId: number
  wheelId: number
  shard: number
  playerNo: number
  at: Date
}

/** Records visits that were opened. A visit that is known already changes nothing. */
export async function insertOpenedVisits(db: Queryable, visits: readonly OpenedVisit[]): Promise<void> {
  await db.query(insertOpened, [
    visits.map((visit) => visit.merchantId),
    visits.map((visit) => visit.campaignId),
    visits.map((visit) => visit.wheelId),
    visits.map((visit) => visit.shard),
    visits.map((visit) => visit.playerNo),
    visits.map((visit) => visit.at),
  ])
}

/** How many visits of a day came to each stage or beyond it. */
type VisitsOfDay = Record<VisitStage, number> & { day: string }

export async function readVisitsByDay(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<VisitsOfDay[]> {
  return db.query(readByDay, [merchantId, days[0]?.day, days.at(-1)?.day, wheelId, campaignId])
}

/** The day of the merchant's time zone. */
export const dayOf = (column: string) => `(${column} at time zone merchants.time_zone)::date`

const stagesOf = (write: (stage: VisitStage, no: number) => string) =>
  visitStages.map((stage, index) => write(stage, index + 1)).join(',\n  ')

/** Counts what `changed`: visits with their stage before and after. New ones had stage 0. */
export const countChanged = `
insert into visit_days (merchant_id, day, campaign_id, wheel_id, ${stagesOf((stage) => stage)})
select
  merchant_id,
  day,
  campaign_id,
  wheel_id,
  ${stagesOf((_, no) => `count(*) filter (where after >= ${no}) - count(*) filter (where before >= ${no})`)}
from changed
group by merchant_id, day, campaign_id, wheel_id
order by merchant_id, day, campaign_id, wheel_id
on conflict (merchant_id, day, campaign_id, wheel_id) do update
set
  ${stagesOf((stage) => `${stage} = visit_days.${stage} + excluded.${stage}`)}`

const insertOpened = statement(`
with changed as (
  insert into visits (shard, player_no, campaign_id, wheel_id, day, merchant_id, stage)
  select distinct shard, player_no, campaign_id, opened.wheel_id, ${dayOf('at')} as day, merchant_id, 1
  from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::timestamptz[])
    as opened (merchant_id, campaign_id, wheel_id, shard, player_no, at)
  join merchants using (merchant_id)
  order by shard, player_no, campaign_id, wheel_id, day
  on conflict do nothing
  returning merchant_id, day, campaign_id, wheel_id, 0 as before, stage as after
)
${countChanged}`)

const readByDay = statement<VisitsOfDay>(`
select
  day::text,
  ${stagesOf((stage) => `sum(${stage})::bigint as ${stage}`)}
from visit_days
where merchant_id = $1
and day between $2::date and $3::date
and ($4::int is null or wheel_id = $4)
and ($5::int is null or campaign_id = $5)
group by day`)
