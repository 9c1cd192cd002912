import { type Queryable, statement } from '../db/database.ts'

/** How many units of a limited prize are left: of its stock, or of the codes of its pool if those are fewer. */
export type StockLeft = { wheelId: number; prizeId: string; label: string; total: number; left: number }

/** The limited prizes of the published versions of wheels, in the order of their segments. */
export async function readStockLeft(db: Queryable, wheelIds: readonly number[]): Promise<StockLeft[]> {
  return db.query(read, [[...new Set(wheelIds)]])
}

// Of the document, only pools are read.
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
  order by units_left
  limit 1
) as limited
order by wheels.wheel_id, version_segments.segment`)
