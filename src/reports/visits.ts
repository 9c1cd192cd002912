import { type Queryable, statement } from '../db/database.ts'
import { settledKindsSql } from '../prizes/prize-kinds-sql.ts'
import { type Interval, whose } from './next-interval.ts'
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

/**
 * Records how far visits came by the plays and settlements of an interval. A visit's stage only rises, so an interval can
 * be repeated. A settlement counts for the day of its play.
 *
 * First the missing visits are inserted, then the stages of the others are raised. In one statement, a visit that another
 * process inserts as opened at the same moment would be counted twice.
 */
export async function raiseVisits(tx: Queryable, { from, to, merchantId }: Interval): Promise<void> {
  await tx.query(insertReached, [from, to, merchantId])
  await tx.query(raise, [from, to, merchantId])
}

/** Visits per day and stage. */
export async function readVisitCounts(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  days: readonly ReportDay[],
): Promise<{ day: string; stage: VisitStage; visits: number }[]> {
  const rows = await db.query(readCounts, [merchantId, days[0]?.day, days.at(-1)?.day, wheelId, campaignId])
  return rows.map(({ stage, ...row }) => ({ ...row, stage: visitStages[stage - 1] as VisitStage }))
}

const dayOf = (column: string) => `(${column} at time zone merchants.time_zone)::date`

const countInserted = `
insert into visit_counts (merchant_id, day, campaign_id, wheel_id, stage, visits)
select merchant_id, day, campaign_id, wheel_id, passed.stage, count(*)
from inserted
cross join lateral generate_series(1, inserted.stage) as passed (stage)
group by merchant_id, day, campaign_id, wheel_id, passed.stage
order by merchant_id, day, campaign_id, wheel_id, passed.stage
on conflict (merchant_id, day, campaign_id, wheel_id, stage) do update
set visits = visit_counts.visits + excluded.visits`

const insertOpened = statement(`
with inserted as (
  insert into visits (shard, player_no, campaign_id, wheel_id, day, merchant_id, stage)
  select distinct shard, player_no, campaign_id, opened.wheel_id, ${dayOf('at')} as day, merchant_id, 1
  from unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::timestamptz[])
    as opened (merchant_id, campaign_id, wheel_id, shard, player_no, at)
  join merchants using (merchant_id)
  order by shard, player_no, campaign_id, wheel_id, day
  on conflict do nothing
  returning merchant_id, day, campaign_id, wheel_id, stage
)
${countInserted}`)

/** The visits of an interval, each with the furthest stage that it came to in it. */
const reached = `
reached as (
  select shard, player_no, campaign_id, wheel_id, day, merchant_id, max(stage) as stage
  from (
    select
      plays.shard,
      plays.player_no,
      coalesce(plays.campaign_id, 0) as campaign_id,
      plays.wheel_id,
      ${dayOf('plays.created_at')} as day,
      plays.merchant_id,
      case when kind in (${settledKindsSql}) then 3 else 2 end as stage
    from plays
    join merchants using (merchant_id)
    join version_segments
      on version_segments.wheel_id = plays.wheel_id
      and version_segments.version = plays.wheel_version
      and version_segments.segment = plays.segment
    where plays.created_at >= $1
    and plays.created_at < $2${whose('plays')}
    union all
    select
      plays.shard,
      plays.player_no,
      coalesce(plays.campaign_id, 0),
      plays.wheel_id,
      ${dayOf('plays.created_at')},
      plays.merchant_id,
      case state when 'claimed' then 4 else 5 end
    from prize_settlements
    join plays using (shard, player_no, play_no)
    join merchants on merchants.merchant_id = plays.merchant_id
    where settled_at >= $1
    and settled_at < $2${whose('plays')}
    and state in ('claimed', 'redeemed')
  ) as step
  group by shard, player_no, campaign_id, wheel_id, day, merchant_id
)`

const insertReached = statement(`
with ${reached},
inserted as (
  insert into visits (shard, player_no, campaign_id, wheel_id, day, merchant_id, stage)
  select shard, player_no, campaign_id, wheel_id, day, merchant_id, stage
  from reached
  order by shard, player_no, campaign_id, wheel_id, day
  on conflict do nothing
  returning merchant_id, day, campaign_id, wheel_id, stage
)
${countInserted}`)

const raise = statement(`
with ${reached},
risen as (
  select
    visits.shard,
    visits.player_no,
    visits.campaign_id,
    visits.wheel_id,
    visits.day,
    visits.stage as before,
    reached.stage as after
  from reached
  join visits using (shard, player_no, campaign_id, wheel_id, day)
  where visits.stage < reached.stage
),
raised as (
  update visits
  set stage = risen.after
  from risen
  where visits.shard = risen.shard
  and visits.player_no = risen.player_no
  and visits.campaign_id = risen.campaign_id
  and visits.wheel_id = risen.wheel_id
  and visits.day = risen.day
  returning visits.merchant_id, visits.day, visits.campaign_id, visits.wheel_id, risen.before, risen.after
)
insert into visit_counts (merchant_id, day, campaign_id, wheel_id, stage, visits)
select merchant_id, day, campaign_id, wheel_id, passed.stage, count(*)
from raised
cross join lateral generate_series(before + 1, after) as passed (stage)
group by merchant_id, day, campaign_id, wheel_id, passed.stage
on conflict (merchant_id, day, campaign_id, wheel_id, stage) do update
set visits = visit_counts.visits + excluded.visits`)

const readCounts = statement<{ day: string; stage: number; visits: number }>(`
select day::text, stage, sum(visits)::bigint as visits
from visit_counts
where merchant_id = $1
and day between $2::date and $3::date
and ($4::int is null or wheel_id = $4)
and ($5::int is null or campaign_id = $5)
group by day, stage`)
