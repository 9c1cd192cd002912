import { type Queryable, statement } from '../db/database.ts'
import { outageMsMin, signOfLifeMs } from '../free-spin-rule/free-spin-limits.ts'

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
 * The pauses of campaigns and their wheels, and the outages of all servers, that ended after a time, in the order of
 * the campaigns. None for a campaign without a time. Outages are in the real time, so they say nothing about a test
 * merchant.
 */
export async function readInterruptions(
  db: Queryable,
  campaigns: readonly (Required<Paused> & { after: Date | null; isTest: boolean })[],
): Promise<Interruption[][]> {
  const found = campaigns.every(({ after }) => after === null)
    ? []
    : await db.query(read, [
        campaigns.map((one) => one.merchantId),
        campaigns.map((one) => one.campaignId),
        campaigns.map((one) => one.wheelId),
        campaigns.map((one) => one.after),
        campaigns.map((one) => one.isTest),
      ])
  const byPlace = Map.groupBy(found, ({ place }) => place)
  return campaigns.map((_, index) => byPlace.get(index + 1) ?? [])
}

/** The addresses of a server: the one that merchants use, and the one that game links point to. */
type Addresses = { publicUrl: string; gameUrl: string }

/**
 * Shows that a server is alive, and where. If none was for a while, that was an outage. By the clock of the database.
 */
export async function showLife(db: Queryable, { publicUrl, gameUrl }: Addresses): Promise<void> {
  await db.query(show, [outageMsMin, publicUrl, gameUrl])
}

/** The addresses of the running server; undefined if none was alive for a while. */
export async function readLife(db: Queryable): Promise<Addresses | undefined> {
  const [life] = await db.query(readAddresses, [3 * signOfLifeMs])
  return life
}

const insert = statement(`
insert into interruptions (starts_at, ends_at, merchant_id, campaign_id, wheel_id)
values ($1, $2, $3, $4, $5)`)

const read = statement<Interruption & { place: number }>(`
select wanted.place, found.*
from unnest($1::int[], $2::int[], $3::int[], $4::timestamptz[], $5::boolean[])
  with ordinality as wanted (merchant_id, campaign_id, wheel_id, after, is_test, place)
cross join lateral (
  select starts_at as "startsAt", ends_at as "endsAt"
  from interruptions
  where merchant_id = wanted.merchant_id
  and (
    campaign_id = wanted.campaign_id
    or wheel_id = wanted.wheel_id
    or (campaign_id is null and wheel_id is null)
  )
  and ends_at > wanted.after
  union all
  select starts_at, ends_at
  from interruptions
  where merchant_id is null
  and ends_at > wanted.after
  and not wanted.is_test
) as found`)

// The row is locked before it is compared, so that of several servers one records the outage. The insert reads
// `before`, or it would run first, and `before` would be empty.
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
insert into signs_of_life (alive_at, public_url, game_url)
select greatest(max(alive_at), clock_timestamp()), $2, $3
from before
on conflict (is_only) do update
set
  alive_at = greatest(signs_of_life.alive_at, excluded.alive_at),
  public_url = excluded.public_url,
  game_url = excluded.game_url`)

const readAddresses = statement<Addresses>(`
select public_url as "publicUrl", game_url as "gameUrl"
from signs_of_life
where alive_at > now() - $1 * interval '1 millisecond'
and public_url is not null`)
