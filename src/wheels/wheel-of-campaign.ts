import {
  type CampaignJson,
  campaignJson,
  campaignNumber,
  type CampaignRef,
  withDates,
} from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import type { ActiveFreeSpinRule } from '../free-spin-rule/free-spin-rule.ts'

/** The wheel and version that a campaign's links open now, and whether it can be played. */
export type WheelOfCampaign = {
  wheelId: number
  slug: string
  version: number
  /** Since when the wheel or the campaign is paused. */
  pausedAt: Date | null
  embedOrigins: string[]
  campaign: CampaignRef
  campaignTexts: Record<string, { name?: string; description?: string }>
  priority: number
  opensAt: Date | null
  closesAt: Date | null
  /** When spins that are won expire; undefined for never. */
  spinExpiry: { lifetimeDays: number; noticeHours: number | null } | undefined
  /** Undefined: there are no free spins. */
  freeSpins: ActiveFreeSpinRule | undefined
  /** Whether visitors have to claim their prizes by a form, before they see how to use them. */
  hasClaimForm: boolean
  /** Null for a live merchant. */
  clockAheadMs: number | null
}

/** Undefined if there is no such campaign, or its wheel was never published. */
export async function readWheelOfCampaign(
  db: Queryable,
  merchantId: number,
  slug: string,
): Promise<WheelOfCampaign | undefined> {
  const [found] = await db.query(read, [merchantId, slug])
  if (found === undefined) return undefined
  const { campaign, lifetimeDays, noticeHours, freeSpins, ...wheel } = found
  return {
    ...wheel,
    campaign: withDates(campaign),
    freeSpins: freeSpins ?? undefined,
    spinExpiry: lifetimeDays === null ? undefined : { lifetimeDays, noticeHours },
  }
}

/** The ids of a merchant's campaigns that players may see: live, and with a published wheel. */
export async function listPlayableCampaigns(db: Queryable, merchantId: number): Promise<string[]> {
  return (await db.query(listPlayable, [merchantId])).map(({ slug }) => slug)
}

export async function readMerchantId(db: Queryable, slug: string): Promise<number | undefined> {
  const [found] = await db.query(findMerchantId, [slug])
  return found?.merchantId
}

/** Those of a merchant's campaigns whose visitors have to claim by a form. */
export async function listClaimForms(
  db: Queryable,
  merchantId: number,
  campaignIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = await db.query(listForms, [merchantId, campaignIds])
  return new Set(found.map(({ campaignId }) => campaignId))
}

function hasClaimForm(merchantId: string, campaignId: string): string {
  return `exists (
    select
    from entry_settings
    join entry_forms using (merchant_id, campaign_id, version)
    where entry_settings.merchant_id = ${merchantId}
    and entry_settings.campaign_id = ${campaignId}
    and fields @> '[{"when": "toClaim"}]'
  )`
}

const listForms = statement<{ campaignId: number }>(`
select distinct campaign_id as "campaignId"
from unnest($2::int[]) as wanted (campaign_id)
where ${hasClaimForm('$1', 'wanted.campaign_id')}`)

const findMerchantId = statement<{ merchantId: number }>(`
select merchant_id as "merchantId"
from merchants
where slug = $1`)

// The wheel of `main` is in the merchant's row.
const joined = `
from merchants
join campaigns using (merchant_id)
join wheels
  on wheels.wheel_id = coalesce(campaigns.wheel_id, merchants.wheel_id)
where merchants.merchant_id = $1
and wheels.published_version is not null`

const read = statement<
  Omit<WheelOfCampaign, 'campaign' | 'spinExpiry' | 'freeSpins'> & {
    freeSpins: ActiveFreeSpinRule | null
    campaign: CampaignJson
    lifetimeDays: number | null
    noticeHours: number | null
  }
>(`
select
  wheels.wheel_id as "wheelId",
  wheels.slug,
  wheels.published_version as version,
  coalesce(campaigns.paused_at, wheels.paused_at) as "pausedAt",
  merchants.embed_origins as "embedOrigins",
  ${campaignJson} as campaign,
  campaigns.texts as "campaignTexts",
  campaigns.priority,
  campaigns.opens_at as "opensAt",
  campaigns.closes_at as "closesAt",
  coalesce(campaigns.spin_lifetime_days, merchants.spin_lifetime_days) as "lifetimeDays",
  merchants.spin_expiry_notice_hours as "noticeHours",
  campaigns.free_spins as "freeSpins",
  merchants.clock_ahead_ms as "clockAheadMs",
  ${hasClaimForm('merchants.merchant_id', campaignNumber)} as "hasClaimForm"
${joined}
and campaigns.slug = $2`)

const listPlayable = statement<{ slug: string }>(`
select campaigns.slug
${joined}
and archived_at is null
order by campaigns.slug`)
