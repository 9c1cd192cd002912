import type { Database } from '../db/database.ts'
import { countActivity } from './count-activity.ts'
import { countVisits } from './count-visits.ts'
import type { CountedMerchant } from './next-interval.ts'

/** Counts everything of a test merchant up to the time of its clock, which is ahead. `now` is the real time. */
export async function countByClock(db: Database, now: Date, merchant: CountedMerchant): Promise<void> {
  await countActivity(db, now, Infinity, merchant)
  await countVisits(db, now, Infinity, merchant)
}
