import type { Database } from '../db/database.ts'
import { webhookRowsTidiedMax, webhookWaitingMax } from '../limits.ts'
import { deleteOldAttempts } from './webhook-attempts.ts'
import { deleteCursor, readProgress } from './webhook-cursors.ts'
import { countDeliveries, deleteDeliveriesOf, deleteOldDeliveries } from './webhook-deliveries.ts'
import { deleteOldResends, deleteResendsOf } from './webhook-resends.ts'
import { forgetWebhook, listDeletedWebhooks, listWebhookNos } from './webhooks.ts'

const dayMs = 86_400_000

/** Deletes rows that were kept long enough, and all rows of deleted webhooks, in small batches. */
export async function tidyWebhooks(
  db: Database,
  { now, attemptDays, deadLetterDays }: { now: Date; attemptDays: number; deadLetterDays: number },
): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  for (const webhookNo of await listWebhookNos(db)) {
    await untilFew(() => deleteOldAttempts(db, webhookNo, daysAgo(attemptDays)))
    await untilFew(() => deleteOldDeliveries(db, webhookNo, daysAgo(deadLetterDays)))
    await deleteOldResends(db, webhookNo, daysAgo(attemptDays))
  }
  for (const webhookNo of await listDeletedWebhooks(db)) {
    await untilFew(() => deleteDeliveriesOf(db, webhookNo))
    await untilFew(() => deleteOldAttempts(db, webhookNo, farFuture))
    await db.transaction(async (tx) => {
      await deleteResendsOf(tx, webhookNo)
      await deleteCursor(tx, webhookNo)
      await forgetWebhook(tx, webhookNo)
    })
  }
}

const farFuture = new Date(8_000_000_000_000)

async function untilFew(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) === webhookRowsTidiedMax);
}

/** What remains to be sent, over all webhooks. */
export type Backlog = { waiting: number; dead: number; lag: number }

export async function readBacklog(db: Database): Promise<Backlog> {
  const backlog = { waiting: 0, dead: 0, lag: 0 }
  const webhookNos = await listWebhookNos(db)
  for (const { lag } of (await readProgress(db, webhookNos)).values()) backlog.lag += lag
  for (const webhookNo of webhookNos) {
    const counts = await countDeliveries(db, webhookNo, webhookWaitingMax)
    backlog.waiting += counts.waiting
    backlog.dead += counts.dead
  }
  return backlog
}
