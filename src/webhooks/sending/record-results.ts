import { allInOrder, type Database } from '../../db/database.ts'
import { insertEvents } from '../../events/event-pages.ts'
import { maskedUrl } from '../endpoint-url.ts'
import type { Health } from './health.ts'
import { type Attempt, insertAttempts } from '../webhook-attempts.ts'
import { advanceCursor } from '../webhook-cursors.ts'
import { deleteDeliveries, type Delivery, upsertDeliveries } from '../webhook-deliveries.ts'
import { type DisabledReason, disableWebhook, readWebhook, type Webhook } from '../webhooks.ts'

/** What has become of a webhook's events since the last note. */
export type Note = {
  cursor: Health & { webhookNo: number; cursorSeq: number }
  attempts: readonly Attempt[]
  /** Deliveries that were taken at last. */
  takenSeqs: readonly number[]
  /** Deliveries to try again, and those given up. */
  deliveries: readonly Delivery[]
  disabledReason: DisabledReason | undefined
}

/** Somebody else serves the webhook by now; what was to be noted is theirs to find out. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/**
 * Notes all of it or nothing, so that the cursor never passes an event that was neither taken nor written down. Who is
 * killed before this has sent some events that the next process sends again, under the same ids. Answers with the
 * webhook as it is now, undefined if it is gone.
 */
export async function noteResults(
  db: Database,
  note: Note,
  { owner, now }: { owner: string; now: Date },
): Promise<Webhook | undefined> {
  const { webhookNo } = note.cursor
  return db.transaction(async (tx) => {
    if (!(await advanceCursor(tx, note.cursor, owner))) throw new LeaseLost()
    const [, , , webhook] = await allInOrder([
      insertAttempts(tx, note.attempts),
      deleteDeliveries(tx, webhookNo, note.takenSeqs),
      upsertDeliveries(tx, note.deliveries),
      readWebhook(tx, webhookNo),
    ])
    if (webhook === undefined || note.disabledReason === undefined) return webhook
    if (await disableWebhook(tx, { webhookNo, reason: note.disabledReason, now }))
      await insertEvents(tx, [
        {
          merchantId: webhook.merchantId,
          type: 'webhook.disabled',
          at: now,
          data: {
            webhookId: webhook.webhookId,
            url: maskedUrl(webhook.url),
            reason: reasons[note.disabledReason],
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
