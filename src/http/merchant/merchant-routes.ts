import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { increaseSpin } from '../../grants/increase-spin.ts'
import { createGameLink } from '../../links/game-links.ts'
import type { RefusalCode } from '../../refusals.ts'
import { meetTrouble } from '../../test-mode/forced-trouble.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import {
  GameLinkAnswer,
  GameLinkBody,
  IdempotencyHeaders,
  IncreaseSpinAnswer,
  IncreaseSpinBody,
  merchantRefusals,
  problemResponses,
} from '../answers/shapes.ts'

/** The two operations for a merchant's server, called with its service token. Their paths are frozen. */
export function merchantRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app

    app.post(
      '/api/player/increaseSpin',
      {
        onRequest: authenticate('spins'),
        config: { isForTokensOnly: true, boundTokens: 'meant' },
        schema: {
          operationId: 'increaseSpin',
          summary: 'Increase the number of spins',
          description:
            'Adds spins to a player, who is created if missing. They are spins of the campaign that the token is bound to, or of `main`. Each call adds spins again, unless it repeats an `Idempotency-Key`: then it gets the first answer, with the header `Idempotent-Replayed: true`, and adds nothing.',
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
        const { playerId, spinNumber } = request.body
        const order = { playerId, spinNumber, key, campaign: request.caller?.campaign, trace: request.trace }
        await meetTrouble(callingMerchant(request), playerId, 'increaseSpin')
        const { spinCount, isRepeat } = await increaseSpin(ctx, callingMerchant(request), order)
        if (isRepeat) reply.header('Idempotent-Replayed', 'true')
        return { playerId, spinCount }
      },
    )

    app.post(
      '/api/game/sso',
      {
        onRequest: authenticate('links'),
        config: { isForTokensOnly: true, boundTokens: 'meant' },
        schema: {
          operationId: 'createGameLink',
          summary: 'Generate a game link',
          description:
            'Creates a new link for a player, who is created if missing. It opens the campaign that the token is bound to, or `main`. Every call creates another link; earlier links stay valid until they expire or are revoked. Repeating the call is safe: `initialSpin` is granted once per player and campaign.',
          tags: ['Merchant'],
          security: [{ serviceToken: [] }],
          body: GameLinkBody,
          response: {
            200: GameLinkAnswer,
            ...problemResponses(
              ...merchantRefusals,
              'player_blocked',
              ...grantRefusals,
              'campaign_not_published',
            ),
          },
        },
      },
      async (request) => {
        const { playerId, initialSpin } = request.body
        const { campaign } = request.caller ?? {}
        await meetTrouble(callingMerchant(request), playerId, 'sso')
        const order = { playerId, initialSpin: initialSpin ?? 0, campaign, trace: request.trace }
        return createGameLink(ctx, { merchant: callingMerchant(request), ...order })
      },
    )
  }
}

const grantRefusals: RefusalCode[] = [
  // Only with a token that is bound to a campaign.
  'campaign_archived',
  'campaign_closed',
  'balance_limit_exceeded',
  'grant_limit_exceeded',
  'daily_grant_limit_exceeded',
]
