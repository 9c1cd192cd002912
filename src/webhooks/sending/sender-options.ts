import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import type { FairConcurrencyLimit } from '../../concurrency/fair-concurrency-limit.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { DisabledReason } from '../webhooks.ts'
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
  tracing?: Tracing | undefined
  onSent: (outcome: 'delivered' | 'failed') => void
  /** An event was given up. */
  onDead?: () => void
  /** The receiver failed for too long, or is gone. */
  onDisabled?: (reason: DisabledReason) => void
}
