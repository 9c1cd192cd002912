import { type LoggedEvent, publicEvent } from '../../events/event-log.ts'
import { retryPauseMs } from '../../leases/retry-pause.ts'
import { webhookRetryJitter } from '../../limits.ts'
import type { Delivery } from '../webhook-deliveries.ts'
import type { Webhook } from '../webhooks.ts'

/** An event to send: fresh from the log, or a delivery that is due again. */
export type Job = { seq: number; eventId: string; eventType: string; queue: string } & (
  | { event: LoggedEvent; delivery: undefined }
  | { event: undefined; delivery: Delivery }
)

export function jobOfEvent(event: LoggedEvent): Job {
  const { seq, id, type } = event
  return { seq, eventId: id, eventType: type, queue: queueOf(event.data), event, delivery: undefined }
}

export function jobOfDelivery(delivery: Delivery): Job {
  const { seq, eventId, eventType } = delivery
  const { data } = JSON.parse(delivery.body) as { data: object }
  return { seq, eventId, eventType, queue: queueOf(data), event: undefined, delivery }
}

/** Events of one player are sent one after the other. Events without a player share one queue. */
function queueOf(data: object): string {
  return 'playerId' in data ? `player ${String(data.playerId)}` : ''
}

/** The request body, which is the same text in every attempt. */
export function bodyOf(job: Job, webhook: Webhook): string {
  return job.event === undefined
    ? job.delivery.body
    : JSON.stringify(publicEvent(job.event, { slug: webhook.merchant, isTest: webhook.isTest }))
}

/** The job as a delivery that is due now, unless it is a delivery already. */
export function deliveryOf(job: Job, webhook: Webhook, now: Date): Delivery {
  if (job.delivery !== undefined) return job.delivery
  const { seq, eventId, eventType } = job
  const { webhookNo } = webhook
  const body = bodyOf(job, webhook)
  return { webhookNo, seq, eventId, eventType, body, tries: 0, createdAt: now, nextTryAt: now, deadAt: null }
}

/** A delivery after another failed attempt: scheduled for the next one, or given up. */
export function deliveryAfterFailure(
  delivery: Delivery,
  pauses: { retryPausesSeconds: readonly number[]; chance: number; holdSeconds: number; now: Date },
): Delivery {
  const { retryPausesSeconds, chance, holdSeconds, now } = pauses
  const tries = delivery.tries + 1
  const pauseMs = retryPauseMs(retryPausesSeconds, { tries, spread: webhookRetryJitter, chance })
  if (pauseMs === undefined) return { ...delivery, tries, nextTryAt: null, deadAt: now }
  const nextTryAt = new Date(now.getTime() + Math.max(pauseMs, holdSeconds * 1000))
  return { ...delivery, tries, nextTryAt, deadAt: null }
}
