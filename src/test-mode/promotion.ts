import { createHash } from 'node:crypto'
import type { Queryable } from '../db/database.ts'
import { requireTestMerchant } from '../merchants/merchants.ts'
import type { WheelChange } from '../wheel-document/compare-wheels.ts'
import { type PromotedCampaign, readPromotedCampaign } from './promoted-campaign.ts'
import { type PromotedWheel, readPromotedWheel } from './promoted-wheel.ts'

/** `testName` names the test merchant; null for the one without a name. */
export type PromotionOrder = {
  kind: 'wheel' | 'campaign'
  slug: string
  publishes: boolean
  testName: string | null
}

/** What would change at the live merchant. Nothing is promoted that was not shown in this form. */
export type Promotion = {
  /** The id of the test merchant. */
  from: string
  publishes: boolean
  /** Names exactly this promotion: another one follows as soon as either side changes. */
  revision: string
  wheel: PromotedWheel
  campaign: PromotedCampaign | undefined
  changes: WheelChange[]
}

/** The promotion of a wheel, or of a campaign with its wheel, from the test merchant of a live merchant. */
export async function readPromotion(
  db: Queryable,
  live: { merchantId: number },
  { kind, slug, publishes, testName, now }: PromotionOrder & { now: Date },
): Promise<Promotion> {
  const test = await requireTestMerchant(db, { testOf: live.merchantId, testName })
  const campaign = kind === 'campaign' ? await readPromotedCampaign(db, { live, test, slug }) : undefined
  const wheelSlug = campaign?.settings.wheel ?? slug
  const wheel = await readPromotedWheel(db, { live, test, slug: wheelSlug, publishes, now })
  const changes = [...(campaign?.changes ?? []), ...wheel.changes]
  return {
    from: test.slug,
    publishes,
    revision: revisionOf(test.slug, publishes, wheel, campaign),
    wheel,
    campaign,
    changes,
  }
}

/** Stock that was given out and codes that are left change with every play, and are not in it. */
function revisionOf(
  from: string,
  publishes: boolean,
  wheel: PromotedWheel,
  campaign: PromotedCampaign | undefined,
): string {
  const facts = [
    from,
    publishes,
    wheel.document,
    wheel.live?.draftRevision,
    wheel.live?.publishedVersion,
    campaign?.settings,
    campaign?.live?.revision,
  ]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16)
}
