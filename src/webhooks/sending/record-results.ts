import { allInOrder, type Database } from '../../db/database.ts'
import { insertEvents } from '../../events/event-pages.ts'
import { maskedUrl } from '../endpoint-url.ts'
import type { Health } from './health.ts'
import { type Attempt, insertAttempts } from '../webhook-attempts.ts'
import { advanceCursor } from '../webhook-cursors.ts'
import { deleteDeliveries, type Delivery, upsertDeliveries } from '../webhook-deliveries.ts'
import { type DisabledReason, disableWebhook, readWebhook, type Webhook } from '../webhooks.ts'

/** What happened to a webhook's events since results were last recorded. */
export type Results = {
  cursor: Health & { webhookNo: number; cursorSeq: number }
  attempts: readonly Attempt[]
  /** Deliveries that the receiver has accepted. */
  takenSeqs: readonly number[]
  /** Deliveries to retry, and those given up. */
  deliveries: readonly Delivery[]
  disabledReason: DisabledReason | undefined
}

/** Another process serves the webhook now, and will send these events again. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Records everything or nothing, so the cursor never passes an event that was neither accepted nor stored for a
 * retry. If the process is killed before this, the next one sends some events again, with the same ids. Returns the
 * webhook in its current state, or undefined if it was deleted.
 */
export async function recordResults(
  db: Database,
  results: Results,
  { owner, now }: { owner: string; now: Date },
): Promise<Webhook | undefined> {
  const { webhookNo } = results.cursor
  return db.transaction(async (tx) => {
    if (!(await advanceCursor(tx, results.cursor, owner))) throw new LeaseLost()
    const [, , , webhook] = await allInOrder([
      insertAttempts(tx, results.attempts),
      deleteDeliveries(tx, webhookNo, results.takenSeqs),
      upsertDeliveries(tx, results.deliveries),
      readWebhook(tx, webhookNo),
    ])
    if (webhook === undefined || results.disabledReason === undefined) return webhook
    if (await disableWebhook(tx, { webhookNo, reason: results.disabledReason, now }))
      await insertEvents(tx, [
        {
          merchantId: webhook.merchantId,
          type: 'webhook.disabled',
          at: now,
          data: {
            webhookId: webhook.webhookId,
            url: maskedUrl(webhook.url),
            reason: reasons[results.disabledReason],
          },
        },
      ])
    return readWebhook(tx, webhookNo)
  })
}

const reasons: Record<DisabledReason, string> = {
  gone: 'answered 410 Gone',
  failing: 'failed for three days',
}
