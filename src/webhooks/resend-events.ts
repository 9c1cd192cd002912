import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Database, Queryable } from '../db/database.ts'
import { firstKeptSeq, type LoggedEvent, scanEvents } from '../events/event-log.ts'
import { findSeq, logSkewMs } from '../events/find-seq.ts'
import {
  eventsScannedMax,
  webhookResendCountMax,
  webhookResendsMax,
  webhookResendStepMax,
  webhookResendWaitingMax,
} from '../limits.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'
import { deliveryOf, jobOfEvent } from './sending/jobs.ts'
import { readProgress } from './webhook-cursors.ts'
import { countDead, countDeliveries, reviveDeliveries, upsertDeliveries } from './webhook-deliveries.ts'
import {
  advanceResend,
  countUnfinishedResends,
  findResendByKey,
  insertResend,
  lockNextResend,
  type Resend,
} from './webhook-resends.ts'
import { lockWebhook } from './webhook-locks.ts'
import { readWebhook, recordWebhookChange, type Webhook } from './webhooks.ts'

/** The events to send again. */
export type ResendOrder = {
  /** `dead`: events that were given up. `all`: everything that the log still has, including accepted events. */
  only: 'dead' | 'all'
  fromSeq: number
  toSeq: number
  /** Only events that happened, or were given up, at this time or later. */
  since: Date | null
}

/**
 * Records that events are to be sent again, with the same ids and all their attempts. One event is queued at once;
 * many are queued in the background. A repeat with the same key returns the first resend.
 */
export async function orderResend(
  db: Database,
  webhook: Webhook,
  order: ResendOrder & { key: string | null; now: Date },
  cause?: Cause,
): Promise<{ resend: Resend; isReplay: boolean }> {
  return db.transaction(async (tx) => {
    await lockWebhook(tx, webhook.webhookNo)
    const earlier = await findEarlier(tx, webhook, order)
    if (earlier !== undefined) return { resend: earlier, isReplay: true }
    if ((await countUnfinishedResends(tx, webhook.webhookNo)) >= webhookResendsMax)
      throw new Refusal('resend_limit_reached')
    const resend = await makeResend(tx, webhook, order)
    assert(await insertResend(tx, resend))
    const { only, fromSeq, toSeq, since } = order
    const after = { only, fromSeq, ...(toSeq === lastSeqOfAll ? {} : { toSeq }), since }
    await recordWebhookChange(tx, webhook, { action: 'webhook.resend', after }, cause)
    if (fromSeq !== toSeq) return { resend, isReplay: false }
    const done = await stepResend(tx, webhook, resend, order.now)
    if (done.queued === 0) throw new Refusal('event_not_found')
    return { resend: done, isReplay: false }
  })
}

export const lastSeqOfAll = Number.MAX_SAFE_INTEGER

async function findEarlier(
  tx: Queryable,
  { webhookNo }: Webhook,
  { key, only, fromSeq, toSeq, since }: ResendOrder & { key: string | null },
): Promise<Resend | undefined> {
  const resend = key === null ? undefined : await findResendByKey(tx, webhookNo, key)
  if (resend === undefined) return undefined
  const isSame =
    resend.onlyDead === (only === 'dead') &&
    resend.fromSeq === fromSeq &&
    resend.toSeq === toSeq &&
    resend.since?.getTime() === since?.getTime()
  if (!isSame)
    throw new Refusal('idempotency_key_reused', { detail: otherThanBefore('other events to resend') })
  return resend
}

async function makeResend(
  tx: Queryable,
  webhook: Webhook,
  order: ResendOrder & { key: string | null; now: Date },
): Promise<Resend> {
  const { only, fromSeq, toSeq, since, key, now } = order
  const range = only === 'dead' ? { nextSeq: fromSeq, lastSeq: toSeq } : await logRange(tx, webhook, order)
  return {
    ...range,
    resendId: `rs_${randomBytes(8).toString('hex')}`,
    merchantId: webhook.merchantId,
    webhookNo: webhook.webhookNo,
    onlyDead: only === 'dead',
    fromSeq,
    toSeq,
    since,
    queued: 0,
    key,
    createdAt: now,
    finishedAt: null,
  }
}

/** The part of the log that a resend reads. */
async function logRange(
  tx: Queryable,
  { webhookNo, merchantId }: Webhook,
  { fromSeq, toSeq, since }: ResendOrder,
): Promise<Pick<Resend, 'nextSeq' | 'lastSeq'>> {
  // Events after the cursor will be sent anyway.
  const cursorSeq = (await readProgress(tx, [webhookNo])).get(webhookNo)?.cursorSeq ?? 0
  const lastSeq = Math.min(toSeq, cursorSeq)
  const from = Math.max(fromSeq, await firstKeptSeq(tx, merchantId))
  const early = since === null ? undefined : new Date(since.getTime() - logSkewMs)
  const range = { merchantId, from, to: lastSeq }
  const nextSeq = early === undefined ? from : await findSeq(tx, range, early)
  return { nextSeq, lastSeq }
}

