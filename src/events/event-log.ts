import { type Queryable, statement } from '../db/database.ts'
import { eventsScannedMax } from '../limits.ts'
import type { EventData, EventType } from './catalogue.ts'
import type { WrittenEvent } from './event-pages.ts'
import { readStreams } from './event-streams.ts'

/** An event with its number: 1, 2, 3 … within its merchant, without a gap, for ever the same. */
export type LoggedEvent<T extends EventType = EventType> = {
  [Type in T]: { seq: number; id: string; type: Type; at: string; data: EventData<Type> }
}[T]

export type EventQuery = {
  merchantId: number
  /** The number of the last event that the reader has; 0 from the beginning. */
  after: number
  /** All types where it is left out. */
  types?: readonly EventType[] | undefined
  limit: number
}

/** The next events in their order, at most `limit` of them. Fewer than `limit` means that there are no more for now. */
export async function readEvents(db: Queryable, query: EventQuery): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = []
  for (let after = query.after; ;) {
    const found = await scanEvents(db, { ...query, after, limit: query.limit - events.length })
    events.push(...found.events)
    if (found.next === after || events.length === query.limit) return events
    after = found.next
  }
}

/**
 * Looks through a bounded stretch of the log. `next` tells how far it has looked: the reader goes on from there, also
 * where none of the types that it asked for was met. It equals `after` at the end of the log.
 */
export async function scanEvents(
  db: Queryable,
  { merchantId, after, types, limit }: EventQuery,
): Promise<{ events: LoggedEvent[]; next: number }> {
  const wanted = types === undefined ? undefined : new Set<string>(types)
  // Numbers have no gaps, so the stretch to read is known beforehand.
  const until = after + (wanted === undefined ? limit : Math.max(limit, eventsScannedMax))
  const pages = await db.query(readPages, [merchantId, after + 1, until])
  const events: LoggedEvent[] = []
  let next = after
  for (const page of pages) {
    for (const [index, [type, atMs, data]] of (JSON.parse(page.body) as WrittenEvent[]).entries()) {
      const seq = page.firstSeq + index
      if (seq <= after) continue
      if (seq > until || events.length === limit) return { events, next }
      next = seq
      if (wanted !== undefined && !wanted.has(type)) continue
      const at = new Date(atMs).toISOString()
      events.push({ seq, id: eventId(page.pageId, index), type, at, data } as LoggedEvent)
    }
  }
  return { events, next }
}

/** The same at every reading, and after any restore never that of another event. */
export function eventId(pageId: string, index: number): string {
  return `evt_${pageId.replaceAll('-', '')}_${index.toString(36)}`
}

/** The number of the newest event; 0 if there was none. */
export async function lastSeq(db: Queryable, merchantId: number): Promise<number> {
  const [stream] = await readStreams(db, [merchantId])
  return stream === undefined ? 0 : stream.nextSeq - 1
}

/** The number of the oldest event that is still there. */
export async function firstKeptSeq(db: Queryable, merchantId: number): Promise<number> {
  const [stream] = await readStreams(db, [merchantId])
  return stream?.firstKeptSeq ?? 1
}

// The page that holds number $2 may begin before it.
const readPages = statement<{ firstSeq: number; pageId: string; body: string }>(`
select first_seq as "firstSeq", page_id as "pageId", body
from event_pages
where merchant_id = $1
and first_seq >= coalesce(
  (
    select first_seq
    from event_pages
    where merchant_id = $1
    and first_seq <= $2
    order by first_seq desc
    limit 1
  ),
  $2
)
and first_seq <= $3
order by first_seq`)
