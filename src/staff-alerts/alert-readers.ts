import { type Queryable, statement } from '../db/database.ts'
import type { Clocked } from '../test-clock.ts'
import type { AlertCause } from './alert-causes.ts'

/** A person who has chosen alerts and may get them now: with a proven address, and a role at the merchant. */
export type Reader = Clocked & {
  merchantId: number
  staffId: number
  email: string
  /** The merchant's. */
  timeZone: string
  /** By campaign; `campaignId` is null for all that have no choice of their own. */
  choices: { campaignId: number | null; causes: AlertCause[] }[]
}

/** Of one merchant, or of all. */
export async function listReaders(db: Queryable, merchantId: number | null): Promise<Reader[]> {
  return db.query(list, [merchantId])
}

/** Those of the campaigns about which a person wants to be told this. */
export function chosenCampaigns(
  { choices }: Pick<Reader, 'choices'>,
  cause: AlertCause,
  campaigns: readonly number[],
): number[] {
  const causesOf = (id: number | null) => choices.find(({ campaignId }) => campaignId === id)?.causes
  return campaigns.filter((id) => (causesOf(id) ?? causesOf(null) ?? []).includes(cause))
}

/** Whether a person wants to be told. What belongs to no campaign is told by the choice for all. */
export function wants(
  reader: Pick<Reader, 'choices'>,
  cause: AlertCause,
  { campaigns }: { campaigns: readonly number[] },
): boolean {
  if (campaigns.length > 0) return chosenCampaigns(reader, cause, campaigns).length > 0
  const ofAll = reader.choices.find(({ campaignId }) => campaignId === null)
  return ofAll?.causes.includes(cause) === true
}

// The roles at a test merchant are those at its live merchant.
const list = statement<Reader>(`
select
  merchants.merchant_id as "merchantId",
  staff.staff_id as "staffId",
  staff.email,
  merchants.time_zone as "timeZone",
  merchants.clock_ahead_ms as "clockAheadMs",
  jsonb_agg(jsonb_build_object('campaignId', campaign_id, 'causes', causes)) as choices
from staff_alert_choices
join merchants using (merchant_id)
join staff using (staff_id)
where coalesce(merchants.merchant_id = $1, true)
and merchants.suspended_at is null
and merchants.replaced_at is null
and staff.email_proven_at is not null
and (
  staff.is_operator
  or exists (
    select
    from staff_roles
    where staff_roles.staff_id = staff.staff_id
    and staff_roles.merchant_id = coalesce(merchants.test_of, merchants.merchant_id)
  )
)
group by merchants.merchant_id, staff.staff_id
order by merchants.merchant_id, staff.staff_id`)
