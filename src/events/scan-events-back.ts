import { isMain } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { eventsScannedBackMax } from '../limits.ts'
import { type LoggedEvent, loggedEvent } from './event-log.ts'
import { readStreams } from './event-streams.ts'
import { campaignOfEvent, type EventType } from './event-types.ts'
import { findSeq, logSkewMs } from './find-seq.ts'
import { readBody } from './page-body.ts'

type BackwardQuery<T extends EventType = EventType> = {
  merchantId: number
  /** Events with smaller numbers than this. */
  before: number
  /** All types if undefined. */
  types?: readonly T[] | undefined
  /** All players, and events without a player, if undefined. */
  playerId?: string | undefined
  /** Events of this campaign; all if undefined. Those of `main` do not name it. */
  campaign?: string | undefined
  /** At this time or later. */
  from?: Date | undefined
  /** Before this time. */
  to?: Date | undefined
  limit: number
}

type BackwardScan<T extends EventType = EventType> = {
  events: LoggedEvent<T>[]
  /** What to send as `before` next; null at the end. */
  next: number | null
  /** The number of the newest event in the log. */
  last: number
}

/**
 * Events, newest first. There is no index by type or player, because every event would pay for it. So this scans a
 * bounded range, and may return few events, or none, and still have a `next`.
 */
export async function scanEventsBack<T extends EventType>(
  db: Queryable,
  query: BackwardQuery<T>,
): Promise<BackwardScan<T>> {
  const { merchantId, types, playerId, campaign, limit } = query
  const [stream] = await readStreams(db, [merchantId])
  const [first, last] = [stream?.firstKeptSeq ?? 1, (stream?.nextSeq ?? 1) - 1]
  const bounds = await boundsOf(db, query, { first, last })
  const isFiltered = types !== undefined || playerId !== undefined || campaign !== undefined
  const lowest = Math.max(bounds.first, bounds.before - (isFiltered ? eventsScannedBackMax : limit))
  if (bounds.before <= lowest) return { events: [], next: null, last }
  const pages = await db.query(readBack, [
    merchantId,
    lowest,
    bounds.before,
    types?.map(typeMark) ?? null,
    playerId === undefined ? null : playerMark(playerId),
    campaign === undefined || isMain({ slug: campaign }) ? null : campaignMark(campaign),
    limit,
  ])
  const isWanted = (event: LoggedEvent) =>
    event.seq >= lowest && event.seq < bounds.before && fits(event, query)
  const events = pages.flatMap(eventsOf).filter(isWanted).slice(0, limit) as LoggedEvent<T>[]
  const reached = events.length === limit ? events.at(-1) : undefined
  // If `limit` pages matched, the pages behind the last one were not read.
  const oldestRead = pages.length === limit ? (pages.at(-1)?.firstSeq ?? lowest) : lowest
  const next = reached?.seq ?? Math.max(oldestRead, lowest)
  return { events, next: next <= bounds.first ? null : next, last }
}

/** The numbers that the times allow, with a margin: from `first` to below `before`. */
async function boundsOf(
  db: Queryable,
  { merchantId, before, from, to }: BackwardQuery,
  { first, last }: { first: number; last: number },
): Promise<{ first: number; before: number }> {
  const range = { merchantId, from: first, to: last }
  const early = from === undefined ? undefined : new Date(from.getTime() - logSkewMs)
  const late = to === undefined ? undefined : new Date(to.getTime() + logSkewMs)
  return {
    first: early === undefined ? first : await findSeq(db, range, early),
    before: Math.min(before, late === undefined ? last + 1 : await findSeq(db, range, late)),
  }
}

/** Newest first. */
function eventsOf(page: PageRow): LoggedEvent[] {
  return readBody(page.body)
    .map((one, index) => loggedEvent(page, index, one))
    .toReversed()
}

function fits(event: LoggedEvent, { types, playerId, campaign, from, to }: BackwardQuery): boolean {
  const at = new Date(event.at)
  return (
    (types === undefined || types.includes(event.type)) &&
    (campaign === undefined || campaignOfEvent(event.type, event.data) === campaign) &&
    (playerId === undefined || (event.data as { playerId?: string }).playerId === playerId) &&
    (from === undefined || at >= from) &&
    (to === undefined || at < to)
  )
}

// As JSON.stringify writes them into a page's body.
const typeMark = (type: EventType) => `["${type}",`
const playerMark = (playerId: string) => `"playerId":${JSON.stringify(playerId)}`
const campaignMark = (campaign: string) => `"campaign":"${campaign}"`

type PageRow = { firstSeq: number; pageId: string; body: string }

// The page with number $2 may begin before it. Only bodies that can contain a match are returned.
const readBack = statement<PageRow>(`
select
  first_seq as "firstSeq",
  page_id as "pageId",
  body
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
and first_seq < $3
and (
  $4::text[] is null
  or exists (
    select
    from unnest($4::text[]) as mark
    where position(mark in body) > 0
  )
)
and ($5::text is null or position($5 in body) > 0)
and ($6::text is null or position($6 in body) > 0)
order by first_seq desc
limit $7`)
