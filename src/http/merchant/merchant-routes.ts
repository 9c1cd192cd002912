import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { RefusalCode } from '../../refusals.ts'
import { meetTrouble } from '../../test-mode/forced-trouble.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import { GameLinkAnswer, IncreaseSpinAnswer, merchantRefusals, problemResponses } from '../answers/shapes.ts'
import { linkCreation, spinIncrease } from './merchant-operations.ts'

/** The two operations for a merchant's server, called with its service token. Their paths are frozen. */
export function merchantRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app

    app.post(
      spinIncrease.path,
      {
        onRequest: authenticate(spinIncrease.scope),
        config: { isForTokensOnly: true, boundTokens: 'meant' },
        schema: {
          operationId: 'increaseSpin',
          summary: 'Increase the number of spins',
          description:
            'Adds spins to a player, who is created if missing. They are spins of the campaign that the token is bound to, or of `main`. Each call adds spins again, unless it repeats an `Idempotency-Key`: then it gets the first answer, with the header `Idempotent-Replayed: true`, and adds nothing.',
          tags: ['Merchant'],
          security: [{ serviceToken: [] }],
          headers: spinIncrease.headers,
          body: spinIncrease.body,
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
        const { body, trace } = request
        const merchant = callingMerchant(request)
        const caller = { merchant, campaign: request.caller?.campaign }
        await meetTrouble(merchant, body.playerId, 'increaseSpin')
        const key = request.headers['idempotency-key']
        const done = await spinIncrease.carryOut(ctx, caller, { body, key, trace })
        if (done.isRepeat) reply.header('Idempotent-Replayed', 'true')
        return done.body
      },
    )

    app.post(
      linkCreation.path,
      {
        onRequest: authenticate(linkCreation.scope),
        config: { isForTokensOnly: true, boundTokens: 'meant' },
        schema: {
          operationId: 'createGameLink',
          summary: 'Generate a game link',
          description:
            'Creates a new link for a player, who is created if missing. It opens the campaign that the token is bound to, or `main`. Every call creates another link; earlier links stay valid until they expire or are revoked. Repeating the call is safe: `initialSpin` is granted once per player and campaign.',
          tags: ['Merchant'],
          security: [{ serviceToken: [] }],
          body: linkCreation.body,
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
        const { body, trace } = request
        const merchant = callingMerchant(request)
        await meetTrouble(merchant, body.playerId, 'sso')
        const caller = { merchant, campaign: request.caller?.campaign }
        return (await linkCreation.carryOut(ctx, caller, { body, trace })).body
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
