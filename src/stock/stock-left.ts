import { type Queryable, statement } from '../db/database.ts'
import { givenBefore } from './given-before.ts'

/** How many units of a limited prize are left: of its stock or pace, or of the codes of its pool if those are fewer. */
export type StockLeft = { wheelId: number; prizeId: string; label: string; total: number; left: number }

/**
 * The limited prizes of the published versions of wheels, in the order of their segments. While the run of a paced
 * prize lasts, only what it gave before `today` counts: whoever knew the rest could play when a unit is free.
 */
export async function readStockLeft(
  db: Queryable,
  wheels: readonly { wheelId: number; today: Date }[],
  { revealedIfEndedBy }: { revealedIfEndedBy: Date },
): Promise<StockLeft[]> {
  const todays = new Map(wheels.map(({ wheelId, today }) => [wheelId, today]))
  return db.query(read, [[...todays.keys()], [...todays.values()], revealedIfEndedBy])
}

// Of the document, only pools and paces are read.
const read = statement<StockLeft>(`
select
  wheels.wheel_id as "wheelId",
  version_segments.prize_id as "prizeId",
  version_segments.label,
  limited.total,
  limited.units_left as left
from unnest($1::int[], $2::timestamptz[]) as wanted (wheel_id, today)
join wheels using (wheel_id)
join version_segments
  on version_segments.wheel_id = wheels.wheel_id
  and version_segments.version = wheels.published_version
cross join lateral (
  select stock as total, stock - given as units_left
  from prize_stocks
  where prize_stocks.merchant_id = wheels.merchant_id
  and prize_stocks.wheel_id = wheels.wheel_id
  and prize_stocks.prize_id = version_segments.prize_id
  and stock is not null
  union all
  select uploaded, uploaded - taken
  from wheel_versions
  join code_pools
    on code_pools.merchant_id = wheels.merchant_id
    and code_pools.pool = document -> 'segments' -> version_segments.segment::int -> 'prize' ->> 'pool'
  where version_segments.kind = 'pool'
  and wheel_versions.wheel_id = wheels.wheel_id
  and wheel_versions.version = wheels.published_version
  union all
  select
    (document -> 'segments' -> version_segments.segment::int -> 'pace' ->> 'units')::int,
    (document -> 'segments' -> version_segments.segment::int -> 'pace' ->> 'units')::int - counted.given::int
  from pace_runs
  cross join lateral (
    select
      case
        when pace_runs.ends_at <= $3 then pace_runs.awards - pace_runs.returned
        else ${givenBefore('wanted.today')}
      end as given
  ) as counted
  join wheel_versions
    on wheel_versions.wheel_id = wheels.wheel_id
    and wheel_versions.version = wheels.published_version
  where pace_runs.merchant_id = wheels.merchant_id
  and pace_runs.wheel_id = wheels.wheel_id
  and pace_runs.prize_id = version_segments.prize_id
  and ended_at is null
  and document -> 'segments' -> version_segments.segment::int ? 'pace'
  order by units_left
  limit 1
) as limited
order by wheels.wheel_id, version_segments.segment`)
