import { type Queryable, statement } from '../db/database.ts'
import { eventsScannedBackMax } from '../limits.ts'
import type { EventType } from './event-types.ts'
import { eventId, type LoggedEvent } from './event-log.ts'
import type { WrittenEvent } from './event-pages.ts'

type BackwardQuery<T extends EventType> = {
  merchantId: number
  playerId: string
  type: T
  /** Events with smaller numbers than this. */
  before: number
  /** Older events are ignored. */
  since: Date
  limit: number
}

/**
 * Events of one type and player, newest first. There is no index for this, because every event would pay for it. So it
 * scans a bounded range and returns the number to continue from.
 */
export async function scanEventsBack<T extends EventType>(
  db: Queryable,
  query: BackwardQuery<T>,
): Promise<{ events: LoggedEvent<T>[]; next: number | null }> {
  const { merchantId, playerId, type, before, since, limit } = query
  // As JSON.stringify writes it into a page's body.
  const mark = `"playerId":${JSON.stringify(playerId)}`
  const pages = await db.query(readBack, [merchantId, before, eventsScannedBackMax, since, type, mark])
  const events: LoggedEvent<T>[] = []
  for (const { firstSeq, pageId, body } of pages) {
    const written = body === null ? [] : (JSON.parse(body) as WrittenEvent[])
    for (const [index, [kind, atMs, data]] of [...written.entries()].toReversed()) {
      const seq = firstSeq + index
      if (seq >= before || kind !== type || (data as { playerId?: string }).playerId !== playerId) continue
      const at = new Date(atMs).toISOString()
      events.push({ seq, id: eventId(pageId, index), type, at, data } as unknown as LoggedEvent<T>)
      if (events.length === limit) return { events, next: seq }
    }
  }
  const oldest = pages.at(-1)
  const isOver = oldest === undefined || oldest.createdAt < since || oldest.firstSeq <= 1
  return { events, next: isOver ? null : oldest.firstSeq }
}

type PageRow = { firstSeq: number; pageId: string; createdAt: Date; body: string | null }

// Only bodies that can contain a match are returned. If retention has deleted the range's pages, the range is empty and
// the scan ends.
const readBack = statement<PageRow>(`
select
  first_seq as "firstSeq",
  page_id as "pageId",
  created_at as "createdAt",
  case
    when created_at >= $4 and position($6 in body) > 0 and position($5 in body) > 0 then body
  end as body
from event_pages
where merchant_id = $1
and first_seq < $2
and first_seq >= (
  select max(first_seq)
  from event_pages
  where merchant_id = $1
  and first_seq < $2
) - $3::bigint
order by first_seq desc`)
