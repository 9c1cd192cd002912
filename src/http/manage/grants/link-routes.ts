import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { claimsOf, createGameLink, linkOf } from '../../../links/game-links.ts'
import { findKeyedLink } from '../../../links/keyed-links.ts'
import { listLiveLinks } from '../../../links/live-links.ts'
import { listRevokedLinks, revokeLink } from '../../../links/link-states.ts'
import { shardOf } from '../../../players/shard.ts'
import { mayInventPlayers } from '../../../staff/roles.ts'
import { createWalletLink } from '../../../wallet/wallet-links.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { cursorAfter, lastOfFullPage, pageKey, pageQuery, picked, readPage } from '../paging.ts'
import { playerOf } from '../players/player-routes.ts'
import { IdempotencyHeaders } from '../../answers/shapes.ts'
import { campaignOfRequest, refuseOther } from '../campaign-of-request.ts'
import { refuseUnknownZone, wrongQuery } from '../query.ts'
import {
  LinkAnswer,
  LinkBody,
  LiveLink,
  LiveLinksAnswer,
  RevocationAnswer,
  RevokedLink,
  RevokedLinksAnswer,
  shownLink,
  shownLiveLink,
  shownRevokedLink,
  WalletLinkBody,
} from '../../answers/links.ts'
import { eventFilters } from '../../answers/events.ts'
import { PlayerName } from '../../answers/players.ts'
import { uuidPattern } from '../../answers/patterns.ts'

const LinkId = Type.String({
  pattern: uuidPattern,
  description: 'The `jti` of the game token, also in the event `link.created`.',
  examples: ['0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71'],
})

const seqMax = Number.MAX_SAFE_INTEGER
const seqKey = pageKey<[number]>([Type.Integer({ minimum: 1, maximum: seqMax })], [seqMax])
// `~` sorts after every id.
const linkIdKey = pageKey<[string]>([Type.String({ maxLength: 200 })], ['~'])

/** Links for any campaign and to the wallet, by a merchant's system. */
export const campaignLinkRoutes = managementRoutes(
  { tag: 'Links', change: ['links', 'manage'] },
  async (app) => {
    const { ctx } = app

    app.post(
      '/api/v1/links',
      {
        config: {
          isForTokensOnly: true,
          refusals: [
            'idempotency_key_malformed',
            'idempotency_key_reused',
            'player_blocked',
            'grant_limit_exceeded',
            'daily_grant_limit_exceeded',
            'balance_limit_exceeded',
            'campaign_not_found',
            'campaign_archived',
            'campaign_closed',
            'campaign_not_published',
          ],
          boundTokens: 'meant',
        },
        schema: {
          operationId: 'createLink',
          summary: 'Create a game link for a campaign',
          description:
            'Like `POST /api/game/sso`, with a campaign, a language and a lifetime. `initialSpins` are granted once per player and campaign. With an `Idempotency-Key`, a repeat gets the same link, until it expires. A revoked link stays revoked: another needs a new key.',
          headers: IdempotencyHeaders,
          body: LinkBody,
          response: { 200: LinkAnswer },
        },
      },
      async (request, reply) => {
        const order = await linkOrder(request, request.body)
        const { keyed } = order
        const first = keyed && (await untilDone(() => findKeyedLink(ctx.db, keyed)))
        if (first !== undefined) reply.header('Idempotent-Replayed', 'true')
        const made =
          first === undefined
            ? await createGameLink(ctx, order)
            : await linkOf(ctx, { ...claimsOf(order), ...first })
        return shownLink(made, request.body.language)
      },
    )

    app.post(
      '/api/v1/players/:playerId/wallet-links',
      {
        config: {
          refusals: ['player_not_found', 'player_blocked', 'campaign_not_found'],
          boundTokens: 'meant',
        },
        schema: {
          operationId: 'createWalletLink',
          summary: "Create a link to a player's wallet",
          description:
            'The wallet shows the prizes that the player has won, with their codes. The link is valid until 90 days after the last day of these prizes, and at most two years. Revoke it like a game link.',
          params: PlayerName,
          body: WalletLinkBody,
          response: { 200: LinkAnswer },
        },
      },
      async (request) => {
        const { campaign: asked = request.caller?.campaign?.slug ?? '*', language } = request.body
        refuseOther(request.caller?.campaign, asked)
        const campaign = asked === '*' ? asked : (await campaignOfRequest(request, asked)).slug
        const player = await playerOf(request, request.params.playerId)
        const order = { player, campaign, cause: causeOf(request) }
        const made = await createWalletLink(ctx, callingMerchant(request), order)
        ctx.events.sequencer.nudge()
        return shownLink(made, language)
      },
    )
  },
)

