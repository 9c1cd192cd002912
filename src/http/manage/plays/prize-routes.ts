import { randomUUIDv7 } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import type { SettlementAction } from '../../../prizes/decide-settlement.ts'
import { readPrizes } from '../../../prizes/prize-lists.ts'
import { findPrize, settlePrize } from '../../../prizes/settle-prizes.ts'
import { Refusal, type RefusalCode } from '../../../refusals.ts'
import { mayReverseRedemptions } from '../../../staff/roles.ts'
import { callingMerchant, causeOf, nowOf } from '../../authenticate.ts'
import { roleMissing } from '../../console/staff-session.ts'
import { managementRoutes } from '../../route-groups.ts'
import { prizeFor } from '../masked-codes.ts'
import { picked } from '../paging.ts'
import { PrizeQuery, searchPrizes } from './prize-search.ts'
import { IdempotencyHeaders, Reason } from '../../answers/shapes.ts'
import { PlayName, WhichPlayer } from '../../answers/plays.ts'
import { PrizeAnswer, PrizesAnswer, shownPrize } from '../../answers/prizes.ts'

const area = {
  tag: 'Prizes',
  read: ['manage', 'prizes', 'read'],
  change: ['manage', 'prizes'],
} as const

/** Prizes that were won, and their settlement: for a till, a shop's system, or the merchant's staff. */
export const prizeRoutes = managementRoutes(area, async (app, authenticate) => {
  const { ctx } = app

  app.get(
    '/api/v1/prizes',
    {
      config: {
        refusals: ['player_not_found', 'wheel_not_found', 'campaign_not_found'],
        boundTokens: 'filtered',
      },
      schema: {
        operationId: 'listPrizes',
        summary: 'List prizes that were won',
        description:
          'Newest first. Won spins are not listed, because they need no settlement. With filters other than `code` and `playerId`, a page may be short or empty and still have a `next`.',
        querystring: PrizeQuery,
        response: { 200: PrizesAnswer },
      },
    },
    async (request) => {
      const { items, next } = await searchPrizes(request, request.query)
      return {
        prizes: picked(
          items.map((prize) => prizeFor(request, shownPrize(prize))),
          request.query,
          PrizeAnswer,
        ),
        next,
      }
    },
  )

  app.get(
    '/api/v1/prizes/:playId',
    {
      config: { refusals: ['play_not_found', 'play_ambiguous'], boundTokens: 'checked' },
      schema: {
        operationId: 'readPrize',
        summary: 'Read a prize that was won',
        params: PlayName,
        querystring: WhichPlayer,
        response: { 200: PrizeAnswer },
      },
    },
    async (request) => read(request, request.params.playId, request.query.playerId),
  )

  async function read(request: FastifyRequest, playId: string, playerId: string | undefined) {
    const { merchantId } = callingMerchant(request)
    const campaignId = request.caller?.campaign?.campaignId
    const play = await findPrize(ctx.db, { merchantId, playId, playerId, campaignId })
    const [prize] = await untilDone(() => readPrizes(ctx.db, [play], nowOf(request)))
    if (prize === undefined) throw new Refusal('play_not_found')
    return prizeFor(request, shownPrize(prize))
  }

  const actions: [SettlementAction, string, string, string][] = [
    ['claim', 'claim', 'Claim a prize', 'The player wants the prize. A claimed prize does not expire.'],
    [
      'redeem',
      'redemption',
      'Redeem a prize',
      'The prize was handed over or used. Only the first redemption succeeds; a second one is refused.',
    ],
    [
      'cancel',
      'cancellation',
      'Cancel a prize',
      'The player does not get the prize. Unless `returnStock` is false, a prize with a stock goes back into it. A code is never given out again, because a player has seen it.',
    ],
    [
      'reverse',
      'redemption-reversal',
      'Take back a redemption',
      'For a redemption by mistake, with a reason. The prize is `claimed` again: it does not expire, and can be redeemed or cancelled. Possible for as long as the merchant setting `redemptionReversalHours` says. Needs the scope `manage`; among staff, the role owner or editor.',
    ],
  ]
  const refusalsOf = (action: SettlementAction): RefusalCode[] =>
    (
      {
        claim: ['prize_held', 'prize_settled', 'prize_expired'],
        redeem: ['prize_held', 'prize_settled', 'prize_expired', 'redemption_reversed'],
        cancel: ['prize_held', 'prize_settled', 'prize_expired'],
        reverse: ['prize_held', 'prize_not_redeemed', 'redemption_final'],
      } as const satisfies Record<SettlementAction, readonly RefusalCode[]>
    )[action].slice()
  for (const [action, noun, summary, description] of actions) {
    app.put(
      `/api/v1/prizes/:playId/${noun}`,
      {
        ...(action === 'reverse' ? { onRequest: authenticate('manage') } : {}),
        config: {
          refusals: [
            'idempotency_key_malformed',
            'idempotency_key_reused',
            'play_not_found',
            'play_ambiguous',
            ...refusalsOf(action),
          ],
          boundTokens: 'checked',
        },
        schema: {
          operationId: action === 'reverse' ? 'reverseRedemption' : `${action}Prize`,
          summary,
          description,
          params: PlayName,
          querystring: WhichPlayer,
          headers: IdempotencyHeaders,
          body: Type.Object(
            {
              reason: action === 'reverse' ? Reason : Type.Optional(Reason),
              ...(action === 'cancel' ? { returnStock: Type.Optional(Type.Boolean()) } : {}),
            },
            { additionalProperties: false },
          ),
          response: { 200: PrizeAnswer },
        },
      },
      async (request, reply) => {
        const { playId } = request.params
        const { playerId } = request.query
        const body = request.body as { reason?: string; returnStock?: boolean }
        if (action === 'cancel' && request.staff !== undefined && body.reason === undefined)
          throw reasonMissing()
        if (action === 'reverse' && request.staff !== undefined && !mayReverseRedemptions(request.staff.role))
          throw roleMissing(request.staff.role)
        const merchant = callingMerchant(request)
        const outcome = await settlePrize(
          ctx,
          {
            merchantId: merchant.merchantId,
            playId,
            playerId,
            campaignId: request.caller?.campaign?.campaignId,
            action,
            key: request.headers['idempotency-key'] ?? randomUUIDv7(),
            reason: body.reason ?? null,
            returnsStock: body.returnStock !== false,
            reversalHours: merchant.redemptionReversalHours,
          },
          causeOf(request),
        )
        if (outcome === 'replayed') reply.header('Idempotent-Replayed', 'true')
        else ctx.events.sequencer.nudge()
        return read(request, playId, playerId)
      },
    )
  }
})

/** A program has its own records. A person who cancels a prize gives a reason. */
function reasonMissing(): Refusal {
  const error = { pointer: '/reason', detail: 'is required from people' }
  return new Refusal('validation_failed', { detail: '/reason is required from people', errors: [error] })
}
