import type { Queryable } from '../db/database.ts'
import { insertCursor } from './webhook-cursors.ts'
import { insertWebhook, listWebhooks, markPaused, renameWebhook } from './webhooks.ts'

/**
 * Copies the webhooks of a merchant to another one without events, with their ids and secrets; the old ones get other
 * ids. Receivers and clients need no change. Receivers get the events from the first one on. One that is paused stays
 * so.
 */
export async function copyWebhooks(
  tx: Queryable,
  { from, to, now }: { from: number; to: number; now: Date },
): Promise<void> {
  for (const webhook of await listWebhooks(tx, from)) {
    const creation = await renameWebhook(tx, webhook)
    const { webhookId, url, description, types, secret, pausedAt } = webhook
    const order = { webhookId, merchantId: to, url, description, types, secret, creation, now }
    const copy = await insertWebhook(tx, order)
    if (copy === undefined) throw new Error('a copied webhook is over the limit')
    if (pausedAt !== null) await markPaused(tx, copy, now)
    await insertCursor(tx, { webhookNo: copy.webhookNo, merchantId: to, cursorSeq: 0 })
  }
}
