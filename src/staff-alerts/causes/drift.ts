import { statement } from '../../db/database.ts'
import { campaignsOfWheel, type FindFindings } from '../finding.ts'

/** Prizes that are drawn more or less often than chance explains, as the daily check has found. */
export const findDrifts: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(drifts, [merchantIds, now])
  return found.map(({ merchantId, wheel, prizeId, label, draws, expected, campaigns }) => ({
    merchantId,
    campaigns,
    subject: `${wheel}/${prizeId}`,
    name: `${label} (${wheel})`,
    value: `drawn ${draws} times, expected ${expected}`,
    path: '/overview',
  }))
}

type Drift = {
  merchantId: number
  wheel: string
  prizeId: string
  label: string
  draws: number
  expected: number
  campaigns: number[]
}

const drifts = statement<Drift>(`
select
  merchants.merchant_id as "merchantId",
  wheels.slug as wheel,
  prize_id as "prizeId",
  label,
  draws,
  expected,
  ${campaignsOfWheel} as campaigns
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join draw_drifts using (merchant_id)
join wheels on wheels.wheel_id = draw_drifts.wheel_id`)
