import type { Database } from '../db/database.ts'
import { firstKeptSeq, type LoggedEvent, scanEvents } from '../events/event-log.ts'
import { webhookResendMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { deliveryOf, jobOfEvent } from './jobs.ts'
import { readProgress } from './webhook-cursors.ts'
import { reviveDeliveries, upsertDeliveries } from './webhook-deliveries.ts'
import type { Webhook } from './webhooks.ts'

/** Which events to send again. */
export type ResendOrder = {
  /** `dead`: those that were given up. `all`: whatever the log still has, also what was taken. */
  only: 'dead' | 'all'
  fromSeq: number
  toSeq: number
  /** Those that happened, or were given up, at this time or after it. */
  since: Date | null
}

/** `next` is where to go on, if there were more than one order takes. */
export type ResendResult = { queued: number; next: number | null }

/** Events are sent again under the ids that they had, with all their tries, beside whatever is sent anyway. */
export async function resendEvents(
  db: Database,
  webhook: Webhook,
  order: ResendOrder & { now: Date },
): Promise<ResendResult> {
  const resend = order.only === 'dead' ? reviveDead : queueLogged
  const result = await resend(db, webhook, order)
  if (result.queued === 0 && order.fromSeq === order.toSeq) throw new Refusal('event_not_found')
  return result
}

async function reviveDead(
  db: Database,
  { webhookNo }: Webhook,
  order: ResendOrder & { now: Date },
): Promise<ResendResult> {
  const { fromSeq, toSeq, since, now } = order
  const limit = webhookResendMax
  const revived = await reviveDeliveries(db, { webhookNo, fromSeq, toSeq, deadSince: since, now, limit })
  const isMore = revived.length === limit
  return { queued: revived.length, next: isMore ? Math.max(...revived.map(({ seq }) => seq)) + 1 : null }
}

async function queueLogged(
  db: Database,
  webhook: Webhook,
  order: ResendOrder & { now: Date },
): Promise<ResendResult> {
  const { merchantId, webhookNo } = webhook
  // What is behind the cursor will be sent anyway.
  const cursorSeq = (await readProgress(db, [webhookNo])).get(webhookNo)?.cursorSeq ?? 0
  const toSeq = Math.min(order.toSeq, cursorSeq)
  const kept = await firstKeptSeq(db, merchantId)
  const bounds = { from: Math.max(order.fromSeq, kept), to: toSeq }
  const from = order.since === null ? bounds.from : await firstSince(db, merchantId, bounds, order.since)
  let queued = 0
  let after = from - 1
  while (after < toSeq && queued < webhookResendMax) {
    const limit = Math.min(1_000, webhookResendMax - queued)
    const { events, next } = await scanEvents(db, {
      merchantId,
      after,
      types: webhook.types ?? undefined,
      limit,
    })
    if (next === after) break
    const wanted = events.filter((event) => event.seq <= toSeq && isSince(event, order.since))
    const deliveries = wanted.map((event) => deliveryOf(jobOfEvent(event), webhook, order.now))
    await upsertDeliveries(db, deliveries)
    queued += wanted.length
    after = next
  }
  return { queued, next: after < toSeq ? after + 1 : null }
}

function isSince(event: LoggedEvent, since: Date | null): boolean {
  return since === null || Date.parse(event.at) >= since.getTime()
}

/**
 * About the first event since a time, by halving: the log is in the order of commits, and times are a little off that,
 * so it looks a minute further back.
 */
async function firstSince(
  db: Database,
  merchantId: number,
  bounds: { from: number; to: number },
  since: Date,
): Promise<number> {
  const early = since.getTime() - 60_000
  let [low, high] = [bounds.from, bounds.to + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { events } = await scanEvents(db, { merchantId, after: middle - 1, limit: 1 })
    const [event] = events
    if (event === undefined || Date.parse(event.at) >= early) high = middle
    else low = middle + 1
  }
  return low
}
