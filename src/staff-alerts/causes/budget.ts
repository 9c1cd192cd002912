import { statement } from '../../db/database.ts'
import { budgetId } from '../../pacing/check-paces.ts'
import { givenBefore } from '../../stock/given-before.ts'
import { amountText } from '../amount-text.ts'
import { campaignsOfWheel, type FindFindings } from '../finding.ts'
import { runLasts, todayThere } from './runs-that-last.ts'

/** Budgets of which a tenth was left when the day began. */
export const findLowBudgets: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(lowBudgets, [merchantIds, now, budgetId])
  return found
    .filter(({ campaigns }) => campaigns.length > 0)
    .map(({ merchantId, wheel, wheelName, run, left, total, currency, campaigns }) => ({
      merchantId,
      campaigns,
      subject: `${wheel}/${run}`,
      name: wheelName,
      value: `${amountText(left / 100, currency)} of ${amountText(total / 100, currency)} left when the day began`,
      path: `/wheels/${wheel}`,
    }))
}

/** Amounts are in cents. */
type LowBudget = {
  merchantId: number
  wheel: string
  wheelName: string
  run: number
  left: number
  total: number
  currency: string | null
  campaigns: number[]
}

const lowBudgets = statement<LowBudget>(`
select
  merchants.merchant_id as "merchantId",
  wheels.slug as wheel,
  document ->> 'name' as "wheelName",
  run,
  cents - before.given as left,
  cents as total,
  merchants.currency,
  ${campaignsOfWheel} as campaigns
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join pace_runs
  on pace_runs.merchant_id = merchants.merchant_id
  and pace_runs.prize_id = $3
join wheels on wheels.wheel_id = pace_runs.wheel_id
join wheel_versions
  on wheel_versions.wheel_id = wheels.wheel_id
  and wheel_versions.version = wheels.published_version
cross join lateral (
  select round((document -> 'budget' ->> 'amount')::numeric * 100)::bigint as cents
) as budget
cross join lateral (
  select case when cents - awards <= cents / 10 then ${givenBefore(todayThere)} end as given
) as before
where ${runLasts}
and cents - before.given <= cents / 10`)
