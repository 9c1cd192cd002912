import { type Database, type Queryable, statement } from '../db/database.ts'
import { movePosition, takePosition } from '../db/work-positions.ts'
import { insertEvents } from '../events/event-pages.ts'
import { driftDays, driftDeviationsMax } from '../limits.ts'

/** How often a prize was drawn, against chance, over all versions of its wheel. Paced prizes are drawn like others. */
type DrawCount = {
  merchantId: number
  wheelId: number
  wheel: string
  prizeId: string
  label: string
  draws: number
  expected: number
  /** The standard deviation of the draws. */
  deviation: number
}

const dayMs = 86_400_000

/**
 * Compares draws with chance, once a day over all processes, and tells live merchants about wheels that drift. At a
 * test merchant outcomes can be forced. Returns how many prizes drift.
 */
export async function watchDraws(db: Database, now: Date): Promise<number> {
  return db.longTransaction(async (tx) => {
    const last = await takePosition(tx, 'drift', new Date(now.getTime() - dayMs))
    if (last === undefined || now.getTime() - last.getTime() < dayMs) return 0
    const from = new Date(now.getTime() - driftDays * dayMs)
    const drifting = (await readDraws(tx, from)).filter(isDrifting)
    await insertEvents(
      tx,
      drifting.map(({ merchantId, wheel, prizeId, label, draws, expected }) => ({
        merchantId,
        type: 'wheel.drifted' as const,
        at: now,
        data: { wheel, prizeId, label, draws, expected: Math.round(expected), from: from.toISOString() },
      })),
    )
    await replaceDrifts(tx, drifting, now)
    await movePosition(tx, 'drift', now)
    return drifting.length
  })
}

/** Whether chance alone does not explain the count: once in 500 million comparisons it does. */
function isDrifting({ draws, expected, deviation }: DrawCount): boolean {
  return Math.abs(draws - expected) > driftDeviationsMax * deviation + 0.5 && draws + expected > 20
}

/** What staff are told by e-mail until the next check. */
async function replaceDrifts(tx: Queryable, drifting: readonly DrawCount[], now: Date): Promise<void> {
  await tx.query(removeDrifts)
  await tx.query(insertDrifts, [
    now,
    drifting.map(({ merchantId }) => merchantId),
    drifting.map(({ wheelId }) => wheelId),
    drifting.map(({ prizeId }) => prizeId),
    drifting.map(({ label }) => label),
    drifting.map(({ draws }) => draws),
    drifting.map(({ expected }) => Math.round(expected)),
  ])
}

const removeDrifts = statement(`delete from draw_drifts`)

const insertDrifts = statement(`
insert into draw_drifts (found_at, merchant_id, wheel_id, prize_id, label, draws, expected)
select $1, *
from unnest($2::int[], $3::int[], $4::text[], $5::text[], $6::int[], $7::int[])`)

async function readDraws(tx: Queryable, from: Date): Promise<DrawCount[]> {
  return tx.query(drawsSince, [from])
}

const drawsSince = statement<DrawCount>(`
with played as (
  select merchant_id, wheel_id, wheel_version, drawn, sum(plays) as plays
  from play_counts
  where quarter >= $1
  and merchant_id not in (
    select merchant_id
    from merchants
    where test_of is not null
  )
  group by merchant_id, wheel_id, wheel_version, drawn
),
versions as (
  select merchant_id, wheel_id, wheel_version, sum(plays) as plays
  from played
  group by merchant_id, wheel_id, wheel_version
),
weights as (
  select wheel_id, version, sum(weight)::float8 as total
  from version_segments
  group by wheel_id, version
)
select
  versions.merchant_id as "merchantId",
  versions.wheel_id as "wheelId",
  min(wheels.slug) as wheel,
  prize_id as "prizeId",
  min(label) as label,
  coalesce(sum(played.plays), 0)::float8 as draws,
  sum(versions.plays * weight / total)::float8 as expected,
  sqrt(sum(versions.plays * weight / total * (1 - weight / total)))::float8 as deviation
from versions
join wheels using (wheel_id)
join version_segments
  on version_segments.wheel_id = versions.wheel_id
  and version_segments.version = versions.wheel_version
join weights
  on weights.wheel_id = versions.wheel_id
  and weights.version = versions.wheel_version
left join played
  on played.merchant_id = versions.merchant_id
  and played.wheel_id = versions.wheel_id
  and played.wheel_version = versions.wheel_version
  and played.drawn = version_segments.segment
where total > 0
group by versions.merchant_id, versions.wheel_id, prize_id
order by versions.merchant_id, versions.wheel_id, prize_id`)
