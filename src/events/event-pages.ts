import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { eventsPerPageMax } from '../limits.ts'
import type { EventData } from './catalogue.ts'
import type { EventType } from './event-types.ts'
import { bodyEnd, padding, type WrittenEvent } from './page-body.ts'

/** An event, to be written in the transaction of the change that it describes. */
export type NewEvent<T extends EventType = EventType> = {
  [Type in T]: {
    merchantId: number
    /** The player's shard; undefined if the event concerns no player. */
    shard?: number
    type: Type
    at: Date
    data: EventData<Type>
  }
}[T]

/** The events of one merchant in one transaction, as one row. */
type EventPage = {
  shard: number
  merchantId: number
  pageId: string
  eventCount: number
  body: string
  createdAt: Date
}

/**
 * The ids and shards of pages, by merchant and index. Work that can't recognise its own repeat keeps them over all
 * attempts, so a page that was committed without an answer is not written again.
 */
export type PageAddresses = Map<string, Pick<EventPage, 'pageId' | 'shard'>>

/**
 * Writes any number of events in one statement. It comes after the locks on the players concerned, and once in a
 * transaction, so that a player's events keep their order.
 */
export async function insertEvents(
  tx: Queryable,
  events: readonly NewEvent[],
  addresses: PageAddresses = new Map(),
): Promise<void> {
  if (events.length > 0) await tx.query(insert, pageColumns(events, addresses))
}

/** The parameters of `insertPages`, for a statement that writes more than events. */
export function pageColumns(events: readonly NewEvent[], addresses: PageAddresses = new Map()): unknown[] {
  if (check !== undefined) events.forEach(check)
  const pages = pagesOf(events, addresses)
  return [
    pages.map((page) => page.shard),
    pages.map((page) => page.merchantId),
    pages.map((page) => page.pageId),
    pages.map((page) => page.eventCount),
    pages.map((page) => page.body),
    pages.map((page) => page.createdAt),
  ]
}

/**
 * A part of a statement, with parameters from number `first` on. `order by` makes page numbers rise in the given
 * order. Only a page that was written before conflicts, with itself.
 */
export function insertPages(first: number, condition = 'true', bodiesOf = textArray): string {
  const types = ['int', 'int', 'uuid', 'int', 'text', 'timestamptz']
  const parameters = types.map((type, index) =>
    type === 'text' ? bodiesOf(`$${first + index}`) : `$${first + index}::${type}[]`,
  )
  return `
insert into event_pages (shard, merchant_id, page_id, event_count, body, created_at)
select shard, merchant_id, page_id, event_count, body, created_at
from unnest(${parameters.join(', ')})
  with ordinality as page (shard, merchant_id, page_id, event_count, body, created_at, place)
where ${condition}
order by place
on conflict do nothing`
}

/**
 * Like `insertPages`, for the pages of `shapedPages`: their ids and heads are the parameters from number `first` on.
 * The changes are in the table expression `changed`; `row` and `eventCount` are expressions on them.
 */
export function insertShapedPages(
  first: number,
  { row, eventCount }: Record<'row' | 'eventCount', string>,
): string {
  return `
insert into event_pages (shard, merchant_id, page_id, event_count, body, created_at)
select
  min(shard),
  min(merchant_id),
  ($${first}::uuid[])[page],
  ${eventCount},
  (string_to_array($${first + 1}, e'\\n'))[page] || string_agg(${row}, ',' order by place) || '${bodyEnd}',
  $1::timestamptz
from changed
group by page
order by page`
}

/** The same for one change with one event. */
export function insertShapedPage(first: number, row: string): string {
  return `
insert into event_pages (shard, merchant_id, page_id, event_count, body, created_at)
select shard, merchant_id, $${first}::uuid, 1, concat($${first + 1}::text, ${row}, '${bodyEnd}'), $1::timestamptz
from changed`
}

const textArray = (parameter: string) => `${parameter}::text[]`

let check: ((event: NewEvent) => void) | undefined

/**
 * Checks every event before it is written. For tests only: a bug in an event must never stop the change that it
 * describes.
 */
export function checkEventsBy(checkEvent: (event: NewEvent) => void): void {
  check = checkEvent
}

/** One page per merchant, or more if they don't fit. The order within a merchant stays. */
function pagesOf(events: readonly NewEvent[], addresses: PageAddresses): EventPage[] {
  const byMerchant = Map.groupBy(events, (event) => event.merchantId)
  return [...byMerchant.values()].flatMap((own) => {
    const pages: EventPage[] = []
    for (let start = 0; start < own.length; start += eventsPerPageMax)
      pages.push(pageOf(own.slice(start, start + eventsPerPageMax), pages.length, addresses))
    return pages
  })
}

function pageOf(events: readonly NewEvent[], pageCount: number, addresses: PageAddresses): EventPage {
  const [first] = events
  assert(first !== undefined)
  const name = `${first.merchantId}:${pageCount}`
  const address = addresses.get(name) ?? { pageId: randomUUIDv7(), shard: first.shard ?? shardOfNoPlayer }
  addresses.set(name, address)
  const body = JSON.stringify(
    events.map((event): WrittenEvent => [event.type, event.at.getTime(), event.data]),
  )
  return {
    ...address,
    merchantId: first.merchantId,
    eventCount: events.length,
    body: body + padding(body.length),
    createdAt: first.at,
  }
}

const shardOfNoPlayer = 0

