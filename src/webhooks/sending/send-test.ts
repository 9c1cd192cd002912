import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { type Answer, judgeAnswer } from './answers.ts'
import { liveSecrets, signWebhook } from './signature.ts'
import { insertAttempts } from '../webhook-attempts.ts'
import { endHold } from '../webhook-cursors.ts'
import { type Reach, WebhookClient } from './webhook-client.ts'
import type { Webhook } from '../webhooks.ts'

type TestResult = Pick<Answer, 'status' | 'fault' | 'tookMs' | 'excerpt' | 'headers'> & {
  eventId: string
  isDelivered: boolean
}

/**
 * Sends an event of type `webhook.test` at once and returns the result. The event is not in the log and is not
 * retried. It is also sent to a paused or disabled webhook, because that is when people test. A delivered
 * test ends a hold.
 */
export async function sendTest(
  db: Database,
  webhook: Webhook,
  { reach, now }: { reach: Reach; now: Date },
): Promise<TestResult> {
  const client = new WebhookClient(webhook.url, reach, 1)
  try {
    const eventId = `evt_${randomUUID().replaceAll('-', '')}_0`
    const event = { id: eventId, seq: 0, type: 'webhook.test', at: now.toISOString() }
    const about = { merchant: webhook.merchant, ...(webhook.isTest ? { live: false } : {}) }
    const body = JSON.stringify({ ...event, ...about, data: {} })
    const secrets = liveSecrets(webhook, now)
    const answer = await client.send(body, signWebhook({ id: eventId, sentAt: now, body }, secrets))
    const { webhookNo } = webhook
    const { status, fault, tookMs, excerpt, headers } = answer
    const seen = { status, fault, tookMs, excerpt, headers }
    await insertAttempts(db, [{ webhookNo, seq: null, eventId, eventType: event.type, at: now, ...seen }])
    const isDelivered = judgeAnswer(answer, now).outcome === 'delivered'
    // People test a receiver after they have repaired it, and expect the waiting events.
    if (isDelivered) await endHold(db, webhookNo)
    return { eventId, isDelivered, ...seen }
  } finally {
    await client.close()
  }
}
