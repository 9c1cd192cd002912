import { actorText, type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { mainCampaign } from '../campaign-ref.ts'
import { type Campaign, openingOf } from '../campaigns/campaign.ts'
import { findCampaign } from '../campaigns/campaigns.ts'
import type { Transaction } from '../db/database.ts'
import { type FieldError, Refusal } from '../refusals.ts'
import type { Schedule, Wheel } from '../wheel-document/wheel-types.ts'
import { rulesOf } from './form.ts'
import { insertForm, keepTexts, listEntryCampaigns, lockEntry, readEntry, saveEntry } from './entry-rows.ts'
import { termsText, textHash, textsOf } from './terms.ts'

/**
 * What a change of a campaign means for its entry, in the same transaction. The closing time is a part of the terms:
 * another one is a new version of them, for those who enter from now on. Once somebody has entered, it needs a reason.
 */
export async function moveClosingTime(
  tx: Transaction,
  campaign: Campaign,
  { reason, cause }: { reason: string | undefined; cause: Cause },
): Promise<void> {
  const key = { merchantId: campaign.merchantId, campaignId: campaign.campaignId }
  if ((await readEntry(tx, key)) === undefined) return
  await lockEntry(tx, key)
  const entry = await readEntry(tx, key)
  const { closesAt } = openingOf(campaign, cause.now)
  if (entry === undefined || entry.closesAt?.getTime() === closesAt?.getTime()) return
  if (entry.isOpen && closesAt === null)
    throw new Refusal('entry_not_ready', { errors: [{ pointer: '/closesAt', detail: 'is in the terms' }] })
  if (entry.entered > 0 && reason === undefined) throw new Refusal('entry_reason_needed')
  const { fields, terms } = entry
  const termsHash = textHash(termsText(terms, closesAt))
  await keepTexts(tx, textsOf(fields, terms, closesAt))
  const actor = actorText(cause.actor)
  const form = { ...key, fields, terms, termsHash, closesAt, reason: reason ?? null, actor, now: cause.now }
  const version = await insertForm(tx, form)
  await saveEntry(tx, key, { settings: rulesOf(entry), version, now: cause.now })
  const told = (one: number, moment: Date | null) => ({ version: one, closesAt: moment })
  await recordChanges(
    tx,
    [
      {
        merchantId: key.merchantId,
        action: 'entry.change',
        subject: { kind: 'campaign', id: campaign.slug },
        before: told(entry.version, entry.closesAt),
        after: { ...told(version, closesAt), ...(reason === undefined ? {} : { reason }) },
      },
    ],
    cause,
  )
}

type WheelKey = Pick<Wheel, 'merchantId' | 'wheelId'>

/** What the publication of a wheel means for campaigns that visitors enter. */
export const closingTimes = {
  /** Why the draft can't be published. */
  async check(tx: Transaction, wheel: WheelKey & Pick<Wheel, 'draft'>, now: Date): Promise<FieldError[]> {
    const errors: FieldError[] = []
    for (const campaign of await campaignsOf(tx, wheel))
      errors.push(...(await checkSchedule(tx, campaign, wheel.draft, now)))
    return errors
  },
  /** Terms under which nobody has entered get the new closing time; with a reason, others too. */
  async follow(tx: Transaction, wheel: WheelKey, cause: Cause, reason?: string): Promise<void> {
    for (const campaign of await campaignsOf(tx, wheel)) await follow(tx, campaign, cause, reason)
  },
}

/** The same for a campaign that gets another wheel. */
export const closingTimeOfWheel = {
  async check(tx: Transaction, campaign: Campaign, wheel: Wheel, now: Date): Promise<void> {
    const [error] = await checkSchedule(tx, campaign, wheel.schedule ?? wheel.draft, now)
    if (error !== undefined)
      throw new Refusal('entry_reason_needed', { detail: `The closing time ${error.detail}.` })
  },
  follow,
}

/** The same for the wheel that game links open, which is that of `main`. */
export function closingTimeOfMain(wheel: Wheel, cause: Cause) {
  const main = (tx: Transaction) => findCampaign(tx, wheel.merchantId, mainCampaign.slug)
  return {
    before: async (tx: Transaction) => closingTimeOfWheel.check(tx, await main(tx), wheel, cause.now),
    after: async (tx: Transaction) => follow(tx, await main(tx), cause),
  }
}

/** The campaigns of a wheel that visitors can enter, or could. */
async function campaignsOf(tx: Transaction, { merchantId, wheelId }: WheelKey): Promise<Campaign[]> {
  const campaigns: Campaign[] = []
  for (const slug of await listEntryCampaigns(tx, merchantId)) {
    const campaign = await findCampaign(tx, merchantId, slug)
    if (campaign.wheelId === wheelId) campaigns.push(campaign)
  }
  return campaigns
}

/** Why a campaign can't have this schedule: its closing time is in the terms under which visitors enter. */
async function checkSchedule(
  tx: Transaction,
  campaign: Campaign,
  schedule: Schedule,
  now: Date,
): Promise<FieldError[]> {
  const { closesAt } = openingOf({ ...campaign, schedule }, now)
  const isMoved = openingOf(campaign, now).closesAt?.getTime() !== closesAt?.getTime()
  if ((!isMoved && closesAt !== null) || (await readEntry(tx, campaign)) === undefined) return []
  // Nobody enters until this transaction has ended.
  await lockEntry(tx, campaign)
  const entry = await readEntry(tx, campaign)
  const error = (detail: string) => [
    { pointer: '/closesAt', detail: `${detail} (campaign "${campaign.slug}")` },
  ]
  if (entry?.isOpen === true && closesAt === null) return error('is needed while visitors can enter')
  return isMoved && entry !== undefined && entry.entered > 0
    ? error('is in the terms of visitors who have entered: move it in the campaign, with a reason')
    : []
}

async function follow(tx: Transaction, campaign: Campaign, cause: Cause, reason?: string): Promise<void> {
  const entered = (await readEntry(tx, campaign))?.entered ?? 0
  if (entered === 0 || reason !== undefined) await moveClosingTime(tx, campaign, { reason, cause })
}
