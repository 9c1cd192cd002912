import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { FairConcurrencyLimit } from './fair-concurrency-limit.ts'
import type { Reach } from './webhook-client.ts'

export type SenderOptions = {
  db: Database
  log: Logger
  now: () => Date
  /** A number in [0, 1), to spread retries in time. */
  chance: () => number
  reach: Reach
  concurrency: number
  retryPausesSeconds: readonly number[]
  /** Limits the concurrent queries of all senders in this process. */
  databaseLimit: FairConcurrencyLimit
  onSent: (outcome: 'delivered' | 'failed') => void
}
