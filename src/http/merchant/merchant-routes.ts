import { randomUUIDv7 } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import { createGameLink } from '../../links/game-links.ts'
import type { Merchant } from '../../merchants/merchants.ts'
import { shardOf } from '../../players/shard.ts'
import { Refusal, type RefusalCode } from '../../refusals.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import {
  GameLinkAnswer,
  GameLinkBody,
  IdempotencyHeaders,
  IncreaseSpinAnswer,
  IncreaseSpinBody,
  merchantRefusals,
  problemResponses,
} from '../answers/common.ts'

/** What a merchant's server calls, with its service token. These two paths are frozen. */
export function merchantRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app

    app.post(
      '/api/player/increaseSpin',
      {
        onRequest: authenticate('spins'),
        config: { isForTokensOnly: true },
        schema: {
          operationId: 'increaseSpin',
          summary: 'Increase the number of spins',
          description:
            'Adds spins to a player, who is created if need be. Two calls are two additions, unless they carry the same `Idempotency-Key`: then the second gets the answer of the first, with the header `Idempotent-Replayed: true`.',
          tags: ['Merchant'],
          security: [{ serviceToken: [] }],
          headers: IdempotencyHeaders,
          body: IncreaseSpinBody,
          response: {
            200: IncreaseSpinAnswer,
            ...problemResponses(
              ...merchantRefusals,
              'player_blocked',
              ...grantRefusals,
              'idempotency_key_malformed',
              'idempotency_key_reused',
              'player_not_found',
            ),
          },
        },
      },
      async (request, reply) => {
        const key = request.headers['idempotency-key']
        const { body, isRepeat } = await increaseSpin(ctx, callingMerchant(request), { ...request.body, key })
        if (isRepeat) reply.header('Idempotent-Replayed', 'true')
        return body
      },
    )

    app.post(
      '/api/game/sso',
      {
        onRequest: authenticate('links'),
        config: { isForTokensOnly: true },
        schema: {
          operationId: 'createGameLink',
          summary: 'Generate a game link',
          description:
            'Makes a new link for a player, who is created if need be. Every call makes another link; earlier ones stay valid until they expire or are revoked. To repeat the call is safe: `initialSpin` is granted once per player.',
          tags: ['Merchant'],
          security: [{ serviceToken: [] }],
          body: GameLinkBody,
          response: {
            200: GameLinkAnswer,
            ...problemResponses(...merchantRefusals, 'player_blocked', ...grantRefusals),
          },
        },
      },
      async (request) => {
        const { playerId, initialSpin } = request.body
        const order = { playerId, initialSpin: initialSpin ?? 0 }
        return createGameLink(ctx, { merchant: callingMerchant(request), ...order })
      },
    )
  }
}

export async function increaseSpin(
  ctx: Context,
  merchant: Merchant,
  order: { playerId: string; spinNumber: number; key: string | undefined },
): Promise<{ body: Static<typeof IncreaseSpinAnswer>; isRepeat: boolean }> {
  const player = { merchantId: merchant.merchantId, playerId: order.playerId }
  const verdict = await ctx.grants.submit({
    ...player,
    shard: shardOf(player),
    kind: 'grant',
    amount: order.spinNumber,
    key: order.key ?? randomUUIDv7(),
    madeKey: order.key === undefined,
    reason: null,
    mayCreatePlayer: !merchant.strictPlayers,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
  })
  ctx.metrics.grants.inc({ outcome: verdict.outcome })
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  const body = { playerId: order.playerId, spinCount: verdict.balance }
  // A key of our own comes back when a commit was not known to have gone through: for the caller it is the first answer.
  return { body, isRepeat: verdict.outcome === 'replayed' && order.key !== undefined }
}

const grantRefusals: RefusalCode[] = [
  'balance_limit_exceeded',
  'grant_limit_exceeded',
  'daily_grant_limit_exceeded',
]
