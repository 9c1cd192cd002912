import type { Cause } from '../audit-log/audit-log.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { recordWheel } from '../wheels/record-wheel.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'
import { setWheelOfMerchant } from './merchants.ts'

/** Makes the merchant's game links open this wheel from now on. `before` may refuse it. */
export async function setWheelOfLinks(
  db: Database,
  wheel: Wheel,
  cause?: Cause,
  { before, after }: Partial<Record<'before' | 'after', (tx: Transaction) => Promise<void>>> = {},
): Promise<void> {
  if (wheel.publishedVersion === null)
    throw new Refusal('wheel_not_publishable', { detail: 'Publish the wheel first.' })
  await db.transaction(async (tx) => {
    await before?.(tx)
    await setWheelOfMerchant(tx, wheel.merchantId, wheel.wheelId)
    await recordWheel(tx, wheel, { action: 'wheel.open_by_links' }, cause)
    await after?.(tx)
  })
}
