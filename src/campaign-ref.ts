import type { RefusalCode } from './refusals.ts'

/**
 * A campaign other than `main`, as grants, links and plays need it. Where one is expected, undefined stands for `main`.
 */
export type CampaignRef = {
  campaignId: number
  slug: string
  /** Where its spins are; 0 is the player's balance. */
  purseId: number
  closesAt: Date | null
  archivedAt: Date | null
  isPublished: boolean
  /** The lifetime of its spins; null for the merchant's. */
  spinLifetimeDays: number | null
}

/** Why a campaign accepts no more spins, or undefined if it does. */
export function refusalOfCampaign(
  { archivedAt, closesAt }: Pick<CampaignRef, 'archivedAt' | 'closesAt'>,
  now: Date,
): RefusalCode | undefined {
  if (archivedAt !== null) return 'campaign_archived'
  return closesAt !== null && now >= closesAt ? 'campaign_closed' : undefined
}

/** A reference as JSON in the row of something else, from `campaigns` and its `wheels`. JSON has no dates. */
export const campaignJson = `jsonb_build_object(
  'campaignId', campaigns.campaign_id,
  'slug', campaigns.slug,
  'purseId', campaigns.purse_id,
  'closesAt', campaigns.closes_at,
  'archivedAt', campaigns.archived_at,
  'isPublished', wheels.published_version is not null,
  'spinLifetimeDays', campaigns.spin_lifetime_days
)`

export type CampaignJson = Omit<CampaignRef, 'closesAt' | 'archivedAt'> & {
  closesAt: string | null
  archivedAt: string | null
}

export function withDates({ closesAt, archivedAt, ...rest }: CampaignJson): CampaignRef {
  return {
    ...rest,
    closesAt: closesAt === null ? null : new Date(closesAt),
    archivedAt: archivedAt === null ? null : new Date(archivedAt),
  }
}
