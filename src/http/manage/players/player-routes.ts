import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { listFreeSpins } from '../../../free-spins/describe-free-spins.ts'
import { balanceMax } from '../../../limits.ts'
import { blockPlayer, revokePlayerLinks, unblockPlayer } from '../../../players/block-player.ts'
import { correctBalance } from '../../../players/correct-balance.ts'
import { expiryRule } from '../../../players/spin-lots.ts'
import { listLots } from '../../../players/lot-rows.ts'
import { listEntries } from '../../../players/player-lists.ts'
import { findPlayer, type Player } from '../../../players/players.ts'
import { Refusal } from '../../../refusals.ts'
import { listPurses } from '../../../players/purses.ts'
import { CampaignId, campaignQuery } from '../../answers/campaigns.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { campaignOfRequest, filteredCampaign } from '../campaign-of-request.ts'
import { cursorAfter, newestFirst, pageQuery, picked, readPage } from '../paging.ts'
import { findPlayers, PlayerQuery } from './player-search.ts'
import { visiblePlayers } from './visible-players.ts'
import { shownWithPurses } from './with-purses.ts'
import { Reason, RequiredKeyHeaders } from '../../answers/shapes.ts'
import {
  BalanceAnswer,
  EntriesAnswer,
  EntryAnswer,
  PlayerAnswer,
  PlayerName,
  PlayersAnswer,
  shownCampaignFreeSpins,
  shownEntry,
  shownLot,
  shownPlayer,
  shownPurse,
} from '../../answers/players.ts'
import { giverOf, grantRefusal } from '../../console/staff-session.ts'

