import type { RefusalCode } from './refusals.ts'

/** A campaign, as grants, links and plays need it. */
export type CampaignRef = {
  /** Its number in all tables but `campaigns`; 0 for `main`. */
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

/**
 * The campaign that every merchant has, for grants and links. These need not read its row: its dates refuse neither.
 */
export const mainCampaign: CampaignRef = {
  campaignId: 0,
  slug: 'main',
  purseId: 0,
  closesAt: null,
  archivedAt: null,
  isPublished: true,
  spinLifetimeDays: null,
}

export function isMain({ slug }: { slug: string }): boolean {
  return slug === mainCampaign.slug
}

/** The field that names the campaign in events and tokens. `main` has none, as before there were campaigns. */
export function campaignOf(campaign: { slug: string }): { campaign?: string } {
  return isMain(campaign) ? {} : { campaign: campaign.slug }
}

/** The number of a campaign or purse in ledger and plays: null for `main`, which takes no bytes. */
export function storedNumber(number: number): number | null {
  return number === 0 ? null : number
}

/** The number of a campaign or purse in a row of ledger or plays. */
export function numberIn(column: string): string {
  return `coalesce(${column}, 0)`
}

/** The id of the campaign whose number is in a column, null or 0 for `main`. */
export function slugOf(column: string): string {
  return `case
    when nullif(${column}, 0) is null then 'main'
    else (
      select named.slug
      from campaigns as named
      where named.campaign_id = ${column}
    )
  end`
}

/** Why a campaign accepts no more spins, or undefined if it does. */
export function refusalOfCampaign(
  { archivedAt, closesAt }: Pick<CampaignRef, 'archivedAt' | 'closesAt'>,
  now: Date,
): RefusalCode | undefined {
  if (archivedAt !== null) return 'campaign_archived'
  return closesAt !== null && now >= closesAt ? 'campaign_closed' : undefined
}

/** Why nobody can get a link for the campaign, or undefined. */
export function refusalOfNewLink(campaign: CampaignRef, now: Date): RefusalCode | undefined {
  return refusalOfCampaign(campaign, now) ?? (campaign.isPublished ? undefined : 'campaign_not_published')
}

/** The number of a row of `campaigns` in all other tables. */
export const campaignNumber = `case campaigns.slug when 'main' then 0 else campaigns.campaign_id end`

/** A reference as JSON in the row of something else, from `campaigns` and its `wheels`. JSON has no dates. */
export const campaignJson = `jsonb_build_object(
  'campaignId', ${campaignNumber},
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
