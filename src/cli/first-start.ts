import { type Database, type Queryable, statement } from '../db/database.ts'
import { listSigningKeys, rotateSigningKeys } from '../crypto/signing-keys.ts'
import { giveFirstWheel } from '../merchants/create-merchant.ts'
import { listMerchantsWithoutWheel } from '../wheels/wheels.ts'

/** Gives a new database its signing keys, and every merchant from before there were wheels its first one. */
export async function firstStart(db: Database, now: Date): Promise<void> {
  await oneAtATime(db, async (tx) => {
    const keys = await listSigningKeys(tx)
    for (const purpose of ['links', 'seeds'] as const) {
      if (!keys.some((key) => key.purpose === purpose)) await rotateSigningKeys(tx, purpose, now)
    }
    for (const merchantId of await listMerchantsWithoutWheel(tx)) await giveFirstWheel(tx, merchantId, now)
  })
}

/** A transaction that only one of all servers on this database is in. The others wait for it. */
export async function oneAtATime<T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return db.longTransaction(async (tx) => {
    await tx.query(waitForOthers)
    await tx.query(firstStartLock)
    return work(tx)
  })
}

const waitForOthers = statement('set local lock_timeout = 120000')
const firstStartLock = statement('select pg_advisory_xact_lock(7437003)')
