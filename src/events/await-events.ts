import { type Database, untilDone } from '../db/database.ts'
import { eventStretchesPerRequestMax } from '../limits.ts'
import type { EventFeed } from './event-feed.ts'
import { type EventQuery, type EventScan, scanEvents } from './event-log.ts'

/**
 * The next events, or, if there are none yet, those that arrive within `waitMs`. Returns an empty list when the time is
 * over, when `signal` is aborted, or when the server stops.
 */
export async function awaitEvents(
  { db, events: { feed } }: { db: Database; events: { feed: EventFeed } },
  query: EventQuery,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<EventScan> {
  const deadline = performance.now() + waitMs
  const bell = makeBell(signal)
  const unwatch = waitMs > 0 ? feed.watch(query.merchantId, bell.ring) : undefined
  try {
    for (let { after } = query; ;) {
      const from = { ...query, after }
      const found = await untilDone(() => scanFurther(db, from))
      const leftMs = deadline - performance.now()
      const isOver = leftMs <= 0 || signal.aborted || feed.isClosed
      if (found.events.length > 0 || found.next < found.last || isOver) return found
      after = found.next
      await bell.rung(leftMs)
    }
  } finally {
    unwatch?.()
  }
}

/** Skips events of other types, up to a limit. */
async function scanFurther(db: Database, query: EventQuery): Promise<EventScan> {
  let found = await scanEvents(db, query)
  for (let stretch = 1; stretch < eventStretchesPerRequestMax; stretch++) {
    if (found.events.length > 0 || found.next === found.last) break
    found = await scanEvents(db, { ...query, after: found.next })
  }
  return found
}

/** A wake-up that is not lost if it comes before the wait begins. */
function makeBell(signal: AbortSignal) {
  let isRung = false
  let listener: (() => void) | undefined
  const ring = () => {
    isRung = true
    listener?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async rung(timeoutMs: number): Promise<void> {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        listener = resolve
        const timer = setTimeout(resolve, timeoutMs)
        await promise
        clearTimeout(timer)
        listener = undefined
      }
      isRung = false
    },
  }
}
