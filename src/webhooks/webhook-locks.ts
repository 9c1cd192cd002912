import { type Queryable, statement } from '../db/database.ts'

/** Locks a webhook until the end of the transaction. Without it, two resends at once could pass their limit. */
export async function lockWebhook(tx: Queryable, webhookNo: number): Promise<void> {
  await tx.query(lockOne, [webhookNo])
}

const lockOne = statement(`
select webhook_no
from webhooks
where webhook_no = $1
for no key update`)
