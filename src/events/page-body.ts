import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { eventsPerPageMax } from '../limits.ts'
import type { EventType } from './event-types.ts'

/** An event in a page's body. */
export type WrittenEvent = [type: EventType, atMs: number, data: object]

/**
 * A body is a list of events. The events of a batch of plays or grants are much alike, so its body has two other parts.
 * `shapes` holds the events of one change, with null for the fields that differ. `rows` holds, for each change, the
 * place of its shape and the fields that differ.
 */
type ShapedBody = { atMs: number; shapes: ShapedEvent[][]; rows: [shape: number, own: Fields][] }
type ShapedEvent = [type: EventType, data: Fields]
type Fields = Record<string, unknown>

export function readBody(body: string): WrittenEvent[] {
  const read = JSON.parse(body) as WrittenEvent[] | ShapedBody
  if (Array.isArray(read)) return read
  const { atMs, shapes, rows } = read
  return rows.flatMap(([place, own]) => {
    const shape = shapes[place]
    assert(shape !== undefined)
    return shape.map(([type, data]): WrittenEvent => [type, atMs, filledIn(data, own)])
  })
}

/** `own` may have fields of other events of the same change too. */
function filledIn(data: Fields, own: Fields): Fields {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Object.hasOwn(own, name) ? own[name] : value]),
  )
}

/** The events of a change as JSON, with null for the fields that differ. */
export type EventShape = { text: string; eventCount: number }

export function shapeOf(
  events: readonly { type: EventType; data: object }[],
  ownNames: ReadonlySet<string>,
): EventShape {
  const shape = events.map(({ type, data }): ShapedEvent => {
    const fields = Object.entries(data).map(([name, value]) => [name, ownNames.has(name) ? null : value])
    return [type, Object.fromEntries(fields)]
  })
  return { text: JSON.stringify(shape), eventCount: shape.length }
}

/**
 * Spaces that make a body of this length long enough for PostgreSQL to compress it and to store it apart from its row,
 * which it does with rows above 2 kB only. A row is written again when its page gets its number. Very short bodies stay
 * with their row: stored apart, they would take more.
 */
export function padding(length: number): string {
  return length >= 1_024 && length < paddedLength ? spaces.slice(length) : ''
}
const paddedLength = 2_000
const spaces = ' '.repeat(paddedLength)

/**
 * The pages of changes that happen in one statement. A page has events of one merchant, up to a limit. `heads`: the
 * body of each page up to its rows. Each change has a row, up to its balances, which only the database knows, and the
 * number of its page, from 1.
 */
type ShapedPages = { ids: string[]; heads: string[]; rows: string[]; pageNos: number[] }

/** `own` of a change: the fields that differ, up to its balances, as the beginning of a JSON object. */
export function shapedPages(
  changes: readonly { merchantId: number; shape: EventShape; own: string }[],
  at: Date,
): ShapedPages {
  const pages: { id: string; shapes: Map<string, number>; left: number; length: number }[] = []
  const open = new Map<number, number>()
  const rows = changes.map(({ merchantId, shape: { text, eventCount }, own }) => {
    let pageNo = open.get(merchantId)
    let page = pageNo === undefined ? undefined : pages[pageNo - 1]
    if (page === undefined || page.left < eventCount) {
      page = { id: randomUUIDv7(), shapes: new Map(), left: eventsPerPageMax, length: 0 }
      open.set(merchantId, (pageNo = pages.push(page)))
    }
    page.left -= eventCount
    let place = page.shapes.get(text)
    if (place === undefined) page.shapes.set(text, (place = page.shapes.size))
    const row = `[${place},${own}`
    page.length += row.length
    return { row, pageNo: pageNo as number }
  })
  return {
    ids: pages.map(({ id }) => id),
    heads: pages.map(({ shapes, length }) => {
      const head = `{"atMs":${at.getTime()},"shapes":[${[...shapes.keys()].join(',')}],"rows":[`
      return head + padding(head.length + length)
    }),
    rows: rows.map(({ row }) => row),
    pageNos: rows.map(({ pageNo }) => pageNo),
  }
}

/** What follows the rows. */
export const bodyEnd = ']}'
