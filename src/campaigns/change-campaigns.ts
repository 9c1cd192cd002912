import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { isMain } from '../campaign-ref.ts'
import type { Database, Transaction } from '../db/database.ts'
import { insertEvents } from '../events/event-pages.ts'
import { liveCampaignsMax } from '../limits.ts'
import { setWheelOfMerchant } from '../merchants/merchants.ts'
import { Refusal } from '../refusals.ts'
import { ruleOf } from '../free-spin-rule/free-spin-rule.ts'
import { removeScheduled } from '../scheduled/scheduled-changes.ts'
import { insertPause } from '../wheels/interruptions.ts'
import { readVersion } from '../wheels/wheel-versions.ts'
import { findWheel, insertDraft } from '../wheels/wheels.ts'
import { type Campaign, type CampaignSettings, settingsOf } from './campaign.ts'
import { changeEvents, eventAbout, settingsTold } from './campaign-events.ts'
import { activeFreeSpins } from './check-free-spins.ts'
import {
  countLiveCampaigns,
  findCampaign,
  insertCampaign,
  lockCampaigns,
  setArchived,
  updateCampaign,
} from './campaigns.ts'

export type CampaignKey = { merchantId: number; slug: string }

/** `purse` is the id of the campaign whose purse it shares; undefined for a purse of its own. */
type CampaignOrder = CampaignKey & CampaignSettings & { purse: string | undefined }

/** Creates a campaign. Its wheel may still be a draft; its links work once the wheel is published. */
export async function createCampaign(db: Database, order: CampaignOrder, cause: Cause): Promise<Campaign> {
  return changing(db, order, (tx) => create(tx, order, cause))
}

async function create(tx: Transaction, order: CampaignOrder, cause: Cause): Promise<Campaign> {
  const created = await insertUnrecorded(tx, order, cause)
  await record(tx, created, { action: 'campaign.create', after: summaryOf(created) }, cause)
  return created
}

/** The same, without an entry in the audit log: for a change that writes one about more than this. */
export async function insertUnrecorded(
  tx: Transaction,
  order: CampaignOrder,
  cause: Cause,
): Promise<Campaign> {
  const { merchantId, slug, purse } = order
  refuseWrongDates(order)
  const { wheelId } = await findWheel(tx, merchantId, order.wheel)
  const purseId = purse === undefined ? null : (await findCampaign(tx, merchantId, purse)).purseId
  if (isMain(order)) throw new Refusal('campaign_exists')
  if ((await countLiveCampaigns(tx, merchantId)) >= liveCampaignsMax)
    throw new Refusal('campaign_limit_reached')
  const freeSpins = await activeFreeSpins(tx, order, undefined, cause.now)
  if (!(await insertCampaign(tx, { ...order, freeSpins, wheelId, purseId, now: cause.now })))
    throw new Refusal('campaign_exists')
  const created = await findCampaign(tx, merchantId, slug)
  await insertEvents(tx, [eventAbout('campaign.created', created, settingsTold(created), cause)])
  return created
}

type CampaignChange = CampaignKey & {
  change: Partial<CampaignSettings> & { isPaused?: boolean }
  /** The revision that the change is based on; undefined if the last change wins. */
  revision: number | undefined
}

/**
 * Changes settings or the pause. The purse never changes: balances would be exchanged under the players. `alsoChange`
 * changes what follows from it, or refuses.
 */
export async function changeCampaign(
  db: Database,
  order: CampaignChange,
  cause: Cause,
  alsoChange?: (tx: Transaction, campaign: Campaign) => Promise<void>,
): Promise<Campaign> {
  return changing(db, order, async (tx) => {
    const campaign = await changeLocked(tx, order, cause)
    await alsoChange?.(tx, campaign)
    return campaign
  })
}

/** The same, while the merchant's campaigns are locked. A refusal comes before the first write. */
export async function changeLocked(tx: Transaction, order: CampaignChange, cause: Cause): Promise<Campaign> {
  const { campaign, told } = await changeUnrecorded(tx, order, cause)
  if (told !== undefined) await record(tx, campaign, { action: 'campaign.change', ...told }, cause)
  return campaign
}

/** The same, without an entry in the audit log. `told` is for that entry; undefined if nothing has changed. */
export async function changeUnrecorded(
  tx: Transaction,
  order: CampaignChange,
  cause: Cause,
): Promise<{ campaign: Campaign; told?: Told }> {
  const before = await findCampaign(tx, order.merchantId, order.slug)
  if (before.archivedAt !== null) throw new Refusal('campaign_archived')
  if (order.revision !== undefined && order.revision !== before.revision)
    throw new Refusal('campaign_changed')
  const { isPaused, ...settings } = order.change
  const changed = { ...before, ...settings, pausedAt: pausedAtOf(before, isPaused, cause.now) }
  const after = { ...changed, freeSpins: await activeFreeSpins(tx, changed, before, cause.now) }
  refuseWrongDates(after)
  refuseLifetimeOfMain(after)
  if (JSON.stringify(before) === JSON.stringify(after)) return { campaign: before }
  const told = await write(tx, before, after, cause)
  return { campaign: await findCampaign(tx, order.merchantId, order.slug), told }
}

type Told = { before: object; after: object }

