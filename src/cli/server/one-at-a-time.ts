import { type Database, type Queryable, statement } from '../../db/database.ts'

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