async function linkOrder(request: FastifyRequest, body: Static<typeof LinkBody>) {
  const merchant = callingMerchant(request)
  const { playerId, initialSpins, language, expiresIn, timeZone } = body
  refuseUnknownZone(timeZone)
  const isLobby = body.campaign === '*'
  if (isLobby) refuseOther(request.caller?.campaign, '*')
  if (isLobby && initialSpins !== undefined)
    throw wrongQuery('initialSpins', 'needs one campaign, and "*" means all of them')
  const campaign = isLobby ? ('*' as const) : await campaignOfRequest(request, body.campaign)
  const slug = campaign === '*' ? '*' : campaign.slug
  const player = { merchantId: merchant.merchantId, playerId }
  const key = request.headers['idempotency-key'] as string | undefined
  const asked = { campaign: slug, initialSpins, language, expiresIn, timeZone }
  const keyed = key === undefined ? undefined : { ...player, shard: shardOf(player), key, ...asked }
  const initialSpin = initialSpins ?? 0
  return {
    merchant,
    playerId,
    initialSpin,
    campaign,
    lifetimeSeconds: expiresIn,
    timeZone,
    keyed,
    trace: request.trace,
  }
}

/** Game links. A link is a signed token without a row: only revocations are stored, and events. */
export const linkRoutes = managementRoutes({ tag: 'Links' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/players/:playerId/links',
    {
      config: { refusals: ['player_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'listLinksOfPlayer',
        summary: "List a player's live links",
        description:
          'Newest first, without expired and revoked links. Links are read from the event log: a link appears about a second after it was made, and is listed for as long as events are kept. A page reads a limited part of the log, so it may be short or empty and still have a `next`.',
        params: PlayerName,
        querystring: Type.Object({ ...pageQuery, campaign: eventFilters.campaign }),
        response: { 200: LiveLinksAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const merchant = callingMerchant(request)
      const player = await playerOf(request, request.params.playerId)
      const { start, limit } = readPage(query, seqKey)
      const bound = request.caller?.campaign
      refuseOther(bound, query.campaign)
      const campaign = bound?.slug ?? query.campaign
      const page = { before: start[0], limit, campaign, now: nowOf(request) }
      const { links, next } = await untilDone(() => listLiveLinks(ctx.db, { merchant, player }, page))
      return {
        links: picked(links.map(shownLiveLink), query, LiveLink),
        next: cursorAfter(next, (seq) => [seq]),
      }
    },
  )

  app.post(
    '/api/v1/players/:playerId/links',
    {
      config: {
        refusals: [
          'player_blocked',
          'player_not_found',
          'campaign_not_found',
          'campaign_archived',
          'campaign_closed',
          'campaign_not_published',
        ],
      },
      schema: {
        operationId: 'createLinkByHand',
        summary: 'Create a game link by hand',
        description:
          'Like `POST /api/game/sso`, but without spins. The event and the audit log name its creator. Staff with the role support can create links only for players who exist.',
        params: PlayerName,
        querystring: Type.Object({
          campaign: Type.Optional({
            ...LinkBody.properties.campaign,
            description: 'The campaign that the link opens; `main` by default, `*` for the lobby.',
          }),
          expiresIn: LinkBody.properties.expiresIn,
        }),
        response: { 200: LinkAnswer },
      },
    },
    async (request) => {
      const { campaign: asked, expiresIn: lifetimeSeconds } = request.query
      const campaign = asked === '*' ? ('*' as const) : await campaignOfRequest(request, asked)
      const order = {
        merchant: callingMerchant(request),
        ...request.params,
        initialSpin: 0,
        campaign,
        lifetimeSeconds,
      }
      const mayCreatePlayer = request.staff === undefined || mayInventPlayers(request.staff.role)
      const made = await createGameLink(ctx, { ...order, mayCreatePlayer, cause: causeOf(request) })
      ctx.events.sequencer.nudge()
      return shownLink(made, undefined)
    },
  )

  app.get(
    '/api/v1/links/revoked',
    {
      schema: {
        operationId: 'listRevokedLinks',
        summary: 'List revoked links',
        description: 'Sorted by when the links were created, newest first.',
        querystring: Type.Object(pageQuery),
        response: { 200: RevokedLinksAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(query, linkIdKey)
      const [before] = start
      const links = await untilDone(() => listRevokedLinks(ctx.db, merchantId, { before, limit }))
      return {
        links: picked(links.map(shownRevokedLink), query, RevokedLink),
        next: cursorAfter(lastOfFullPage(links, limit), ({ linkId }) => [linkId]),
      }
    },
  )

  app.put(
    '/api/v1/links/:linkId/revocation',
    {
      schema: {
        operationId: 'revokeLink',
        summary: 'Revoke a game link',
        description: 'The link and its sessions stop working at once. Repeating the call is safe.',
        params: Type.Object({ linkId: LinkId }),
        response: { 200: RevocationAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { linkId } = request.params
      const cause = causeOf(request)
      await untilDone(() => revokeLink(ctx.db, { linkId, merchantId }, cause))
      return { linkId }
    },
  )
})
