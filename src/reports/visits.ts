import { numberIn } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { settledKindsSql } from '../prizes/prize-kinds-sql.ts'
import { type Interval, whose } from './next-interval.ts'
import { countChanged } from './visit-days.ts'

export type OpenedVisit = {
  merchantId: number
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
 * Records how far visits came by the plays and settlements of an interval. A settlement counts for the day of its play.
 *
 * An interval can be repeated. First the missing visits are inserted, then the stages of the others are raised. In one
 * statement, a visit that another process inserts as opened at the same moment would be counted twice. Last, visits
 * whose redemptions were all taken back are lowered. That reads how the prizes are now. A redemption that is not yet
 * visible is in a later interval, which raises the visit again.
 */
export async function moveVisits(tx: Queryable, { from, to, merchantId }: Interval): Promise<void> {
  for (const step of [insertReached, raise, lower]) await tx.query(step, [from, to, merchantId])
}

/** The day of the merchant's time zone. */
const dayOf = (column: string) => `(${column} at time zone merchants.time_zone)::date`

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

/** The visit that a play belongs to. */
const visitOfPlay = `
    plays.shard,
    plays.player_no,
    ${numberIn('plays.campaign_id')} as campaign_id,
    plays.wheel_id,
    ${dayOf('plays.created_at')} as day`

const settledPlays = `
    from prize_settlements
    join plays using (shard, player_no, play_no)
    join merchants on merchants.merchant_id = plays.merchant_id`

/** The visits of an interval, each with the furthest stage that it came to in it. */
const reached = `
reached as (
  select shard, player_no, campaign_id, wheel_id, day, merchant_id, max(stage) as stage
  from (
    select
      ${visitOfPlay},
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
      ${visitOfPlay},
      plays.merchant_id,
      case state when 'claimed' then 4 else 5 end
    ${settledPlays}
    where settled_at >= $1
    and settled_at < $2${whose('plays')}
    and state in ('claimed', 'redeemed')
  ) as step
  group by shard, player_no, campaign_id, wheel_id, day, merchant_id
)`

const insertReached = statement(`
with ${reached},
changed as (
  insert into visits (shard, player_no, campaign_id, wheel_id, day, merchant_id, stage)
  select shard, player_no, campaign_id, wheel_id, day, merchant_id, stage
  from reached
  order by shard, player_no, campaign_id, wheel_id, day
  on conflict do nothing
  returning merchant_id, day, campaign_id, wheel_id, 0 as before, stage as after
)
${countChanged}`)

const isVisitOf = (table: string) => `
  visits.shard = ${table}.shard
  and visits.player_no = ${table}.player_no
  and visits.campaign_id = ${table}.campaign_id
  and visits.wheel_id = ${table}.wheel_id
  and visits.day = ${table}.day`

const raise = statement(`
with ${reached},
risen as (
  select reached.*, visits.stage as stage_before
  from reached
  join visits using (shard, player_no, campaign_id, wheel_id, day)
  where visits.stage < reached.stage
),
changed as (
  update visits
  set stage = risen.stage
  from risen
  where ${isVisitOf('risen')}
  returning
    visits.merchant_id, visits.day, visits.campaign_id, visits.wheel_id, stage_before as before, risen.stage as after
)
${countChanged}`)

const lower = statement(`
with taken_back as (
  select distinct ${visitOfPlay}
  ${settledPlays}
  where settled_at >= $1
  and settled_at < $2${whose('plays')}
  and state = 'claimed'
  and step > 1
),
changed as (
  update visits
  set stage = 4
  from taken_back
  where ${isVisitOf('taken_back')}
  and visits.stage = 5
  and not exists (
    select
    from (
      select ${visitOfPlay}
      ${settledPlays}
      where prize_settlements.shard = taken_back.shard
      and prize_settlements.player_no = taken_back.player_no
      and state = 'redeemed'
      and not exists (
        select
        from prize_settlements as later
        where later.shard = prize_settlements.shard
        and later.player_no = prize_settlements.player_no
        and later.play_no = prize_settlements.play_no
        and later.step > prize_settlements.step
      )
    ) as redeemed
    where ${isVisitOf('redeemed')}
  )
  returning visits.merchant_id, visits.day, visits.campaign_id, visits.wheel_id, 5 as before, 4 as after
)
${countChanged}`)
