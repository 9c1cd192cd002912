import { numberIn } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { ReportScope } from './counts-by-day.ts'
import { type Interval, whose } from './next-interval.ts'
import { weeksBetween } from './report-days.ts'

/** Players by the week of their first play, and how many of them played in each week since. */
type Cohort = {
  week: string
  players: number
  weeks: { after: number; players: number; share: number }[]
}

/**
 * Counts the players who played in `week`, of the plays of an interval. A player is counted once for a week: weeks are
 * counted in order, so a player's week is new if it is later than the newest one.
 */
export async function countWeek(
  tx: Queryable,
  { from, to, merchantId }: Interval,
  week: string,
): Promise<void> {
  await tx.query(count, [from, to, merchantId, week])
}

/** The cohorts of the weeks from `first` to `last`, both Mondays. A week without new players has a cohort of none. */
export async function reportCohorts(
  db: Queryable,
  { merchantId, wheelId, campaignId }: ReportScope,
  { first, last, now }: { first: string; last: string; now: string },
): Promise<Cohort[]> {
  const rows = await db.query(read, [
    merchantId,
    campaignId ?? allCampaigns,
    wheelId ?? allWheels,
    first,
    last,
  ])
  const playersIn = new Map(rows.map((row) => [`${row.firstWeek} ${row.week}`, row.players]))
  return weeksBetween(first, last).map((week) => {
    const players = playersIn.get(`${week} ${week}`) ?? 0
    const weeks = weeksBetween(week, now).map((later, after) => {
      const returned = playersIn.get(`${week} ${later}`) ?? 0
      return { after, players: returned, share: players === 0 ? 0 : returned / players }
    })
    return { week, players, weeks }
  })
}

/** The numbers under which players are counted whichever wheel and campaign they played. Campaign 0 is `main`. */
const allWheels = 0
const allCampaigns = -1

const count = statement(`
with played as (
  select distinct shard, player_no, merchant_id, campaign.id as campaign_id, wheel.id as wheel_id
  from plays
  join merchants using (merchant_id)
  cross join lateral (values (${allCampaigns}), (${numberIn('plays.campaign_id')})) as campaign (id)
  cross join lateral (values (${allWheels}), (plays.wheel_id)) as wheel (id)
  where plays.created_at >= $1
  and plays.created_at < $2${whose('plays')}
  and date_trunc('week', plays.created_at at time zone time_zone)::date = $4::date
),
counted as (
  insert into player_weeks (shard, player_no, merchant_id, campaign_id, wheel_id, first_week, last_week)
  select shard, player_no, merchant_id, campaign_id, wheel_id, $4::date, $4::date
  from played
  on conflict (shard, player_no, campaign_id, wheel_id) do update
  set last_week = excluded.last_week
  where player_weeks.last_week < excluded.last_week
  returning merchant_id, campaign_id, wheel_id, first_week
)
insert into cohort_counts (merchant_id, campaign_id, wheel_id, first_week, week, players)
select merchant_id, campaign_id, wheel_id, first_week, $4::date, count(*)
from counted
group by merchant_id, campaign_id, wheel_id, first_week
on conflict (merchant_id, campaign_id, wheel_id, first_week, week) do update
set players = cohort_counts.players + excluded.players`)

const read = statement<{ firstWeek: string; week: string; players: number }>(`
select first_week::text as "firstWeek", week::text, players
from cohort_counts
where merchant_id = $1
and campaign_id = $2
and wheel_id = $3
and first_week between $4::date and $5::date`)
