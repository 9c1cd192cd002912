import { type Queryable, statement } from '../db/database.ts'

/** How many units of a limited prize are left: of its stock or pace, or of the codes of its pool if those are fewer. */
export type StockLeft = { wheelId: number; prizeId: string; label: string; total: number; left: number }

/** The limited prizes of the published versions of wheels, in the order of their segments. */
export async function readStockLeft(db: Queryable, wheelIds: readonly number[]): Promise<StockLeft[]> {
  return db.query(read, [[...new Set(wheelIds)]])
}

// Of the document, only pools and paces are read.
const read = statement<StockLeft>(`
select
  wheels.wheel_id as "wheelId",
  version_segments.prize_id as "prizeId",
  version_segments.label,
  limited.total,
  limited.units_left as left
from unnest($1::int[]) as wanted (wheel_id)
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
    (document -> 'segments' -> version_segments.segment::int -> 'pace' ->> 'units')::int - awards + returned
  from pace_runs
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
