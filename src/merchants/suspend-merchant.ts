import type { Database } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { insertPause } from '../wheels/interruptions.ts'
import { findMerchant, type Merchant, setSuspension } from './merchants.ts'

/**
 * Suspends a merchant, which refuses all its requests and closes its games, or ends the suspension. Repeating it
 * changes nothing.
 */
export async function suspendMerchant(
  db: Database,
  { slug, isSuspended }: { slug: string; isSuspended: boolean },
  cause: Cause,
): Promise<Merchant> {
  return db.transaction(async (tx) => {
    const found = await findMerchant(tx, slug)
    if ((found.suspendedAt !== null) === isSuspended) return found
    const changed = await setSuspension(tx, slug, isSuspended ? cause.now : null)
    const { merchantId } = changed
    if (found.suspendedAt !== null)
      await insertPause(tx, { merchantId }, { startsAt: found.suspendedAt, endsAt: cause.now })
    const action = isSuspended ? 'merchant.suspend' : 'merchant.resume'
    await recordChanges(tx, [{ merchantId, action, subject: { kind: 'merchant', id: slug } }], cause)
    return changed
  })
}
