import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import {
  findPrizesByCode,
  findPrizesByNumber,
  type ListedPrize,
  listPrizes,
  listPrizesOfPlayer,
  listSettledPrizes,
} from '../../../prizes/prize-lists.ts'
import { prizeStates } from '../../../prizes/prize-settlements.ts'
import { readPrizeNumber } from '../../../prize-kinds/prize-number.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { cursorAfter, lastOfFullPage, newestFirst, pageQuery, readPage } from '../paging.ts'
import { passes, playFilterOf, playFilters, startBefore } from './play-filters.ts'
import { cursorAt, readPlayPage } from './play-pages.ts'
import { playerOf } from '../players/player-routes.ts'
import { roleMissing, seesCodes } from '../../console/staff-session.ts'
import { linePattern } from '../../answers/patterns.ts'

export const PrizeQuery = Type.Object({
  ...pageQuery,
  ...playFilters,
  state: Type.Optional(Type.Enum([...prizeStates])),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: linePattern,
      description:
        'The whole code, from a pool, with letters A to Z in any case, or the `number` of a prize. Spaces around it are ignored. A fixed code is the same for everyone, so it finds nothing.',
    }),
  ),
})

type Query = Static<typeof PrizeQuery>
type Found = { items: ListedPrize[]; next: string | null }

/** Searches by code or player if one is given, and applies the other filters to the result. */
export async function searchPrizes(request: FastifyRequest, query: Query): Promise<Found> {
  // A caller that may try codes could find out all of them.
  if (query.code !== undefined && request.staff !== undefined && !seesCodes(request))
    throw roleMissing(request.staff.role)
  if (query.code !== undefined) return searchByCode(request, query, query.code)
  if (query.playerId !== undefined) return searchOfPlayer(request, query, query.playerId)
  const { ctx } = request.server
  const { merchantId } = callingMerchant(request)
  const { state } = query
  const filter = await playFilterOf(request, query)
  const { before, limit } = readPlayPage(query)
  const page = { before: startBefore(before, filter), limit, filter, now: nowOf(request) }
  const found = await untilDone(() =>
    state === undefined || state === 'won'
      ? listPrizes(ctx.db, merchantId, { ...page, state: state ?? null })
      : listSettledPrizes(ctx.db, merchantId, { ...page, state }),
  )
  return { items: found.items, next: cursorAt(found.next) }
}

async function searchByCode(request: FastifyRequest, query: Query, code: string): Promise<Found> {
  const { ctx } = request.server
  const about = { merchantId: callingMerchant(request).merchantId, now: nowOf(request) }
  const isWanted = await wantedBy(request, query)
  const find = (text: string) => untilDone(() => findPrizesByCode(ctx.db, { ...about, code: text }))
  // A code that was uploaded by an earlier version may itself have a space at an end.
  let found = await find(code)
  if (found.length === 0 && code !== code.trim()) found = await find(code.trim())
  const number = readPrizeNumber(code)
  if (number !== undefined)
    found.push(...(await untilDone(() => findPrizesByNumber(ctx.db, { ...about, number }))))
  return { items: found.filter(isWanted), next: null }
}

async function searchOfPlayer(request: FastifyRequest, query: Query, playerId: string): Promise<Found> {
  const { ctx } = request.server
  const { start, limit } = readPage(query, newestFirst)
  const page = { before: start[0], limit, now: nowOf(request) }
  const player = await playerOf(request, playerId)
  const isWanted = await wantedBy(request, query)
  const found = await untilDone(() => listPrizesOfPlayer(ctx.db, player, page))
  return {
    items: found.filter(isWanted),
    next: cursorAfter(lastOfFullPage(found, limit), ({ playNo }) => [playNo]),
  }
}

/** The test for prizes that were found another way than by filters. */
export async function wantedBy(
  request: FastifyRequest,
  query: Pick<Query, 'playerId' | 'state' | 'campaign' | 'wheel' | 'prizeId' | 'from' | 'to'>,
): Promise<(prize: ListedPrize) => boolean> {
  const filter = await playFilterOf(request, query)
  return (prize) =>
    passes(filter, prize) &&
    (query.state === undefined || prize.state === query.state) &&
    (query.playerId === undefined || prize.playerId === query.playerId)
}
