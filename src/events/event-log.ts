import { setTimeout as sleep } from 'node:timers/promises'
import { type Queryable, statement } from '../db/database.ts'
import { eventGapAttemptsMax, eventGapPauseMs, eventsScannedMax } from '../limits.ts'
import { prizeNumber } from '../prize-kinds/prize-number.ts'
import { Refusal } from '../refusals.ts'
import type { EventData } from './catalogue.ts'
import { campaignOfEvent, type EventType } from './event-types.ts'
import { readStreams } from './event-streams.ts'
import { readBody, type WrittenEvent } from './page-body.ts'

/** An event with its number: 1, 2, 3 … within its merchant, without gaps, and never changed. */
export type LoggedEvent<T extends EventType = EventType> = {
  [Type in T]: { seq: number; id: string; type: Type; at: string; data: EventData<Type> }
}[T]

export type EventQuery = {
  merchantId: number
  /** The number of the last event that the reader has; 0 starts at the oldest event in the log. */
  after: number
  /** All types if undefined. */
  types?: readonly EventType[] | undefined
  /** Only events of this campaign; all if undefined, and those of no campaign. */
  campaign?: string | undefined
  limit: number
}

/** A range of the log. */
export type EventScan = {
  events: LoggedEvent[]
  /** The end of the scanned range. The reader continues from there, even if no event matched. */
  next: number
  /** The number of the newest event. */
  last: number
}

/** An event of a page that has its number. */
export function loggedEvent(
  page: { firstSeq: number; pageId: string },
  index: number,
  [type, atMs, data]: WrittenEvent,
): LoggedEvent {
  const at = new Date(atMs).toISOString()
  const facts = { seq: page.firstSeq + index, id: eventId(page.pageId, index), type, at, data }
  if (type === 'prize.won') facts.data = withNumber(data as EventData<'prize.won'>, at)
  return facts as LoggedEvent
}

/** The number of a prize that is handed over is computed, so events of earlier versions have it too. */
function withNumber(data: EventData<'prize.won'>, wonAt: string): EventData<'prize.won'> {
  return data.kind === 'handover' ? { ...data, number: prizeNumber({ playId: data.playId, wonAt }) } : data
}

/** The public form of an event: the same for polling, live streams and webhooks. Those of test merchants say so. */
export function publicEvent(
  { id, seq, type, at, data }: LoggedEvent,
  { slug, isTest }: { slug: string; isTest: boolean },
) {
  return { id, seq, type, at, merchant: slug, ...(isTest ? { live: false as const } : {}), data }
}

/** The next events in order, at most `limit`. If there are fewer, there are no more for now. */
export async function readEvents(db: Queryable, query: EventQuery): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = []
  for (let after = query.after; ;) {
    const found = await scanEvents(db, { ...query, after, limit: query.limit - events.length })
    events.push(...found.events)
    if (found.next === found.last || events.length === query.limit) return events
    after = found.next
  }
}

/**
 * Scans a limited range of the log. It refuses to start where events are missing, rather than skip them. Only a
 * reader without any events starts at the oldest one.
 */
export async function scanEvents(db: Queryable, query: EventQuery): Promise<EventScan> {
  const { merchantId, types, campaign, limit } = query
  const isFiltered = types !== undefined || campaign !== undefined
  let { after } = query
  for (let attempt = 1; ; attempt++) {
    // Numbers have no gaps, so the range to read is known in advance.
    const until = after + (isFiltered ? Math.max(limit, eventsScannedMax) : limit)
    const rows = await db.query(readPages, [merchantId, after + 1, until])
    const [firstKept, last] = [rows[0]?.firstKeptSeq ?? 1, (rows[0]?.nextSeq ?? 1) - 1]
    const isMissing = after + 1 < firstKept
    if (isMissing && query.after === 0) {
      after = firstKept - 1
      continue
    }
    if (isMissing || after > last) throw gapAt(after, { firstKept, last })
    const pages = rows.filter(hasPage)
    const mayHaveGap = db.isCluster === true
    const found = pick(pages, { after, until, types, campaign, limit, mayHaveGap })
    const isWaiting = mayHaveGap && found.next === after && after < last
    if (!isWaiting || attempt >= eventGapAttemptsMax) return { ...found, last }
    await sleep(eventGapPauseMs)
  }
}

type ReadPage = { firstSeq: number; pageId: string; body: string }
/** Without a page if the range is empty. */
type PageRow = Omit<ReadPage, 'firstSeq'> & { firstSeq: number | null; nextSeq: number; firstKeptSeq: number }

function hasPage(row: PageRow): row is PageRow & ReadPage {
  return row.firstSeq !== null
}

type Range = Omit<EventQuery, 'merchantId'> & {
  until: number
  /**
   * On a cluster a page may come a moment later than its number, because each machine commits by itself. What follows
   * it is left for the next scan.
   */
  mayHaveGap: boolean
}

/** The wanted events of pages that cover `after` to `until`. */
function pick(
  pages: readonly ReadPage[],
  { after, until, types, campaign, limit, mayHaveGap }: Range,
): { events: LoggedEvent[]; next: number } {
  const wanted = types === undefined ? undefined : new Set<string>(types)
  const events: LoggedEvent[] = []
  let next = after
  for (const page of pages) {
    if (mayHaveGap && page.firstSeq > next + 1) return { events, next }
    for (const [index, written] of readBody(page.body).entries()) {
      const seq = page.firstSeq + index
      if (seq <= after) continue
      if (seq > until || events.length === limit) return { events, next }
      next = seq
      if (wanted !== undefined && !wanted.has(written[0])) continue
      if (campaign !== undefined && campaignOfEvent(written[0], written[2]) !== campaign) continue
      events.push(loggedEvent(page, index, written))
    }
  }
  return { events, next }
}

function gapAt(after: number, { firstKept, last }: { firstKept: number; last: number }): Refusal {
  const resume = { resumeAfter: firstKept - 1, last }
  if (after > last)
    return new Refusal('events_ahead', { detail: `The newest event has the number ${last}.`, resume })
  const detail = `The oldest event that is kept has the number ${firstKept}; after=${firstKept - 1} begins with it.`
  return new Refusal('events_expired', { detail, resume })
}

/** The id is the same for every reader, and never that of another event, even after a restore. */
function eventId(pageId: string, index: number): string {
  return `evt_${pageId.replaceAll('-', '')}_${index.toString(36)}`
}

/** The number of the newest event; 0 if there is none. */
export async function lastSeq(db: Queryable, merchantId: number): Promise<number> {
  const [stream] = await readStreams(db, [merchantId])
  return stream === undefined ? 0 : stream.nextSeq - 1
}

/** The number of the oldest event in the log. */
export async function firstKeptSeq(db: Queryable, merchantId: number): Promise<number> {
  const [stream] = await readStreams(db, [merchantId])
  return stream?.firstKeptSeq ?? 1
}

// One statement, so that bounds and pages come from one snapshot. The page with number $2 may begin before it.
const readPages = statement<PageRow>(`
select
  next_seq as "nextSeq",
  first_kept_seq as "firstKeptSeq",
  pages.first_seq as "firstSeq",
  page_id as "pageId",
  body
from event_streams
left join lateral (
  select first_seq, page_id, body
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
  order by first_seq
) as pages on true
where event_streams.merchant_id = $1
order by pages.first_seq`)