/** Players and their ledger, for a merchant's own systems. */
export const playerRoutes = managementRoutes({ tag: 'Players' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/players',
    {
      schema: {
        operationId: 'listPlayers',
        summary: 'List and search players',
        description: 'Sorted by id, byte by byte. A search begins with the ids that start with its text.',
        querystring: PlayerQuery,
        response: { 200: PlayersAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { players, next } = await findPlayers(request, query)
      return { players: picked(await shownWithPurses(request, players), query, PlayerAnswer), next }
    },
  )

  app.get(
    '/api/v1/players/:playerId',
    {
      config: { refusals: ['player_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readPlayer',
        summary: 'Read a player',
        params: PlayerName,
        response: { 200: PlayerAnswer },
      },
    },
    async (request) => {
      const player = await playerOf(request, request.params.playerId)
      const now = nowOf(request)
      const owner = { merchantId: callingMerchant(request).merchantId, ...player }
      const [purses, lots, free] = await untilDone(() =>
        Promise.all([
          listPurses(ctx.db, player, now),
          player.nextExpiry === null ? [] : listLots(ctx.db, player, now),
          listFreeSpins(ctx, owner, now),
        ]),
      )
      const bound = request.caller?.campaign
      const isOwnPurse = ({ purseId }: { purseId: number }) =>
        bound === undefined || purseId === bound.purseId
      return {
        ...shownPlayer(player),
        purses: purses.filter(isOwnPurse).map(shownPurse),
        lots: lots.filter(isOwnPurse).map(shownLot),
        free: free
          .filter(({ campaign }) => bound === undefined || campaign === bound.slug)
          .map(shownCampaignFreeSpins),
      }
    },
  )

  for (const [method, change, operationId, summary] of [
    ['PUT', blockPlayer, 'blockPlayer', 'Block a player'],
    ['DELETE', unblockPlayer, 'unblockPlayer', 'Unblock a player'],
  ] as const) {
    app.route({
      method,
      url: '/api/v1/players/:playerId/block',
      config: { refusals: ['player_not_found', 'player_erased'] },
      schema: {
        operationId,
        summary,
        description: 'A blocked player gets no spins and no links, and cannot play. Takes effect at once.',
        params: PlayerName,
        response: { 200: PlayerAnswer },
      },
      handler: async (request) => {
        const name = { merchantId: callingMerchant(request).merchantId, ...request.params }
        return shownPlayer(orRefuse(await change(ctx.db, name, causeOf(request))))
      },
    })
  }

  app.put(
    '/api/v1/players/:playerId/links/revocation',
    {
      config: { refusals: ['player_not_found'] },
      schema: {
        operationId: 'revokePlayerLinks',
        summary: "Revoke all of a player's game links",
        description: 'Revokes all links made so far, and the sessions that they opened. New links work.',
        params: PlayerName,
        response: { 200: PlayerAnswer },
      },
    },
    async (request) => {
      const name = { merchantId: callingMerchant(request).merchantId, ...request.params }
      return shownPlayer(orRefuse(await revokePlayerLinks(ctx.db, name, causeOf(request))))
    },
  )

  app.post(
    '/api/v1/players/:playerId/corrections',
    {
      config: {
        refusals: [
          'player_not_found',
          'idempotency_key_missing',
          'idempotency_key_malformed',
          'idempotency_key_reused',
          'balance_too_low',
          'balance_limit_exceeded',
          'staff_grant_limit_exceeded',
          'campaign_not_found',
        ],
      },
      schema: {
        operationId: 'correctBalance',
        summary: 'Correct a balance',
        description:
          "Adds or removes spins, for a reason. The ledger gets an entry of kind `correction`. The balance never falls below zero. Spins are removed in the order in which a player would use them; added ones expire like granted ones. Spins that a staff member adds count against that person's daily limit.",
        params: PlayerName,
        headers: RequiredKeyHeaders,
        body: Type.Object({
          amount: Type.Integer({
            minimum: -balanceMax,
            maximum: balanceMax,
            not: { const: 0 },
            description: 'Spins to add; below zero: to remove.',
            examples: [2],
          }),
          reason: Reason,
          campaign: Type.Optional({
            ...CampaignId,
            description: 'The campaign whose spins are corrected; `main` by default. It may be over.',
          }),
        }),
        response: { 200: BalanceAnswer },
      },
    },
    async (request, reply) => {
      const { playerId } = request.params
      const { amount, reason } = request.body
      const merchant = callingMerchant(request)
      const campaign = await campaignOfRequest(request, request.body.campaign)
      const correction = {
        merchantId: merchant.merchantId,
        playerId,
        amount,
        reason,
        key: request.headers['idempotency-key'],
        campaign,
        expiry: expiryRule(merchant, campaign),
        giver: giverOf(request, merchant),
      }
      const verdict = await correctBalance(ctx.db, correction, causeOf(request))
      if (verdict.outcome === 'refused') throw grantRefusal(verdict, correction.giver)
      if (verdict.outcome === 'replayed') reply.header('Idempotent-Replayed', 'true')
      else ctx.events.sequencer.nudge()
      return { playerId, spinCount: verdict.balance }
    },
  )

  app.get(
    '/api/v1/players/:playerId/ledger',
    {
      config: { refusals: ['player_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'listLedgerEntries',
        summary: "List the entries of a player's ledger",
        description:
          'Newest first. The balance of a purse is the sum of its entries. With a campaign, a page may be short or empty and still have a `next`.',
        params: PlayerName,
        querystring: Type.Object({ ...pageQuery, ...campaignQuery }),
        response: { 200: EntriesAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { start, limit } = readPage(query, newestFirst)
      const player = await playerOf(request, request.params.playerId)
      const page = { before: start[0], limit, campaignId: await filteredCampaign(request, query.campaign) }
      const { entries, next } = await untilDone(() => listEntries(ctx.db, player, page))
      return {
        entries: picked(entries.map(shownEntry), query, EntryAnswer),
        next: cursorAfter(next, (entryNo) => [entryNo]),
      }
    },
  )
})

/** The calling merchant's player of this id, as the caller may see it. */
export async function playerOf(request: FastifyRequest, playerId: string): Promise<Player> {
  const { merchantId } = callingMerchant(request)
  const { ctx } = request.server
  const found = orRefuse(await untilDone(() => findPlayer(ctx.db, { merchantId, playerId }, nowOf(request))))
  return orRefuse((await visiblePlayers(request, [found]))[0])
}

function orRefuse(player: Player | undefined): Player {
  if (player === undefined) throw new Refusal('player_not_found')
  return player
}
