import type { Database } from '../../db/database.ts'
import { DatabaseFailure } from '../../db/database-fault.ts'
import { webhookPollMs } from '../../limits.ts'
import { LeaseLost } from './record-results.ts'
import type { FairConcurrencyLimit } from '../../concurrency/fair-concurrency-limit.ts'

/** Runs `work`, and retries it while the database is unavailable and the lease is valid. */
export async function askWhileLeased<T>(
  { db, databaseLimit }: { db: Database; databaseLimit: FairConcurrencyLimit },
  { merchantId, leaseEndsAt }: { merchantId: number; leaseEndsAt: () => number },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await databaseLimit.run(merchantId, () => work(db))
    } catch (error) {
      const isPassing = error instanceof DatabaseFailure && error.isPassing
      if (!isPassing) throw error
      if (performance.now() > leaseEndsAt()) throw new LeaseLost('no answer', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, webhookPollMs))
    }
  }
}
