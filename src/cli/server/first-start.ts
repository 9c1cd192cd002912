import type { Database } from '../../db/database.ts'
import { listSigningKeys, rotateSigningKeys } from '../../crypto/signing-keys.ts'
import { giveFirstWheel } from '../../merchants/create-merchant.ts'
import { listMerchantsWithoutWheel } from '../../wheels/wheels.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** Creates missing signing keys, and a first wheel for each merchant that has none (from before wheels existed). */
export async function firstStart(db: Database, now: Date): Promise<void> {
  await oneAtATime(db, async (tx) => {
    const keys = await listSigningKeys(tx)
    for (const purpose of ['links', 'seeds'] as const) {
      if (!keys.some((key) => key.purpose === purpose)) await rotateSigningKeys(tx, purpose, now)
    }
    for (const merchantId of await listMerchantsWithoutWheel(tx)) await giveFirstWheel(tx, merchantId, now)
  })
}
