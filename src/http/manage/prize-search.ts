import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import {
  findPrizesByCode,
  type ListedPrize,
  listPrizes,
  listPrizesOfPlayer,
  listSettledPrizes,
} from '../../prizes/prize-lists.ts'
import { prizeStates } from '../../prizes/prize-settlements.ts'
import { slugPattern } from '../../slug.ts'
import { findWheel } from '../../wheels/wheels.ts'
import { callingMerchant } from '../authenticate.ts'
import { cursorAfter, lastOfFullPage, newestFirst, pageQuery, readPage } from './paging.ts'
import { cursorAt, readPlayPage } from './play-places.ts'
import { momentIn } from './query.ts'
import { playerOf } from './player-routes.ts'
import { PlayerId } from '../answers/common.ts'
import { roleMissing, seesCodes } from '../console/staff-session.ts'

export const PrizeQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(Type.Enum([...prizeStates])),
  wheel: Type.Optional(Type.String({ pattern: slugPattern })),
  prizeId: Type.Optional(Type.String({ pattern: slugPattern })),
  playerId: Type.Optional(PlayerId),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\p{Cc}\\p{Cs}]+$',
      description: 'The exact code, from a pool. A fixed code is the same for everyone, so it finds nothing.',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Won at or after this time.' })),
})

type Query = Static<typeof PrizeQuery>
type Found = { items: ListedPrize[]; next: string | null }

/** Takes the way that leads straight to what is wanted, and filters the rest. */
export async function searchPrizes(request: FastifyRequest, query: Query): Promise<Found> {
  // A caller that may try codes could find out all of them.
  if (query.code !== undefined && request.staff !== undefined && !seesCodes(request))
    throw roleMissing(request.staff.role)
  if (query.code !== undefined) return searchByCode(request, query, query.code)
  if (query.playerId !== undefined) return searchOfPlayer(request, query, query.playerId)
  const { ctx } = request.server
  const { merchantId } = callingMerchant(request)
  const { state, wheel } = query
  const page = {
    ...readPlayPage(query),
    filter: {
      wheelId:
        wheel === undefined ? null : (await untilDone(() => findWheel(ctx.db, merchantId, wheel))).wheelId,
      prizeId: query.prizeId ?? null,
      from: momentIn('from', query.from),
    },
    now: ctx.now(),
  }
  const found = await untilDone(() =>
    state === undefined || state === 'won'
      ? listPrizes(ctx.db, merchantId, { ...page, state: state ?? null })
      : listSettledPrizes(ctx.db, merchantId, { ...page, state }),
  )
  return { items: found.items, next: cursorAt(found.next) }
}

async function searchByCode(request: FastifyRequest, query: Query, code: string): Promise<Found> {
  const { ctx } = request.server
  const key = { merchantId: callingMerchant(request).merchantId, code, now: ctx.now() }
  const found = await untilDone(() => findPrizesByCode(ctx.db, key))
  return { items: found.filter(fitting(query)), next: null }
}

async function searchOfPlayer(request: FastifyRequest, query: Query, playerId: string): Promise<Found> {
  const { ctx } = request.server
  const { start, limit } = readPage(query, newestFirst)
  const page = { before: start[0], limit, now: ctx.now() }
  const player = await playerOf(request, playerId)
  const found = await untilDone(() => listPrizesOfPlayer(ctx.db, player, page))
  return {
    items: found.filter(fitting(query)),
    next: cursorAfter(lastOfFullPage(found, limit), ({ playNo }) => [playNo]),
  }
}

function fitting(query: Query): (prize: ListedPrize) => boolean {
  const from = momentIn('from', query.from)
  return (prize) =>
    (query.state === undefined || prize.state === query.state) &&
    (query.wheel === undefined || prize.wheel === query.wheel) &&
    (query.prizeId === undefined || prize.prizeId === query.prizeId) &&
    (query.playerId === undefined || prize.playerId === query.playerId) &&
    (from === null || prize.createdAt >= from)
}
