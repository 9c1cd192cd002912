import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { listMails, listMailsOfOne } from '../../../mails/mail-lists.ts'
import { campaignQuery } from '../../answers/campaigns.ts'
import { Message, MessagesAnswer, shownMessage } from '../../answers/messages.ts'
import { uuidPattern } from '../../answers/patterns.ts'
import { PlayerId } from '../../answers/shapes.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { filteredCampaign } from '../campaign-of-request.ts'
import { cursorAfter, pageKey, pageQuery, picked, readPage } from '../paging.ts'
import { playerOf } from '../players/player-routes.ts'
import { momentIn } from '../query.ts'

/** Newest first. */
const messageKey = pageKey<[number, string]>(
  [Type.Integer({ minimum: 0, maximum: 8.64e15 }), Type.String({ pattern: uuidPattern })],
  [253_402_300_799_000, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
)

/** What became of messages to players. */
export const messageLogRoutes = managementRoutes({ tag: 'Messages' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/messages',
    {
      config: { refusals: ['player_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'listMessages',
        summary: 'List messages',
        description:
          'Newest first. What a message says and its address are not in the list. Messages are kept for a year; those that were dropped, for 30 days. With filters, a page may be short or empty and still have a `next`.',
        querystring: Type.Object({
          ...pageQuery,
          ...campaignQuery,
          playerId: Type.Optional(PlayerId),
          kind: Type.Optional(Message.properties.kind),
          state: Type.Optional(Message.properties.state),
          from: Type.Optional(
            Type.String({ format: 'date-time', description: 'Planned at or after this time.' }),
          ),
          to: Type.Optional(Type.String({ format: 'date-time', description: 'Planned before this time.' })),
        }),
        response: { 200: MessagesAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(query, messageKey)
      const filter = {
        campaignId: await filteredCampaign(request, query.campaign),
        kind: query.kind ?? null,
        state: query.state ?? null,
        from: momentIn('from', query.from),
        to: momentIn('to', query.to),
      }
      const page = { before: { plannedAt: new Date(start[0]), mailId: start[1] }, limit, filter }
      const player = query.playerId === undefined ? undefined : await playerOf(request, query.playerId)
      const { items, next } = await untilDone(() =>
        player === undefined ? listMails(ctx.db, merchantId, page) : listMailsOfOne(ctx.db, player, page),
      )
      return {
        messages: picked(items.map(shownMessage), query, Message),
        next: cursorAfter(next, ({ plannedAt, mailId }) => [plannedAt.getTime(), mailId]),
      }
    },
  )
})
