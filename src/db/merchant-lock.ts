import { type Queryable, statement } from './database.ts'

/**
 * Locks a merchant until the end of the transaction, for a change of how many of something it has. Without it, two
 * requests at once could pass a limit, or both use a new key. Grants and plays, which only refer to the merchant, go
 * on.
 */
export async function lockMerchant(tx: Queryable, merchantId: number): Promise<void> {
  await tx.query(lock, [merchantId])
}

const lock = statement(`
select merchant_id
from merchants
where merchant_id = $1
for no key update`)
