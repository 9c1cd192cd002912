import { untilDone } from '../db/database.ts'
import { type Merchant, readMerchant } from '../merchants/merchants.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import { timeOf } from '../test-clock.ts'
import { type CurrentWheel, openingOfWheel } from '../wheels/published-wheels.ts'
import type { Context } from './entry-context.ts'
import { type CampaignEntry, readEntry } from './entry-rows.ts'

/** The entry of a campaign at its public address, with all that visitors may know. */
export type PublicEntry = {
  merchant: Merchant
  wheel: CurrentWheel
  entry: CampaignEntry
  now: Date
}

/**
 * The entry at an address. A merchant that is suspended, a campaign without a published wheel, and an unknown one look
 * the same from outside.
 */
export async function findEntry(
  ctx: Context,
  address: { merchant: string; campaign: string },
): Promise<PublicEntry> {
  const { db, sharedReads } = ctx
  const merchant = await sharedReads.read(`merchant ${address.merchant}`, () =>
    untilDone(() => readMerchant(db, address.merchant)),
  )
  if (merchant === undefined || merchant.suspendedAt !== null) throw new Refusal('entry_not_found')
  const { merchantId } = merchant
  const wheel = await ctx.wheels.current(merchantId, address.campaign).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'campaign_not_published') return undefined
    throw error
  })
  if (wheel === undefined) throw new Refusal('entry_not_found')
  const { campaignId } = wheel.campaign
  const entry = await sharedReads.read(`entry ${merchantId} ${campaignId}`, () =>
    untilDone(() => readEntry(db, { merchantId, campaignId })),
  )
  if (entry === undefined) throw new Refusal('entry_not_found')
  return { merchant, wheel, entry, now: timeOf(merchant, ctx.now()) }
}

/** The same, if visitors can enter at all. */
export async function findOpenEntry(
  ctx: Context,
  address: { merchant: string; campaign: string },
): Promise<PublicEntry> {
  const found = await findEntry(ctx, address)
  if (!found.entry.isOpen) throw new Refusal('entry_not_found')
  return found
}

export const entryStates = ['open', 'scheduled', 'closed', 'ended', 'paused', 'full'] as const
type EntryState = (typeof entryStates)[number]

/** Whether visitors can enter now, or why not. */
export function stateOfEntry({ wheel, entry, now }: Omit<PublicEntry, 'merchant'>): {
  state: EntryState
  opensAt: Date | null
  closesAt: Date | null
} {
  const { state, opensAt, closesAt } = openingOfWheel(wheel, now)
  const starts = wheel.schedule.opensAt
  const choose = (): EntryState => {
    if (wheel.campaign.archivedAt !== null || (closesAt !== null && now >= closesAt)) return 'ended'
    if (state === 'paused') return 'paused'
    if (state === 'closed') return starts !== undefined && now < new Date(starts) ? 'scheduled' : 'closed'
    return entry.entriesMax !== null && entry.entered >= entry.entriesMax ? 'full' : 'open'
  }
  return { state: choose(), opensAt, closesAt }
}

/** Refuses an entry that can't be made now, before anything about the visitor is looked at. */
export function refuseClosed(found: PublicEntry): void {
  const { state } = stateOfEntry(found)
  if (state !== 'open') throw new Refusal(refusalsOfStates[state])
}

const refusalsOfStates: Record<Exclude<EntryState, 'open'>, RefusalCode> = {
  scheduled: 'entry_closed',
  closed: 'entry_closed',
  ended: 'entry_closed',
  paused: 'entry_paused',
  full: 'entry_full',
}