async function write(tx: Transaction, before: Campaign, after: Campaign, cause: Cause): Promise<Told> {
  const wheel = await findWheel(tx, after.merchantId, after.wheel)
  if (isMain(after) && wheel.wheelId !== before.wheelId) {
    if (wheel.publishedVersion === null)
      throw new Refusal('wheel_not_publishable', { detail: 'Publish the wheel first.' })
    await setWheelOfMerchant(tx, after.merchantId, wheel.wheelId)
  }
  await updateCampaign(tx, { ...after, wheelId: wheel.wheelId })
  if (before.pausedAt !== null && after.pausedAt === null)
    await insertPause(tx, pausedOf(before), { startsAt: before.pausedAt, endsAt: cause.now })
  const [from, to] = [summaryOf(before), summaryOf(after)]
  const changed = Object.keys(to).filter((name) => !isEqual(from[name], to[name]))
  const only = (all: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, all[name]]))
  await insertEvents(tx, changeEvents(before, after, changed, cause))
  return { before: only(from), after: only(to) }
}

/** Archives a campaign, or restores it. Repeating it changes nothing. Balances stay as they are. */
export async function archiveCampaign(
  db: Database,
  order: CampaignKey & { isArchived: boolean },
  cause: Cause,
): Promise<Campaign> {
  const { merchantId, slug, isArchived } = order
  return changing(db, order, async (tx) => {
    const campaign = await findCampaign(tx, merchantId, slug)
    if (isMain(campaign)) throw new Refusal('campaign_is_main')
    if ((campaign.archivedAt !== null) === isArchived) return campaign
    if (!isArchived && (await countLiveCampaigns(tx, merchantId)) >= liveCampaignsMax)
      throw new Refusal('campaign_limit_reached')
    await setArchived(tx, campaign.campaignId, isArchived ? cause.now : null)
    if (campaign.archivedAt !== null)
      await insertPause(tx, pausedOf(campaign), { startsAt: campaign.archivedAt, endsAt: cause.now })
    await record(tx, campaign, { action: isArchived ? 'campaign.archive' : 'campaign.restore' }, cause)
    if (isArchived) await removeScheduled(tx, { merchantId, kind: 'campaign_wheel', subject: slug })
    const type = isArchived ? 'campaign.archived' : 'campaign.restored'
    await insertEvents(tx, [eventAbout(type, campaign, {}, cause)])
    return findCampaign(tx, merchantId, slug)
  })
}

/**
 * Creates a campaign like another one, with a purse of its own and without dates. Its wheel is a new draft with the id
 * of the new campaign, so that the two do not share stock; or the same wheel, if the caller wants that.
 */
export async function duplicateCampaign(
  db: Database,
  order: CampaignKey & { copy: string; name: string | undefined; sharesWheel: boolean },
  cause: Cause,
): Promise<Campaign> {
  const { merchantId, copy } = order
  return changing(db, order, async (tx) => {
    const original = await findCampaign(tx, merchantId, order.slug)
    const { name, wheel, wheelId, wheelVersion, priority, texts, spinLifetimeDays } = original
    if (!order.sharesWheel) {
      const { draft } = await findWheel(tx, merchantId, wheel)
      const published =
        wheelVersion === null ? undefined : await readVersion(tx, { wheelId, version: wheelVersion })
      const { opensAt: _from, closesAt: _to, ...document } = published?.document ?? draft
      // The wheel gets the name of the copy, or two wheels would look the same.
      const named = order.name === undefined ? document : { ...document, name: order.name }
      await insertDraft(tx, { merchantId, slug: copy, draft: named, now: cause.now }, cause)
    }
    const freeSpins = original.freeSpins && ruleOf(original.freeSpins)
    const dates = { opensAt: null, closesAt: null, spinLifetimeDays, freeSpins }
    const settings = { name: order.name ?? name, priority, texts, ...dates }
    const made = { ...settings, wheel: order.sharesWheel ? wheel : copy, purse: undefined }
    return create(tx, { merchantId, slug: copy, ...made }, cause)
  })
}

/** Not retried: the repeat of a change that succeeded would find the id taken or the revision changed. */
export function changing<T>(
  db: Database,
  { merchantId }: CampaignKey,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await lockCampaigns(tx, merchantId)
    return work(tx)
  })
}

function refuseWrongDates({ opensAt, closesAt }: Pick<CampaignSettings, 'opensAt' | 'closesAt'>): void {
  if (opensAt === null || closesAt === null || opensAt < closesAt) return
  const detail = 'must be later than the opening'
  throw new Refusal('validation_failed', {
    detail: `/closesAt ${detail}`,
    errors: [{ pointer: '/closesAt', detail }],
  })
}

function refuseLifetimeOfMain(campaign: Campaign): void {
  if (!isMain(campaign) || campaign.spinLifetimeDays === null) return
  const detail = "must be null: `main` has the merchant's `spinLifetimeDays`"
  throw new Refusal('validation_failed', {
    detail: `/spinLifetimeDays ${detail}`,
    errors: [{ pointer: '/spinLifetimeDays', detail }],
  })
}

function pausedAtOf({ pausedAt }: Campaign, isPaused: boolean | undefined, now: Date): Date | null {
  if (isPaused === undefined || isPaused === (pausedAt !== null)) return pausedAt
  return isPaused ? now : null
}

/** The campaign alone: others with the same wheel go on. */
function pausedOf({ merchantId, campaignId }: Campaign): { merchantId: number; campaignId: number } {
  return { merchantId, campaignId }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The fields for the audit log. */
function summaryOf(campaign: Campaign): Record<string, unknown> {
  const { purse, pausedAt } = campaign
  return { ...settingsOf(campaign), purse, pausedAt }
}

export async function record(
  tx: Transaction,
  { merchantId, slug }: CampaignKey,
  change: { action: string; before?: object; after?: object },
  cause: Cause,
): Promise<void> {
  await recordChanges(tx, [{ merchantId, subject: { kind: 'campaign', id: slug }, ...change }], cause)
}
