import type { Database } from '../../db/database.ts'
import { DatabaseFailure } from '../../db/database-fault.ts'
import { webhookPollMs } from '../../limits.ts'
import { LeaseLost } from './record-results.ts'
import type { Turnstile } from './concurrency-limit.ts'

/** Asks the database, and repeats that while it does not answer and the lease holds. */
export async function askWhileLeased<T>(
  { db, turnstile }: { db: Database; turnstile: Turnstile },
  { merchantId, leaseEndsAt }: { merchantId: number; leaseEndsAt: () => number },
  work: (db: Database) => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await turnstile.run(merchantId, () => work(db))
    } catch (error) {
      const isPassing = error instanceof DatabaseFailure && error.isPassing
      if (!isPassing) throw error
      if (performance.now() > leaseEndsAt()) throw new LeaseLost('no answer', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, webhookPollMs))
    }
  }
}
