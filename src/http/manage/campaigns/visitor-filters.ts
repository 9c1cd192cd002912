import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { readAddress } from '../../../entries/address.ts'
import { addressLengthMax } from '../../../entries/entry-limits.ts'
import { findVisitor } from '../../../entries/find-visitor.ts'
import type { EntryFilter } from '../../../entries/list-entries.ts'
import { findPlayer } from '../../../players/players.ts'
import { PlayerId } from '../../answers/shapes.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { momentIn, wrongQuery } from '../query.ts'

/** Which entries of visitors a list or an export has. */
export const visitorFilters = {
  address: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: addressLengthMax,
      description: 'Only the visitor with this address, in any of its spellings.',
      examples: ['ann@shop.example'],
    }),
  ),
  playerId: Type.Optional(PlayerId),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Entered at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Entered before this time.' })),
  verified: Type.Optional(
    Type.Boolean({ description: 'True for proven addresses, false for those without a proof.' }),
  ),
}

type VisitorQuery = {
  address?: string
  playerId?: string
  from?: string
  to?: string
  verified?: boolean
}

export async function visitorFilterOf(request: FastifyRequest, query: VisitorQuery): Promise<EntryFilter> {
  return {
    from: momentIn('from', query.from) ?? new Date(0),
    to: momentIn('to', query.to) ?? lastMoment,
    verified: query.verified,
    player: await visitorIn(request, query),
  }
}

/** Later than every entry. */
const lastMoment = new Date('9999-12-31T23:59:59Z')

/** Undefined without a search. Null if nobody is found, or the two don't name one person. */
async function visitorIn(
  request: FastifyRequest,
  { address, playerId }: VisitorQuery,
): Promise<EntryFilter['player']> {
  if (address === undefined && playerId === undefined) return undefined
  const { db } = request.server.ctx
  const merchant = callingMerchant(request)
  const { merchantId } = merchant
  const now = nowOf(request)
  if (address === undefined)
    return (await untilDone(() => findPlayer(db, { merchantId, playerId: playerId ?? '' }, now))) ?? null
  const parts = readAddress(address)
  if (parts === undefined) throw wrongQuery('address', 'must be an e-mail address')
  const found = await untilDone(() => findVisitor(db, merchant, parts, now))
  return found === undefined || (playerId !== undefined && playerId !== found.playerId) ? null : found
}
