import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import type { Database, Queryable } from '../db/database.ts'
import { publishFirstWheel } from '../wheels/wheels.ts'
import { Refusal } from '../refusals.ts'
import { testPrefix } from '../test-clock.ts'
import { insertMerchant, type Merchant, type NewMerchant, setWheelOfMerchant } from './merchants.ts'

/** Creates a merchant with a published wheel, so that its first game link works. */
export async function createMerchant(db: Database, order: NewMerchant, cause?: Cause): Promise<Merchant> {
  if (order.slug.startsWith(testPrefix)) throw new Refusal('merchant_id_reserved')
  return db.transaction(async (tx) => {
    const merchant = await insertMerchant(tx, order)
    const { merchantId, slug, name, timeZone, currency } = merchant
    await giveFirstWheel(tx, merchantId, order.now, timeZone)
    const subject = { kind: 'merchant', id: slug }
    if (cause !== undefined)
      await recordChanges(
        tx,
        [{ merchantId, action: 'merchant.create', subject, after: { name, timeZone, currency } }],
        cause,
      )
    return merchant
  })
}

/** Lets a merchant's links open its wheel `main`, which is created and published if need be. */
export async function giveFirstWheel(
  tx: Queryable,
  merchantId: number,
  now: Date,
  timeZone = 'UTC',
): Promise<void> {
  await setWheelOfMerchant(tx, merchantId, await publishFirstWheel(tx, { merchantId, timeZone, now }))
}
