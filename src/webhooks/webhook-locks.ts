// Locks until the end of a transaction. Without them, two requests at once could pass a limit, or both use a new key.
import { type Queryable, statement } from '../db/database.ts'

/** For a change of the number of a merchant's webhooks. */
export async function lockWebhooksOf(tx: Queryable, merchantId: number): Promise<void> {
  await tx.query(lockMerchant, [merchantId])
}

/** For a change of the number of its resends. */
export async function lockWebhook(tx: Queryable, webhookNo: number): Promise<void> {
  await tx.query(lockOne, [webhookNo])
}

const lockMerchant = statement(`
select merchant_id
from merchants
where merchant_id = $1
for no key update`)

const lockOne = statement(`
select webhook_no
from webhooks
where webhook_no = $1
for no key update`)