/**
 * The number of events that a resend would queue, counted up to a limit. The log has no index by type or time, so
 * counting reads the events.
 */
export async function countResend(
  db: Queryable,
  webhook: Webhook,
  order: ResendOrder,
): Promise<{ events: number; isComplete: boolean }> {
  const { webhookNo, merchantId, types } = webhook
  const { only, fromSeq, toSeq, since } = order
  if (only === 'dead') {
    const countMax = webhookResendCountMax
    const events = await countDead(db, { webhookNo, fromSeq, toSeq, deadSince: since, countMax })
    return { events, isComplete: events < countMax }
  }
  const { nextSeq, lastSeq } = await logRange(db, webhook, order)
  if (types === null && since === null)
    return { events: Math.max(0, lastSeq - nextSeq + 1), isComplete: true }
  let events = 0
  for (let after = nextSeq - 1; after < lastSeq;) {
    if (after - nextSeq >= webhookResendCountMax) return { events, isComplete: false }
    const query = { merchantId, after, types: types ?? undefined, limit: eventsScannedMax }
    const found = await scanEvents(db, query)
    events += wantedOf(found.events, { lastSeq, since }).length
    if (found.next === after) break
    after = found.next
  }
  return { events, isComplete: true }
}

/** The events of a scan that belong to a resend. */
function wantedOf(
  events: readonly LoggedEvent[],
  { lastSeq, since }: Pick<Resend, 'lastSeq' | 'since'>,
): LoggedEvent[] {
  const isSince = (at: string) => since === null || Date.parse(at) >= since.getTime()
  return events.filter(({ seq, at }) => seq <= lastSeq && isSince(at))
}

/** Does a step of the resend that has waited longest. Returns `none` if there is nothing to do now. */
export async function continueResend(db: Database, now: Date): Promise<'moved' | 'waits' | 'none'> {
  return db.transaction(async (tx) => {
    const resend = await lockNextResend(tx)
    if (resend === undefined) return 'none'
    const webhook = await readWebhook(tx, resend.webhookNo)
    if (webhook === undefined) {
      await advanceResend(tx, { ...resend, finishedAt: now }, now)
      return 'moved'
    }
    const { waiting } = await countDeliveries(tx, resend.webhookNo, webhookResendWaitingMax)
    if (waiting >= webhookResendWaitingMax) {
      await advanceResend(tx, resend, now)
      return 'waits'
    }
    await stepResend(tx, webhook, resend, now)
    return 'moved'
  })
}

/** Queues a limited number of events and records the progress, in the caller's transaction. */
async function stepResend(tx: Queryable, webhook: Webhook, resend: Resend, now: Date): Promise<Resend> {
  const step = await (resend.onlyDead ? reviveDead(tx, resend, now) : queueLogged(tx, webhook, resend, now))
  const isDone = step.next === null || step.next > resend.lastSeq
  const advanced = {
    ...resend,
    nextSeq: step.next ?? resend.nextSeq,
    queued: resend.queued + step.queued,
    finishedAt: isDone ? now : null,
  }
  await advanceResend(tx, advanced, now)
  return advanced
}

/** `next` is the first event that was not read; null if there are no more. */
type Step = { queued: number; next: number | null }

async function reviveDead(tx: Queryable, resend: Resend, now: Date): Promise<Step> {
  const { webhookNo, nextSeq: fromSeq, lastSeq: toSeq, since: deadSince } = resend
  const limit = webhookResendStepMax
  const revived = await reviveDeliveries(tx, { webhookNo, fromSeq, toSeq, deadSince, now, limit })
  const last = Math.max(0, ...revived.map(({ seq }) => seq))
  return { queued: revived.length, next: revived.length === limit ? last + 1 : null }
}

async function queueLogged(tx: Queryable, webhook: Webhook, resend: Resend, now: Date): Promise<Step> {
  const { merchantId, types } = webhook
  const { lastSeq } = resend
  const after = Math.max(resend.nextSeq, await firstKeptSeq(tx, merchantId)) - 1
  if (after >= lastSeq) return { queued: 0, next: null }
  const query = { merchantId, after, types: types ?? undefined, limit: webhookResendStepMax }
  const { events, next } = await scanEvents(tx, query)
  const wanted = wantedOf(events, resend)
  await upsertDeliveries(
    tx,
    wanted.map((event) => deliveryOf(jobOfEvent(event), webhook, now)),
  )
  // On a cluster the page may come a moment later.
  const isOver = next === after && tx.isCluster !== true
  return { queued: wanted.length, next: isOver ? null : next + 1 }
}
