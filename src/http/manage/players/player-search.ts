import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Queryable, untilDone } from '../../../db/database.ts'
import {
  listBlockedPlayers,
  listPlayers,
  type ListedPlayer,
  readPlayersById,
  scanPlayers,
} from '../../../players/player-lists.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { cursorAfter, lastOfFullPage, pageKey, pageQuery, type PageQuery, readPage } from '../paging.ts'
import { wrongQuery } from '../query.ts'
import { linePattern } from '../../answers/patterns.ts'

const IdPart = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern: linePattern, description }))

export const PlayerQuery = Type.Object({
  ...pageQuery,
  prefix: IdPart('The beginning of the id.'),
  search: IdPart(
    'A part of the id, with letters A to Z in any case. Ids that begin with it come first. A page may be short or empty and still have a `next`.',
  ),
  blocked: Type.Optional(Type.Literal(true, { description: 'Only blocked players.' })),
})

type Query = PageQuery & { prefix?: string; search?: string; blocked?: true }
type Found = { players: ListedPlayer[]; next: string | null }

const playerIdKey = pageKey<[string]>([Type.String()], [''])

/** A page of players, in the order of their ids. */
export async function findPlayers(request: FastifyRequest, query: Query): Promise<Found> {
  const ctx = { db: request.server.ctx.db, now: nowOf(request) }
  const { merchantId } = callingMerchant(request)
  const { search, blocked } = query
  if (search !== undefined && query.prefix !== undefined)
    throw wrongQuery('search', 'must not be used together with `prefix`')
  if (search !== undefined && blocked === undefined) return searchPlayers(ctx, merchantId, query, search)
  const { start, limit } = readPage(query, playerIdKey)
  const list = blocked === undefined ? listPlayers : listBlockedPlayers
  const page = { prefix: query.prefix ?? '', after: start[0], limit, now: ctx.now }
  const players = await untilDone(() => list(ctx.db, merchantId, page))
  return {
    players: players.filter((player) => contains(player, search)),
    next: cursorAfter(lastOfFullPage(players, limit), ({ playerId }) => [playerId]),
  }
}

export function contains({ playerId }: { playerId: string }, part: string | undefined): boolean {
  return part === undefined || playerId.toLowerCase().includes(part.toLowerCase())
}

const searchKey = pageKey<['prefix' | 'part', string]>(
  [Type.Enum(['prefix', 'part']), Type.String()],
  ['prefix', ''],
)

/** First the ids that begin with the text, which an index finds at once; then the others, by reading all ids. */
async function searchPlayers(
  ctx: { db: Queryable; now: Date },
  merchantId: number,
  query: Query,
  part: string,
): Promise<Found> {
  const { start, limit } = readPage(query, searchKey)
  const [phase, after] = start
  const { now } = ctx
  const page = { prefix: part, after, limit, now }
  const first = phase === 'part' ? [] : await untilDone(() => listPlayers(ctx.db, merchantId, page))
  if (first.length === limit)
    return { players: first, next: cursorAfter(first.at(-1), ({ playerId }) => ['prefix', playerId]) }
  const scanned = { part, after: phase === 'part' ? after : '', limit: limit - first.length }
  const { playerIds, next } = await untilDone(() => scanPlayers(ctx.db, merchantId, scanned))
  const others = playerIds.filter((id) => !id.startsWith(part))
  return {
    players: [...first, ...(await untilDone(() => readPlayersById(ctx.db, merchantId, others, now)))],
    next: cursorAfter(next, (id) => ['part', id]),
  }
}
