import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { lockCampaigns } from '../campaigns/campaigns.ts'
import { changeUnrecorded, insertUnrecorded } from '../campaigns/change-campaigns.ts'
import { closingTimes, moveClosingTime } from '../entries/move-closing-time.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { forgetFailed } from '../scheduled/scheduled-changes.ts'
import { notPublishable } from '../wheel-document/check-wheel.ts'
import { tellChanges } from '../wheel-document/describe-change.ts'
import type { WheelVersion } from '../wheel-document/wheel-types.ts'
import { lockWheel, publishLocked, writeDraft } from '../wheels/wheels.ts'
import type { PromotedCampaign } from './promoted-campaign.ts'
import type { PromotedWheel } from './promoted-wheel.ts'
import { type Promotion, type PromotionOrder, readPromotion } from './promotion.ts'

/**
 * Carries out the promotion that `revision` names, in one transaction and with one entry in the audit log. Refused if
 * either merchant has changed since. A promotion without changes does nothing.
 */
export async function promote(
  db: Database,
  live: { merchantId: number },
  order: PromotionOrder & { revision: string },
  cause: Cause,
): Promise<Promotion & { version: number | null }> {
  return db.transaction(async (tx) => {
    await lockCampaigns(tx, live.merchantId)
    const promotion = await readPromotion(tx, live, { ...order, now: cause.now })
    if (promotion.revision !== order.revision) throw new Refusal('promotion_changed')
    const { wheel, campaign, publishes, changes } = promotion
    if (changes.length === 0) return { ...promotion, version: null }
    const version = await promoteWheel(tx, live.merchantId, { wheel, publishes }, cause)
    if (campaign !== undefined) await promoteCampaign(tx, live.merchantId, campaign, cause)
    await recordPromotion(tx, live.merchantId, { promotion, version }, cause)
    return { ...promotion, version: version?.version ?? null }
  })
}

async function promoteWheel(
  tx: Transaction,
  merchantId: number,
  { wheel, publishes }: { wheel: PromotedWheel; publishes: boolean },
  cause: Cause,
): Promise<WheelVersion | undefined> {
  const { slug, document: draft, live, changes } = wheel
  if (changes.length === 0) return undefined
  const earlier = live && (await lockWheel(tx, live))
  if (earlier?.draftRevision !== live?.draftRevision || earlier?.publishedVersion !== live?.publishedVersion)
    throw new Refusal('promotion_changed')
  const saved = await writeDraft(tx, { merchantId, slug, draft, now: cause.now }, { earlier, cause })
  if (!publishes) return undefined
  await forgetFailed(tx, { merchantId, kind: 'publication', subject: slug })
  const published = await publishLocked(tx, saved, { now: cause.now })
  if ('errors' in published) throw notPublishable(published.errors)
  await closingTimes.follow(tx, saved, cause, promoted)
  return published
}

async function promoteCampaign(
  tx: Transaction,
  merchantId: number,
  { slug, settings, live, purse }: PromotedCampaign,
  cause: Cause,
): Promise<void> {
  if (live === undefined) await insertUnrecorded(tx, { ...settings, merchantId, slug, purse }, cause)
  else {
    const order = { merchantId, slug, change: settings, revision: undefined }
    const { campaign } = await changeUnrecorded(tx, order, cause)
    await moveClosingTime(tx, campaign, { reason: promoted, cause })
  }
}

async function recordPromotion(
  tx: Transaction,
  merchantId: number,
  { promotion, version }: { promotion: Promotion; version: WheelVersion | undefined },
  cause: Cause,
): Promise<void> {
  const { from, wheel, campaign, changes } = promotion
  const kind = campaign === undefined ? 'wheel' : 'campaign'
  const told = tellChanges(changes)
  const published = version === undefined ? {} : { version: version.version, hash: version.sha256 }
  const subject = { kind, id: campaign?.slug ?? wheel.slug }
  const after = { from, ...published, ...told.after }
  await recordChanges(
    tx,
    [{ merchantId, action: `${kind}.promote`, subject, before: told.before, after }],
    cause,
  )
}

const promoted = 'promoted from the test merchant'
