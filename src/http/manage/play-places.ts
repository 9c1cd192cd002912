import { Type } from 'typebox'
import { newestPlace, type PlayPlace } from '../../plays/play-lists.ts'
import { makeCursor, readCursor, wrongQuery } from './paging.ts'

const countMax = 2 ** 31 - 1
const Count = Type.Integer({ minimum: 0, maximum: countMax })
const PlaceParts = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: newestPlace.createdAt.getTime() }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  Count,
])

/** Where a page of a merchant's plays begins. */
export function placeIn(query: { cursor?: string }): PlayPlace {
  const parts = readCursor(query, PlaceParts)
  if (parts === undefined) return newestPlace
  const [createdAt, playerNo, playNo] = parts
  return { createdAt: new Date(createdAt), playerNo, playNo }
}

export function cursorAt(place: PlayPlace | undefined): string | null {
  return place === undefined ? null : makeCursor([place.createdAt.getTime(), place.playerNo, place.playNo])
}

/** Where a page begins that counts down: of a player's plays or entries. */
export function numberIn(query: { cursor?: string }): number {
  return readCursor(query, Type.Tuple([Count]))?.[0] ?? countMax
}

/** A moment in a query. The validator lets through a few that are none: a 60th second, say. */
export function momentIn(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw wrongQuery(name, 'must be a moment, as RFC 3339')
  return moment
}
