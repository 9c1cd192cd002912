import { type Queryable, statement } from '../../db/database.ts'
import { givenBefore } from '../../stock/given-before.ts'
import { campaignsOfWheel, type FindFindings, type Finding } from '../finding.ts'
import { runLasts, todayThere } from './runs-that-last.ts'

/** Prizes of which a tenth is left, rounded down as for the event `prize.stock_low`. */
export const findLowStock: FindFindings = async (db, merchantIds, now) =>
  (await findScarce(db, merchantIds, now)).filter(({ left }) => left > 0)

export const findGoneStock: FindFindings = async (db, merchantIds, now) =>
  (await findScarce(db, merchantIds, now)).filter(({ left }) => left <= 0)

async function findScarce(
  db: Queryable,
  merchantIds: readonly number[],
  now: Date,
): Promise<(Finding & { left: number })[]> {
  const found = [
    ...(await db.query(scarceStocks, [merchantIds, now])),
    ...(await db.query(scarceRuns, [merchantIds, now])),
  ]
  return found
    .filter(({ campaigns }) => campaigns.length > 0)
    .map(({ merchantId, wheel, wheelName, prizeId, label, run, left, total, campaigns }) => ({
      merchantId,
      campaigns,
      left,
      subject: [wheel, prizeId, ...(run === null ? [] : [run])].join('/'),
      name: `${label} (${wheelName})`,
      value: `${left} of ${total} left${run === null ? '' : ' when the day began'}`,
      path: `/wheels/${wheel}`,
    }))
}

type Scarce = {
  merchantId: number
  wheel: string
  wheelName: string
  prizeId: string
  label: string
  /** Null for a prize without a pace. */
  run: number | null
  left: number
  total: number
  campaigns: number[]
}

const columns = `
  merchants.merchant_id as "merchantId",
  wheels.slug as wheel,
  document ->> 'name' as "wheelName",
  version_segments.prize_id as "prizeId",
  version_segments.label,
  ${campaignsOfWheel} as campaigns`

const published = (table: string) => `
join wheels on wheels.wheel_id = ${table}.wheel_id
join version_segments
  on version_segments.wheel_id = wheels.wheel_id
  and version_segments.version = wheels.published_version
  and version_segments.prize_id = ${table}.prize_id
join wheel_versions
  on wheel_versions.wheel_id = wheels.wheel_id
  and wheel_versions.version = wheels.published_version`

const segment = `document -> 'segments' -> version_segments.segment::int`

// The row of a stock stays when a version no longer limits the prize.
const scarceStocks = statement<Scarce>(`
select ${columns},
  null::int as run,
  stock - given as left,
  stock as total
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join prize_stocks using (merchant_id)
${published('prize_stocks')}
where stock > 0
and stock - given <= stock / 10
and ${segment} ? 'stock'`)

// What is given now says first whether it is worth to look at the entries.
const scarceRuns = statement<Scarce>(`
select ${columns},
  run,
  units - before.given as left,
  units as total
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join pace_runs using (merchant_id)
${published('pace_runs')}
cross join lateral (
  select (${segment} -> 'pace' ->> 'units')::bigint as units
) as paced
cross join lateral (
  select case when units - awards <= units / 10 then ${givenBefore(todayThere)} end as given
) as before
where ${runLasts}
and units - before.given <= units / 10`)
