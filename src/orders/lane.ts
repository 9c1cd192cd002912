import type { Trace } from '../tracing/trace.ts'

/** An item in the queue, and its caller. */
export type Waiting<Item, Verdict> = {
  item: Item
  player: string
  resolve: (verdict: Verdict) => void
  reject: (error: unknown) => void
  since: number
  trace: Trace | undefined
}

/** A part of a queue. Only items of one lane share batches. */
export type Lane<Item, Verdict> = {
  /** Queued items by merchant and player, each in the order of turns. Those without items are not in it. */
  turns: Map<number, Map<string, Waiting<Item, Verdict>[]>>
  waiting: number
  /** When each batch in flight was sent. */
  inFlight: Set<{ time: number }>
  /** The sizes of the last two batches. */
  recent: [number, number]
  /** The players of the batches in flight. */
  players: Set<string>
  isLooking: boolean
  /** Whether the next batch has to wait, although none is in flight. */
  isResting: boolean
}

export function newLane<Item, Verdict>(): Lane<Item, Verdict> {
  return {
    turns: new Map(),
    waiting: 0,
    inFlight: new Set(),
    recent: [0, 0],
    players: new Set(),
    isLooking: false,
    isResting: false,
  }
}

/** The size at which a batch leaves although another is in flight. */
export function enough({ recent: [last, before] }: { recent: [number, number] }): number {
  return Math.max(enoughMin, (last + before) / 2)
}

const enoughMin = 16

export function firstOutside<T>(set: ReadonlySet<T>, values: Iterable<T>): T | undefined {
  for (const value of values) if (!set.has(value)) return value
  return undefined
}
