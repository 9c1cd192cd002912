import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { recordChanges } from '../../../audit-log/audit-log.ts'
import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import { linkListBytesMax, linkListsMax, listedPlayersMax } from '../../../link-list-limits.ts'
import { exportPageSize } from '../../../limits.ts'
import {
  type LinkList,
  markListDeleted,
  readLinkLists,
  readListedPlayers,
} from '../../../links/link-lists.ts'
import { createLinkList } from '../../../links/make-listed-links.ts'
import { revokeLinkList } from '../../../links/revoke-link-list.ts'
import { linkOfListed } from '../../../links/game-links.ts'
import type { Merchant } from '../../../merchants/merchants.ts'
import { Refusal } from '../../../refusals.ts'
import {
  LinkListAnswer,
  LinkListBody,
  LinkListsAnswer,
  ListedLink,
  shownLinkList,
} from '../../answers/link-lists.ts'
import { uuidPattern } from '../../answers/patterns.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignOfRequest } from '../campaign-of-request.ts'
import { exportDescription, exportedRows, formatQuery, sendRows } from '../exports/export-routes.ts'
import { recordExport } from '../exports/record-export.ts'

const ListName = Type.Object({
  list: Type.String({ pattern: uuidPattern, examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a72'] }),
})

/**
 * Links for a list of players. Who has the file can play as any of them. So it is for owners and editors, and for
 * tokens that may manage.
 */
export const linkListRoutes = managementRoutes({ tag: 'Link lists', read: ['manage'] }, async (app) => {
  const { ctx } = app

  app.put(
    '/api/v1/link-lists/:list',
    {
      bodyLimit: linkListBytesMax,
      config: {
        refusals: [
          'campaign_not_found',
          'campaign_archived',
          'campaign_closed',
          'campaign_not_published',
          'link_list_not_found',
          'link_list_limit_reached',
        ],
      },
      schema: {
        operationId: 'createLinkList',
        summary: 'Make links for a list of players',
        description: `For up to ${listedPlayersMax} players. The links are made in the background, by the same rules as single links and with their events; a player who may have none is named in the file. All links of a list end together, and so does the list. A repeat of the request returns the list. A merchant can have ${linkListsMax} lists.`,
        params: ListName,
        body: LinkListBody,
        response: { 200: LinkListAnswer },
      },
    },
    async (request) => {
      const { campaign: asked, language, expiresIn, playerIds } = request.body
      const merchant = callingMerchant(request)
      const campaign = asked === '*' ? ('*' as const) : await campaignOfRequest(request, asked)
      const lifetimeSeconds = expiresIn ?? merchant.linkLifetimeSeconds
      const order = { merchant, listId: request.params.list, campaign, language, lifetimeSeconds, playerIds }
      return shownLinkList(await createLinkList(ctx.db, order, causeOf(request)))
    },
  )

  app.get(
    '/api/v1/link-lists',
    {
      schema: {
        operationId: 'listLinkLists',
        summary: 'List the lists of links',
        description: 'Newest first, without those whose links have ended.',
        response: { 200: LinkListsAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const lists = await untilDone(() => readLinkLists(ctx.db, { merchantId }, nowOf(request)))
      return { lists: lists.map(shownLinkList) }
    },
  )

  app.get(
    '/api/v1/link-lists/:list',
    {
      config: { refusals: ['link_list_not_found'] },
      schema: {
        operationId: 'readLinkList',
        summary: 'Read how far a list of links is',
        params: ListName,
        response: { 200: LinkListAnswer },
      },
    },
    async (request) => shownLinkList(await listNamed(request, request.params.list)),
  )

  app.get(
    '/api/v1/link-lists/:list/export',
    {
      config: { refusals: ['link_list_not_found', 'link_list_unfinished'], reads: 'exports' },
      schema: {
        operationId: 'exportLinkList',
        summary: 'Export the links of a list',
        description: `In the order of the request. The links are signed for each download and stored nowhere; those of erased players are missing. ${exportDescription}`,
        params: ListName,
        querystring: Type.Object(formatQuery),
        response: { 200: exportedRows },
      },
    },
    async (request, reply) => {
      const { query } = request
      const merchant = callingMerchant(request)
      const list = await listNamed(request, request.params.list)
      if (list.finishedAt === null) throw new Refusal('link_list_unfinished')
      reply.raw.once('close', ctx.exportPlaces.enter(merchant.merchantId))
      await recordExport(request, { list: `link-list ${list.listId}`, query })
      const rows = linksOf(ctx, merchant, list)
      return sendRows(reply, { name: 'links', row: ListedLink, query, rows }) as never
    },
  )

  app.delete(
    '/api/v1/link-lists/:list',
    {
      config: { refusals: ['link_list_not_found'] },
      schema: {
        operationId: 'deleteLinkList',
        summary: 'Delete a list of links',
        description: 'The file is gone. The links that were sent stay valid until they end or are revoked.',
        params: ListName,
        response: { 200: ListName },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const key = { merchantId, listId: request.params.list }
      const cause = causeOf(request)
      const subject = { kind: 'link_list', id: key.listId }
      await untilDone(() =>
        ctx.db.transaction(async (tx) => {
          if (!(await markListDeleted(tx, key, cause.now))) throw new Refusal('link_list_not_found')
          await recordChanges(tx, [{ merchantId, action: 'link_list.delete', subject }], cause)
        }),
      )
      return request.params
    },
  )

  app.put(
    '/api/v1/link-lists/:list/revocation',
    {
      config: { refusals: ['link_list_not_found'] },
      schema: {
        operationId: 'revokeLinkList',
        summary: 'Revoke the links of a list',
        description: 'All its links stop working at once, and the list is deleted.',
        params: ListName,
        response: { 200: ListName },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      await revokeLinkList(ctx.db, { merchantId, listId: request.params.list }, causeOf(request))
      return request.params
    },
  )
})

async function listNamed(request: FastifyRequest, listId: string): Promise<LinkList> {
  const { merchantId } = callingMerchant(request)
  const { db } = request.server.ctx
  const [list] = await untilDone(() => readLinkLists(db, { merchantId, listId }, nowOf(request)))
  if (list === undefined) throw new Refusal('link_list_not_found')
  return list
}

async function* linksOf(ctx: Context, merchant: Merchant, list: LinkList): AsyncGenerator<object> {
  const expiresAt = list.expiresAt.toISOString()
  for (let after = -1; ;) {
    const players = await untilDone(() => readListedPlayers(ctx.db, list, { after, limit: exportPageSize }))
    for (const player of players) {
      const { playerId, refusal } = player
      const link = (await linkOfListed(ctx, { merchant, list }, player)) ?? null
      yield { playerId, link, expiresAt, refusal }
    }
    if (players.length < exportPageSize) return
    after = players.at(-1)?.place ?? after
  }
}
