import type { Database } from '../db/database.ts'
import { databaseDeadlines } from '../limits.ts'
import { OrderQueue, type OrderQueueOptions } from '../orders/order-queue.ts'
import type { QueueLimits } from '../orders/queues.ts'
import type { Refusal } from '../refusals.ts'
import { claimEntries, type ClaimVerdict, type EntryClaim } from './claim-entry.ts'
import { entriesPerBatchMax, entriesWaitingMax, entryRestMaxMs } from './entry-limits.ts'

export type EntryQueue = OrderQueue<EntryClaim, ClaimVerdict | Refusal>

/**
 * Lets visitors who enter share transactions. There is one at a time, and after one of several visitors a pause twice
 * as long, so that a flood of visitors leaves the database, and this process, to grants and plays. Merchants take
 * turns, and their visitors too.
 */
export function openEntryQueue(
  db: Database,
  {
    limits,
    now,
    ...events
  }: { limits: QueueLimits; now: () => Date; onCommit: () => void } & Pick<
    OrderQueueOptions<EntryClaim, unknown>,
    'onBatch'
  >,
): EntryQueue {
  return new OrderQueue({
    ...limits,
    laneCount: 1,
    batchesMax: 1,
    batchMax: entriesPerBatchMax,
    sharedBatchMax: entriesPerBatchMax,
    queueMax: entriesWaitingMax.inAll,
    queueMaxPerMerchant: entriesWaitingMax.perMerchant,
    // People wait for longer than programs.
    waitMaxMs: databaseDeadlines.operationMs,
    restMsAfter: ({ size, tookMs }) => (size === 1 ? 0 : Math.min(2 * tookMs, entryRestMaxMs)),
    laneOf: () => 0,
    merchantOf: ({ merchantId }) => merchantId,
    playerOf: ({ merchantId, fold }) => `${merchantId} ${fold}`,
    now,
    run: async (claims, at) => {
      const verdicts = await claimEntries(db, claims, at)
      events.onCommit()
      return verdicts
    },
    ...(events.onBatch === undefined ? {} : { onBatch: events.onBatch }),
  })
}
