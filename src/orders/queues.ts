import type { Database } from '../db/database.ts'
import {
  batchMax,
  batchWaitMaxMs,
  databaseDeadlines,
  expectedWaitMaxMs,
  queueMax,
  queueMaxPerMerchant,
  queueMinPerMerchant,
  sharedBatchMax,
} from '../limits.ts'
import type { Clocked } from '../test-clock.ts'
import type { GroupCommitOptions } from './group-commit.ts'
import { OrderQueue, type OrderQueueOptions } from './order-queue.ts'

/** The limits of a queue, which are the same for all kinds of orders. */
export type QueueLimits = ReturnType<typeof queueLimits>

export function queueLimits(
  db: Database,
  config: { databaseLanes: number; databaseBatches: number },
  shardCount: number,
) {
  return {
    // On a cluster a batch has players of one shard, and is committed on one machine.
    laneCount: db.isCluster ? shardCount : config.databaseLanes,
    batchesMax: config.databaseBatches,
    batchMax,
    sharedBatchMax,
    queueMax,
    queueMaxPerMerchant,
    queueMinPerMerchant,
    expectedWaitMaxMs,
    batchWaitMaxMs,
    waitMaxMs: databaseDeadlines.queueWaitMs,
  }
}

type OrderOfPlayer = Clocked & { merchantId: number; shard: number; playerId: string }
type Batch = Parameters<NonNullable<GroupCommitOptions<unknown, unknown>['onBatch']>>[0]

/** Returns a function that opens the queue of one kind of order. */
export function queueOpener<Name>(shared: {
  limits: QueueLimits
  now: () => Date
  laneOf: (order: OrderOfPlayer) => number
  playerOf: (order: OrderOfPlayer) => string
  onBatch: (name: Name, batch: Batch) => void
  /** Called as soon as a batch is committed. */
  onCommit: () => void
}) {
  const { limits, onBatch, onCommit, ...rest } = shared
  return <Order extends OrderOfPlayer, Verdict>(
    name: Name,
    { run, ...own }: Pick<OrderQueueOptions<Order, Verdict>, 'run' | 'contendedOf'>,
  ): OrderQueue<Order, Verdict> =>
    new OrderQueue<Order, Verdict>({
      ...limits,
      ...rest,
      ...own,
      merchantOf: (order) => order.merchantId,
      run: async (orders, now, pipeline) => {
        const verdicts = await run(orders, now, pipeline)
        onCommit()
        return verdicts
      },
      onBatch: (batch) => onBatch(name, batch),
    })
}
