import { type Database, type Queryable, statement } from '../../db/database.ts'
import { listSigningKeys, rotateSigningKeys } from '../../crypto/signing-keys.ts'
import { giveFirstWheel } from '../../merchants/create-merchant.ts'
import { listMerchantsWithoutWheel } from '../../wheels/wheels.ts'

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

/** Runs a transaction that only one server on this database can be in at a time. The others wait. */
export async function oneAtATime<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return db.longTransaction(async (tx) => {
    await tx.query(waitForOthers)
    await tx.query(firstStartLock)
    return work(tx)
  })
}

const waitForOthers = statement('set local lock_timeout = 120000')
const firstStartLock = statement('select pg_advisory_xact_lock(7437003)')
