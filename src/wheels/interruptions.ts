import { type Queryable, statement } from '../db/database.ts'
import { outageMsMin } from '../free-spin-limits.ts'

/** A time in which players could not play: a pause, an archived campaign, a suspended merchant, or an outage. */
export type Interruption = { startsAt: Date; endsAt: Date }

/** What was paused: a campaign, a wheel, or else everything of a merchant. */
type Paused = { merchantId: number; campaignId?: number; wheelId?: number }

/** Records a pause that ends now. */
export async function insertPause(
  tx: Queryable,
  { merchantId, campaignId, wheelId }: Paused,
  { startsAt, endsAt }: Interruption,
): Promise<void> {
  // A clock that went back has no effect.
  if (endsAt > startsAt)
    await tx.query(insert, [startsAt, endsAt, merchantId, campaignId ?? null, wheelId ?? null])
}

/**
 * The pauses of a campaign and its wheel, and the outages of all servers, that ended after a time. Outages are in the real
 * time, so they say nothing about a test merchant.
 */
export async function readInterruptions(
  db: Queryable,
  { merchantId, campaignId, wheelId }: Required<Paused>,
  { after, isTest }: { after: Date; isTest: boolean },
): Promise<Interruption[]> {
  return db.query(read, [merchantId, campaignId, wheelId, after, isTest])
}

/** Shows that a server is alive. If none was for a while, that was an outage. By the clock of the database. */
export async function showLife(db: Queryable): Promise<void> {
  await db.query(show, [outageMsMin])
}

const insert = statement(`
insert into interruptions (starts_at, ends_at, merchant_id, campaign_id, wheel_id)
values ($1, $2, $3, $4, $5)`)

const read = statement<Interruption>(`
select starts_at as "startsAt", ends_at as "endsAt"
from interruptions
where merchant_id = $1
and (campaign_id = $2 or wheel_id = $3 or (campaign_id is null and wheel_id is null))
and ends_at > $4
union all
select starts_at, ends_at
from interruptions
where merchant_id is null
and ends_at > $4
and not $5`)

// The row is locked before it is compared, so that of several servers one records the outage. The insert reads `before`,
// or it would run first, and `before` would be empty.
const show = statement(`
with before as (
  select alive_at
  from signs_of_life
  for update
),
outage as (
  insert into interruptions (starts_at, ends_at)
  select alive_at, clock_timestamp()
  from before
  where clock_timestamp() - alive_at > $1 * interval '1 millisecond'
)
insert into signs_of_life (alive_at)
select greatest(max(alive_at), clock_timestamp())
from before
on conflict (is_only) do update
set alive_at = greatest(signs_of_life.alive_at, excluded.alive_at)`)
