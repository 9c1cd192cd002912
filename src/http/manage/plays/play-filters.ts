import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PlayPosition } from '../../../plays/play-lists.ts'
import { slugPattern } from '../../../slug.ts'
import { campaignQuery } from '../../answers/campaigns.ts'
import { PlayerId } from '../../answers/shapes.ts'
import { filteredCampaign, wheelNamed } from '../campaign-of-request.ts'
import { momentIn } from '../query.ts'

/** The filters that lists and exports of plays and of prizes share. */
export const playFilters = {
  playerId: Type.Optional(PlayerId),
  ...campaignQuery,
  wheel: Type.Optional(Type.String({ pattern: slugPattern })),
  prizeId: Type.Optional(Type.String({ pattern: slugPattern })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Played at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Played before this time.' })),
}

type PlayQuery = { campaign?: string; wheel?: string; prizeId?: string; from?: string; to?: string }
type PlayFilter = {
  campaignId: number | null
  wheelId: number | null
  prizeId: string | null
  from: Date | null
  to: Date | null
}

/** The filters of a query. A wheel or campaign that does not exist is refused. */
export async function playFilterOf(request: FastifyRequest, query: PlayQuery): Promise<PlayFilter> {
  const { wheel } = query
  return {
    campaignId: await filteredCampaign(request, query.campaign),
    wheelId: wheel === undefined ? null : (await wheelNamed(request, wheel)).wheelId,
    prizeId: query.prizeId ?? null,
    from: momentIn('from', query.from),
    to: momentIn('to', query.to),
  }
}

/** Whether a play that was found another way passes the filters. */
export function passes(
  filter: PlayFilter,
  play: { campaignId: number; wheelId: number; prizeId: string; createdAt: Date },
): boolean {
  return (
    (filter.campaignId === null || play.campaignId === filter.campaignId) &&
    (filter.wheelId === null || play.wheelId === filter.wheelId) &&
    (filter.prizeId === null || play.prizeId === filter.prizeId) &&
    (filter.from === null || play.createdAt >= filter.from) &&
    (filter.to === null || play.createdAt < filter.to)
  )
}

/** Where a list starts that ends at `to`: not at plays that are too new. */
export function startBefore(position: PlayPosition, { to }: PlayFilter): PlayPosition {
  return to === null || position.createdAt < to ? position : { createdAt: to, playerNo: -1, playNo: -1 }
}
