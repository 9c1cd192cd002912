import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { eventsPerPageMax } from '../limits.ts'
import type { EventType } from './event-types.ts'

/** An event in a page's body. */
export type WrittenEvent = [type: EventType, atMs: number, data: object]

/**
 * A body is a list of events. The events of a batch of plays or grants are much alike, so its body has two other parts:
 * `shapes` has the events of one change, with null for the fields that differ. `rows` has, for each change, the place of its
 * shape and the fields that differ.
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
 * The pages of changes that happen in one statement. A page has events of one merchant, up to a limit. `heads`: the body of
 * each page up to its rows, which only the database knows in full. Each change has the number of its page, from 1, and the
 * place of its shape in that page, from 0.
 */
type ShapedPages = { ids: string[]; heads: string[]; pageNos: number[]; shapePlaces: number[] }

export function shapedPages(
  changes: readonly { merchantId: number; shape: EventShape }[],
  at: Date,
): ShapedPages {
  const pages: { id: string; shapes: Map<string, number>; left: number }[] = []
  const open = new Map<number, number>()
  const places = changes.map(({ merchantId, shape: { text, eventCount } }) => {
    let pageNo = open.get(merchantId)
    let page = pageNo === undefined ? undefined : pages[pageNo - 1]
    if (page === undefined || page.left < eventCount) {
      page = { id: randomUUIDv7(), shapes: new Map(), left: eventsPerPageMax }
      open.set(merchantId, (pageNo = pages.push(page)))
    }
    page.left -= eventCount
    let place = page.shapes.get(text)
    if (place === undefined) page.shapes.set(text, (place = page.shapes.size))
    return { pageNo: pageNo as number, place }
  })
  return {
    ids: pages.map(({ id }) => id),
    heads: pages.map(
      ({ shapes }) => `{"atMs":${at.getTime()},"shapes":[${[...shapes.keys()].join(',')}],"rows":[`,
    ),
    pageNos: places.map(({ pageNo }) => pageNo),
    shapePlaces: places.map(({ place }) => place),
  }
}

/** What follows the rows. */
export const bodyEnd = ']}'