/** A committed page without a number. */
export type UnnumberedPage = { shard: number; pageId: string; merchantId: number; eventCount: number }

/** The merchants of the oldest pages without a number, each once, with the time of its oldest page. */
export async function readMerchantsToNumber(
  db: Queryable,
  pagesMax: number,
): Promise<{ merchantId: number; oldestAt: Date }[]> {
  return db.query(readMerchants, [pagesMax])
}

/** In the order in which they are numbered. */
export async function readUnnumberedPages(
  tx: Queryable,
  merchantIds: readonly number[],
  pagesMax: number,
): Promise<UnnumberedPage[]> {
  return tx.query(readUnnumbered, [merchantIds, pagesMax])
}

export async function numberPages(
  tx: Queryable,
  pages: readonly (UnnumberedPage & { firstSeq: number })[],
): Promise<void> {
  const rows = await tx.query(setFirstSeq, [
    pages.map((page) => page.shard),
    pages.map((page) => page.pageId),
    pages.map((page) => page.firstSeq),
  ])
  assert.equal(rows.length, pages.length)
}

/** A page with its number, without its events. */
export type NumberedPage = { firstSeq: number; eventCount: number; createdAt: Date }

/** The oldest pages from event `firstKeptSeq` on. Pages before it wait for their partition to be dropped. */
export async function readOldestPages(
  tx: Queryable,
  { merchantId, firstKeptSeq }: { merchantId: number; firstKeptSeq: number },
  pagesMax: number,
): Promise<NumberedPage[]> {
  return tx.query(readOldest, [merchantId, firstKeptSeq, pagesMax])
}

type ErasedStretch = {
  /** The number of checked pages, and the position of the next ones. */
  pages: number
  afterSeq: number | null
  /** The last event on a changed page, up to the given page number. */
  lastSeq: number | null
  /** Whether there is a new player with the same id. */
  hasNewcomer: boolean
}

/** Replaces a player's id by a pseudonym, in the next numbered pages of a merchant. Everything else stays. */
export async function erasePages(
  tx: Queryable,
  stretch: { merchantId: number; afterSeq: number; lastPageNo: number; pagesMax: number },
  name: { shard: number; playerId: string; from: string; to: string },
): Promise<ErasedStretch> {
  const { merchantId, afterSeq, lastPageNo, pagesMax } = stretch
  const { shard, playerId, from, to } = name
  const values = [merchantId, afterSeq, pagesMax, lastPageNo, shard, playerId, from, to]
  const [found] = await tx.query(erase, values)
  assert(found !== undefined)
  return found
}

/** Whether a page up to this page number is still without event numbers. */
export async function hasUnnumberedPages(
  db: Queryable,
  { merchantId, lastPageNo }: { merchantId: number; lastPageNo: number },
): Promise<boolean> {
  const [found] = await db.query(findUnnumbered, [merchantId, lastPageNo])
  return found !== undefined
}

const insert = statement(insertPages(1), [1, 6])

const readMerchants = statement<{ merchantId: number; oldestAt: Date }>(`
select merchant_id as "merchantId", min(created_at) as "oldestAt"
from (
  select merchant_id, created_at
  from event_pages
  where first_seq is null
  order by page_no
  limit $1
) as oldest
group by merchant_id
order by merchant_id`)

const readUnnumbered = statement<UnnumberedPage>(`
select shard, page_id as "pageId", merchant_id as "merchantId", event_count as "eventCount"
from event_pages
where first_seq is null
and merchant_id = any($1::int[])
order by page_no
limit $2`)

const setFirstSeq = statement<{ pageId: string }>(
  `
update event_pages
set first_seq = new.first_seq
from unnest($1::int[], $2::uuid[], $3::bigint[]) as new (shard, page_id, first_seq)
where event_pages.page_id = new.page_id
and event_pages.shard = new.shard
and event_pages.first_seq is null
returning event_pages.page_id as "pageId"`,
  [1, 3],
)

const readOldest = statement<NumberedPage>(`
select first_seq as "firstSeq", event_count as "eventCount", created_at as "createdAt"
from event_pages
where merchant_id = $1
and first_seq >= $2
order by first_seq
limit $3`)

// Pages after $4 are changed only while no new player has the id: they hold events that were in flight at the
// erasure.
const erase = statement<ErasedStretch>(`
with stretch as materialized (
  select page_id, shard, page_no, first_seq, event_count
  from event_pages
  where merchant_id = $1
  and first_seq > $2
  order by first_seq
  limit $3
),
newcomer as materialized (
  select exists (
    select from players
    where shard = $5
    and merchant_id = $1
    and player_id = $6
  ) as is_there
),
changed as (
  update event_pages
  set body = replace(body, $7, $8)
  from stretch
  where event_pages.page_id = stretch.page_id
  and event_pages.shard = stretch.shard
  and position($7 in body) > 0
  and (stretch.page_no <= $4 or not (select is_there from newcomer))
  returning stretch.page_no, stretch.first_seq + stretch.event_count - 1 as last_seq
)
select
  (select count(*)::int from stretch) as pages,
  (select max(first_seq) from stretch) as "afterSeq",
  (select max(last_seq) from changed where page_no <= $4) as "lastSeq",
  (select is_there from newcomer) as "hasNewcomer"`)

const findUnnumbered = statement<{ pageNo: number }>(`
select page_no as "pageNo"
from event_pages
where first_seq is null
and merchant_id = $1
and page_no <= $2
limit 1`)
