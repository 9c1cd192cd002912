import { actorText, type Cause } from '../audit-log/audit-log.ts'
import type { Database, Transaction } from '../db/database.ts'
import { insertEvents } from '../events/event-pages.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import {
  markFailed,
  putScheduled,
  readDue,
  refuseWrongMoment,
  removeScheduled,
  type ScheduledChange,
  type ScheduledKey,
} from '../scheduled/scheduled-changes.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'
import { findWheel } from '../wheels/wheels.ts'
import type { Campaign } from './campaign.ts'
import { findCampaign, lockCampaigns } from './campaigns.ts'
import { type CampaignKey, changeLocked, changing, record } from './change-campaigns.ts'

type WheelOrder = { wheel: string }

/** What depends on the wheel of a campaign elsewhere. */
type Dependents = {
  /** Refuses a wheel that it can't get. */
  check: (tx: Transaction, campaign: Campaign, wheel: Wheel, now: Date) => Promise<void>
  /** What follows once it has it. */
  follow: (tx: Transaction, campaign: Campaign, cause: Cause) => Promise<void>
}

/** Gives a campaign another wheel at a later time, in place of what was scheduled before. */
export async function scheduleWheel(
  db: Database,
  order: CampaignKey & WheelOrder & { at: Date },
  cause: Cause,
  dependents?: Dependents,
): Promise<Campaign> {
  const { merchantId, slug, wheel, at } = order
  refuseWrongMoment(at, cause.now)
  return changing(db, order, async (tx) => {
    const campaign = await findCampaign(tx, merchantId, slug)
    if (campaign.archivedAt !== null) throw new Refusal('campaign_archived')
    const found = await findWheel(tx, merchantId, wheel)
    refuseUnpublished(found, at)
    await dependents?.check(tx, campaign, found, cause.now)
    await putScheduled(tx, keyOf(order), { at, order: { wheel }, cause })
    await record(tx, order, { action: 'campaign.schedule', after: { at, wheel } }, cause)
    return findCampaign(tx, merchantId, slug)
  })
}

/** Cancels a scheduled change, or removes the note of one that failed. Repeating it changes nothing. */
export async function cancelWheel(db: Database, order: CampaignKey, cause: Cause): Promise<Campaign> {
  return changing(db, order, async (tx) => {
    const campaign = await findCampaign(tx, order.merchantId, order.slug)
    const removed = await removeScheduled<WheelOrder>(tx, keyOf(order))
    if (removed === undefined) return campaign
    const before = { at: removed.at, wheel: removed.order.wheel }
    await record(tx, order, { action: 'campaign.unschedule', before }, cause)
    return { ...campaign, scheduled: null }
  })
}

/** Makes the scheduled change, by the person who scheduled it. If that is not possible by now, nothing changes. */
export async function changeScheduledWheel(
  tx: Transaction,
  key: ScheduledKey,
  now: Date,
  dependents?: Dependents,
): Promise<void> {
  const { merchantId, subject: slug } = key
  await lockCampaigns(tx, merchantId)
  const due = await readDue<WheelOrder>(tx, key, now)
  if (due === undefined) return
  const { wheel } = due.order
  try {
    const found = await findWheel(tx, merchantId, wheel)
    if (found.publishedVersion === null) throw new Refusal('wheel_not_publishable', { detail: notPublished })
    await dependents?.check(tx, await findCampaign(tx, merchantId, slug), found, now)
    const order = { merchantId, slug, change: { wheel }, revision: undefined }
    const cause = { ...due.cause, now }
    const changed = await changeLocked(tx, order, cause)
    await dependents?.follow(tx, changed, cause)
    await removeScheduled(tx, key)
  } catch (error) {
    if (!(error instanceof Refusal) || !causes.includes(error.code)) throw error
    await fail(tx, due, { reason: error.message, now })
  }
}

/** Why a change can be impossible by now. Other refusals are about the database, and the change is tried again. */
const causes: readonly RefusalCode[] = [
  'campaign_archived',
  'wheel_not_found',
  'wheel_not_publishable',
  'entry_reason_needed',
]
const notPublished = 'The wheel is not published.'

/** A wheel may be published until the change, if that is scheduled. */
function refuseUnpublished({ publishedVersion, scheduled }: Wheel, at: Date): void {
  if (publishedVersion !== null) return
  if (scheduled !== null && scheduled.failedAt === null && new Date(scheduled.at) <= at) return
  throw new Refusal('wheel_not_publishable', { detail: 'Publish the wheel first, or schedule that.' })
}

async function fail(
  tx: Transaction,
  due: ScheduledChange<WheelOrder>,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const { merchantId, subject: campaign, at, order, cause } = due
  await markFailed(tx, due, { errors: [{ pointer: '/wheel', detail: reason }], now })
  const data = { campaign, ...order, changeAt: at.toISOString(), by: actorText(cause.actor), reason }
  await insertEvents(tx, [{ merchantId, type: 'campaign.change_failed', at: now, data }])
}

function keyOf({ merchantId, slug }: CampaignKey): ScheduledKey {
  return { merchantId, kind: 'campaign_wheel', subject: slug }
}
