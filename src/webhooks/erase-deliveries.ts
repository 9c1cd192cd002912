import { type Database, untilDone } from '../db/database.ts'
import type { Replacement } from '../events/erase-events.ts'
import { replaceInDeliveries } from './webhook-deliveries.ts'
import { listWebhooks } from './webhooks.ts'

/** Removes an erased player's id from deliveries that wait or were given up, in small transactions. */
export async function eraseDeliveries(db: Database, replacement: Replacement): Promise<void> {
  const { merchantId, lastSeq, from, to } = replacement
  for (const { webhookNo } of await untilDone(() => listWebhooks(db, merchantId))) {
    for (let afterSeq: number | undefined = 0; afterSeq !== undefined;) {
      const order: Parameters<typeof replaceInDeliveries>[1] = { webhookNo, afterSeq, lastSeq, from, to }
      afterSeq = await untilDone(() => replaceInDeliveries(db, order))
    }
  }
}
