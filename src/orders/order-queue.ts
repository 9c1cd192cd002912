import { type Clocked, isTest, timeOf } from '../test-clock.ts'
import type { Trace } from '../tracing/trace.ts'
import type { Pipeline } from './pipelines.ts'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'

export type OrderQueueOptions<Item, Verdict> = Omit<GroupCommitOptions<Item, Verdict>, 'run'> & {
  /** Carries out orders in one transaction. `now` is the time of all of them. */
  run: (items: readonly Item[], now: Date, pipeline: Pipeline) => Promise<Verdict[]>
  now: () => Date
}

/**
 * The queue of one kind of order. A batch has one time. So the orders of test merchants, each of which has its own
 * clock, wait in another queue, and never share a batch with those of a live merchant.
 */
export class OrderQueue<Item extends Clocked & { merchantId: number }, Verdict> {
  readonly live: GroupCommit<Item, Verdict>
  readonly #test: GroupCommit<Item, Verdict>

  constructor({ run, now, ...options }: OrderQueueOptions<Item, Verdict>) {
    this.live = new GroupCommit({ ...options, run: (items, pipeline) => run(items, now(), pipeline) })
    this.#test = new GroupCommit({
      ...options,
      laneCount: 1,
      batchesMax: 1,
      run: (items, pipeline) =>
        runByMerchant(items, (some) => run(some, timeOf(latest(some), now()), pipeline)),
    })
  }

  submit(item: Item, trace?: Trace): Promise<Verdict> {
    return (isTest(item) ? this.#test : this.live).submit(item, trace)
  }

  /** Whether an order of this live merchant would be refused now. */
  isFullFor(merchantId: number): boolean {
    return this.live.isFullFor(merchantId)
  }

  async close(): Promise<void> {
    await Promise.all([this.live.close(), this.#test.close()])
  }
}

/** The clock may have moved while orders waited. It only moves forward. */
function latest<Item extends Clocked>(items: readonly Item[]): Clocked {
  return { clockAheadMs: Math.max(...items.map(({ clockAheadMs }) => clockAheadMs ?? 0)) }
}

/** Runs the items of each merchant separately, and returns the verdicts in the order of the items. */
async function runByMerchant<Item extends { merchantId: number }, Verdict>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  const verdicts = new Map<Item, Verdict>()
  for (const own of Map.groupBy(items, ({ merchantId }) => merchantId).values()) {
    const done = await run(own)
    for (const [index, item] of own.entries()) verdicts.set(item, done[index] as Verdict)
  }
  return items.map((item) => verdicts.get(item) as Verdict)
}
