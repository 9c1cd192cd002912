import { type Queryable, statement } from '../db/database.ts'
import type { ReportScope } from './counts-by-day.ts'
import type { ReportDay } from './report-days.ts'

/** How far a visit can come. Each stage includes those before it. */
export const visitStages = ['opened', 'played', 'won', 'claimed', 'redeemed'] as const
export type VisitStage = (typeof visitStages)[number]

/** How many visits of a day came to each stage or beyond it. */
type VisitsOfDay = Record<VisitStage, number> & { day: string }

export async function readVisitsByDay(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<VisitsOfDay[]> {
  return db.query(readByDay, [merchantId, days[0]?.day, days.at(-1)?.day, wheelId, campaignId])
}

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
