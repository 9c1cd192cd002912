import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { findPlays, type ListedPlay, listPlays, listPlaysOfPlayer } from '../../../plays/play-lists.ts'
import { Refusal } from '../../../refusals.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { playFor } from '../masked-codes.ts'
import { cursorAfter, lastOfFullPage, newestFirst, pageQuery, picked, readPage } from '../paging.ts'
import { cursorAt, readPlayPage } from './play-pages.ts'
import { passes, playFilterOf, playFilters, startBefore } from './play-filters.ts'
import { playerOf } from '../players/player-routes.ts'
import { PlayAnswer, PlayName, PlaysAnswer, shownPlay, WhichPlayer } from '../../answers/plays.ts'

/** Plays with their proofs, for a merchant's own systems. */
export const playRoutes = managementRoutes({ tag: 'Plays' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/plays',
    {
      config: {
        refusals: ['player_not_found', 'wheel_not_found', 'campaign_not_found'],
        boundTokens: 'filtered',
      },
      schema: {
        operationId: 'listPlays',
        summary: 'List plays with their proofs',
        description:
          'Newest first. With filters, a page may be short or empty and still have a `next`. The published wheel of a play is at `/api/v1/game/versions/{hash}`.',
        querystring: Type.Object({ ...pageQuery, ...playFilters, won: Type.Optional(Type.Boolean()) }),
        response: { 200: PlaysAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const show = async (plays: readonly ListedPlay[]) =>
        picked(
          await Promise.all(plays.map(async (play) => playFor(request, await shownPlay(ctx, play)))),
          query,
          PlayAnswer,
        )
      const filter = { ...(await playFilterOf(request, query)), won: query.won ?? null }
      if (query.playerId !== undefined) {
        const player = await playerOf(request, query.playerId)
        const { start, limit } = readPage(query, newestFirst)
        const page = { before: start[0], limit }
        const plays = await untilDone(() => listPlaysOfPlayer(ctx.db, player, page))
        const next = cursorAfter(lastOfFullPage(plays, limit), ({ playNo }) => [playNo])
        const wanted = plays.filter(
          (play) => passes(filter, play) && (filter.won === null || play.won === filter.won),
        )
        return { plays: await show(wanted), next }
      }
      const { before, limit } = readPlayPage(query)
      const page = { before: startBefore(before, filter), limit, filter }
      const { items, next } = await untilDone(() => listPlays(ctx.db, merchantId, page))
      return { plays: await show(items), next: cursorAt(next) }
    },
  )

  app.get(
    '/api/v1/plays/:playId',
    {
      config: { refusals: ['play_not_found', 'play_ambiguous'], boundTokens: 'checked' },
      schema: {
        operationId: 'readPlay',
        summary: 'Read a play with its proof',
        params: PlayName,
        querystring: WhichPlayer,
        response: { 200: PlayAnswer },
      },
    },
    async (request) => {
      const key = { merchantId: callingMerchant(request).merchantId, playId: request.params.playId }
      const { playerId } = request.query
      const found = await untilDone(() => findPlays(ctx.db, key))
      const campaignId = request.caller?.campaign?.campaignId
      const plays = found.filter(
        (play) =>
          (playerId === undefined || play.playerId === playerId) &&
          (campaignId === undefined || play.campaignId === campaignId),
      )
      if (plays.length > 1) throw new Refusal('play_ambiguous')
      const [play] = plays
      if (play === undefined) throw new Refusal('play_not_found')
      return playFor(request, await shownPlay(ctx, play))
    },
  )
})
