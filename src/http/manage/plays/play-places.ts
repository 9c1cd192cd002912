import { Type } from 'typebox'
import { newestPlace, type PlayPlace } from '../../../plays/play-lists.ts'
import { cursorAfter, newestFirst, pageKey, type PageQuery, readPage } from '../paging.ts'

const placeKey = pageKey(
  Type.Tuple([
    Type.Integer({ minimum: 0, maximum: newestPlace.createdAt.getTime() }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    newestFirst.parts.items[0],
  ]),
  partsOf(newestPlace),
)

/** The page of a merchant's plays that a query asks for. */
export function readPlayPage(query: PageQuery): { before: PlayPlace; limit: number } {
  const { start, limit } = readPage(query, placeKey)
  const [createdAt, playerNo, playNo] = start
  return { before: { createdAt: new Date(createdAt), playerNo, playNo }, limit }
}

export function cursorAt(place: PlayPlace | undefined): string | null {
  return cursorAfter(place, partsOf)
}

function partsOf({ createdAt, playerNo, playNo }: PlayPlace): [number, number, number] {
  return [createdAt.getTime(), playerNo, playNo]
}
