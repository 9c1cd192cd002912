import { type Campaign, type CampaignSettings, settingsOf } from '../campaigns/campaign.ts'
import { findCampaign, readCampaign } from '../campaigns/campaigns.ts'
import type { Queryable } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { compareFields, type WheelChange } from '../wheel-document/compare-wheels.ts'

/** The campaign of a promotion: the settings that the live campaign gets. Its pause and its purse stay. */
export type PromotedCampaign = {
  slug: string
  settings: CampaignSettings
  /** The live campaign; undefined if it is new. */
  live: Campaign | undefined
  /** Of a new campaign: the campaign whose spins it shares; undefined for a purse of its own. */
  purse: string | undefined
  isPurseDifferent: boolean
  changes: WheelChange[]
}

export async function readPromotedCampaign(
  db: Queryable,
  { live, test, slug }: { live: { merchantId: number }; test: { merchantId: number }; slug: string },
): Promise<PromotedCampaign> {
  const tested = await findCampaign(db, test.merchantId, slug)
  const earlier = await readCampaign(db, { merchantId: live.merchantId, slug })
  for (const [campaign, where] of [
    [tested, 'test'],
    [earlier, 'live'],
  ] as const)
    if (campaign !== undefined && campaign.archivedAt !== null)
      throw new Refusal('campaign_archived', { detail: `The campaign of the ${where} merchant is archived.` })
  const purse = tested.purse === slug ? undefined : tested.purse
  if (earlier === undefined && purse !== undefined) await refuseMissingPurse(db, live.merchantId, purse)
  const settings = settingsOf(tested)
  const before = earlier === undefined ? {} : fieldsOf(settingsOf(earlier))
  const after = earlier === undefined ? withoutNulls({ ...fieldsOf(settings), purse }) : fieldsOf(settings)
  return {
    slug,
    settings,
    live: earlier,
    purse,
    isPurseDifferent: earlier !== undefined && earlier.purse !== tested.purse,
    changes: compareFields('/campaign', before, after),
  }
}

async function refuseMissingPurse(db: Queryable, merchantId: number, purse: string): Promise<void> {
  if ((await readCampaign(db, { merchantId, slug: purse })) !== undefined) return
  const detail = `The campaign shares the spins of "${purse}", which the live merchant does not have. Promote "${purse}" first.`
  throw new Refusal('campaign_not_found', { detail })
}

/** Dates as texts, so that they can be compared. */
function fieldsOf(settings: CampaignSettings): Record<string, unknown> {
  return JSON.parse(JSON.stringify(settings)) as Record<string, unknown>
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
