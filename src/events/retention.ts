import type { Database, Queryable } from '../db/database.ts'
import { eventPagesExpiredMax } from '../limits.ts'
import { type NumberedPage, readOldestPages } from './event-pages.ts'
import { deleteDefaultPages, dropPartitions } from './event-partitions.ts'
import { timeOf } from '../test-clock.ts'
import { keepStreamFrom, lockStream, readMerchantsWithEvents } from './event-streams.ts'

type Retention = {
  /** Events before this time are deleted. */
  before: Date
  /** Events before this time are deleted even if a webhook still has to send them. */
  beforeAtLast: Date
  /** The first event of a merchant that a webhook still has to send. */
  heldFrom?: (db: Queryable, merchantId: number) => Promise<number | undefined>
}

/** The two limits: events that a dead receiver has not received yet are kept for twice the time. */
export function retentionOf(days: number, now: Date): Pick<Retention, 'before' | 'beforeAtLast'> {
  const daysAgo = (count: number) => new Date(now.getTime() - count * 86_400_000)
  return { before: daysAgo(days), beforeAtLast: daysAgo(2 * days) }
}

/**
 * Removes old events of all merchants from the log, and returns their number. From then on nobody can read them. Their
 * rows are dropped with their partition, when all events in it are old.
 */
export async function deleteOldEvents(db: Database, retention: Retention): Promise<number> {
  let expired = 0
  for (const { merchantId, clockAheadMs } of await readMerchantsWithEvents(db)) {
    const [before, beforeAtLast] = [retention.before, retention.beforeAtLast].map((time) =>
      timeOf({ clockAheadMs }, time),
    ) as [Date, Date]
    expired += await deleteOldEventsOf(db, merchantId, { ...retention, before, beforeAtLast })
  }
  await deleteDefaultPages(db)
  await dropPartitions(db, retention.before)
  return expired
}

/** The same for one merchant, by times of its own clock. The rows stay until their partition is dropped. */
export async function deleteOldEventsOf(
  db: Database,
  merchantId: number,
  retention: Retention,
): Promise<number> {
  let expired = 0
  for (;;) {
    const step = await expireOldPages(db, merchantId, retention)
    expired += step.events
    if (step.pages < eventPagesExpiredMax) return expired
  }
}

/** One step for one merchant. It waits for the sequencers, as a busy merchant's stream is locked half of the time. */
async function expireOldPages(
  db: Database,
  merchantId: number,
  retention: Retention,
): Promise<{ pages: number; events: number }> {
  return db.transaction(async (tx) => {
    const firstKeptSeq = await lockStream(tx, merchantId)
    const heldFrom = await retention.heldFrom?.(tx, merchantId)
    const oldest = await readOldestPages(tx, { merchantId, firstKeptSeq }, eventPagesExpiredMax)
    const old = oldPages(oldest, { ...retention, heldFrom })
    const last = old.at(-1)
    if (last === undefined) return { pages: 0, events: 0 }
    await keepStreamFrom(tx, { merchantId, firstKeptSeq: last.firstSeq + last.eventCount })
    return { pages: old.length, events: old.reduce((sum, page) => sum + page.eventCount, 0) }
  })
}

/** The pages that expire: always the first ones of the log, so that the rest has no gap. */
function oldPages(
  oldest: readonly NumberedPage[],
  { before, beforeAtLast, heldFrom }: Omit<Retention, 'heldFrom'> & { heldFrom: number | undefined },
): NumberedPage[] {
  const isKept = (page: NumberedPage) => {
    const isHeld = heldFrom !== undefined && page.firstSeq + page.eventCount > heldFrom
    return page.createdAt >= (isHeld ? beforeAtLast : before)
  }
  const firstKept = oldest.findIndex(isKept)
  return oldest.slice(0, firstKept === -1 ? oldest.length : firstKept)
}
