import type { Queryable } from '../db/database.ts'
import { findEvent } from './find-event.ts'

/** A range of a merchant's event numbers, both ends included. */
type Range = { merchantId: number; from: number; to: number }

/**
 * Approximately the first event at or after a time, by binary search; `to + 1` if there is none. The log is in commit
 * order, which differs a little from the order of times, so callers allow for `logSkewMs`.
 */
export async function findSeq(db: Queryable, { merchantId, from, to }: Range, time: Date): Promise<number> {
  let [low, high] = [from, to + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const event = await findEvent(db, merchantId, String(middle))
    if (event === undefined || new Date(event.at) >= time) high = middle
    else low = middle + 1
  }
  return low
}

/** Events that are this much apart in time are in the same order in the log. */
export const logSkewMs = 60_000
