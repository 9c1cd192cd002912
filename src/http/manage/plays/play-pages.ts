import { Type } from 'typebox'
import { newestPosition, type PlayPosition } from '../../../plays/play-lists.ts'
import { countMax, cursorAfter, pageKey, type PageQuery, readPage } from '../paging.ts'

const positionKey = pageKey<[number, number, number]>(
  [
    Type.Integer({ minimum: 0, maximum: newestPosition.createdAt.getTime() }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Integer({ minimum: 0, maximum: countMax }),
  ],
  partsOf(newestPosition),
)

/** The page of a merchant's plays that a query asks for. */
export function readPlayPage(query: PageQuery): { before: PlayPosition; limit: number } {
  const { start, limit } = readPage(query, positionKey)
  const [createdAt, playerNo, playNo] = start
  return { before: { createdAt: new Date(createdAt), playerNo, playNo }, limit }
}

export function cursorAt(position: PlayPosition | undefined): string | null {
  return cursorAfter(position, partsOf)
}

function partsOf({ createdAt, playerNo, playNo }: PlayPosition): [number, number, number] {
  return [createdAt.getTime(), playerNo, playNo]
}
