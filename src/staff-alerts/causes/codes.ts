import { statement } from '../../db/database.ts'
import { unitBefore } from '../../stock/given-before.ts'
import { campaignsOfWheel, type FindFindings } from '../finding.ts'
import { runLasts, todayThere } from './runs-that-last.ts'

/** Pools of which a tenth of the codes is left, if a wheel that can be played gives them out. */
export const findLowPools: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(lowPools, [merchantIds, now])
  const pools = Map.groupBy(found, ({ merchantId, pool }) => `${merchantId} ${pool}`)
  return [...pools.values()].flatMap((uses) => {
    const [{ merchantId, pool, uploaded, taken }] = uses as [LowPool]
    const campaigns = [...new Set(uses.flatMap((use) => use.campaigns))]
    const givenToday = uses.reduce((sum, use) => sum + use.givenToday, 0)
    const left = uploaded - taken + givenToday
    if (campaigns.length === 0 || left > uploaded / 10) return []
    const isPaced = uses.some((use) => use.isPaced)
    const value = `${left} of ${uploaded} codes left${isPaced ? ' when the day began' : ''}`
    return [{ merchantId, campaigns, subject: pool, name: pool, value, path: '/codes' }]
  })
}

/** A prize that takes codes from a pool. `givenToday`: by runs that last, of which only past days are told. */
type LowPool = {
  merchantId: number
  pool: string
  uploaded: number
  taken: number
  isPaced: boolean
  givenToday: number
  campaigns: number[]
}

const lowPools = statement<LowPool>(`
select
  merchants.merchant_id as "merchantId",
  code_pools.pool,
  uploaded,
  taken,
  runs.count > 0 as "isPaced",
  runs.given_today as "givenToday",
  ${campaignsOfWheel} as campaigns
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join code_pools using (merchant_id)
join wheels on wheels.merchant_id = merchants.merchant_id
join version_segments
  on version_segments.wheel_id = wheels.wheel_id
  and version_segments.version = wheels.published_version
  and version_segments.kind = 'pool'
join wheel_versions
  on wheel_versions.wheel_id = wheels.wheel_id
  and wheel_versions.version = wheels.published_version
cross join lateral (
  select count(*) as count, coalesce(sum(awards - ${unitBefore('award', todayThere)}), 0)::bigint as given_today
  from pace_runs
  where pace_runs.merchant_id = merchants.merchant_id
  and pace_runs.wheel_id = wheels.wheel_id
  and pace_runs.prize_id = version_segments.prize_id
  and ${runLasts}
) as runs
where uploaded > 0
and uploaded - taken <= uploaded / 10
and document -> 'segments' -> version_segments.segment::int -> 'prize' ->> 'pool' = code_pools.pool`)
