import { Type } from 'typebox'
import { spinNumberCeiling } from '../../limits.ts'
import { givePlayerSpins } from '../../grants/give-player-spins.ts'
import { callingMerchant, causeOf } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { Reason, RequiredKeyHeaders } from '../answers/common.ts'
import { BalanceAnswer, PlayerName } from '../answers/players.ts'
import { giverOf, grantRefusal } from '../console/staff-session.ts'

/** Spins given to one player by hand, for a reason. A merchant's server uses increaseSpin. */
export const grantRoutes = managementRoutes({ tag: 'Players' }, async (app) => {
  const { ctx } = app

  app.post(
    '/api/v1/players/:playerId/grants',
    {
      config: {
        refusals: [
          'idempotency_key_missing',
          'idempotency_key_malformed',
          'idempotency_key_reused',
          'player_not_found',
          'player_blocked',
          'balance_limit_exceeded',
          'grant_limit_exceeded',
          'daily_grant_limit_exceeded',
          'staff_grant_limit_exceeded',
        ],
      },
      schema: {
        operationId: 'givePlayerSpins',
        summary: 'Give spins to a player, for a reason',
        description:
          'Creates the player if missing. The ledger, the event and the audit log name the giver. Staff with the role support have a daily limit: `supportDailyGrantMax`. A key that increaseSpin has used for this player is the same grant.',
        params: PlayerName,
        headers: RequiredKeyHeaders,
        body: Type.Object({
          spins: Type.Integer({ minimum: 1, maximum: spinNumberCeiling, examples: [5] }),
          reason: Reason,
        }),
        response: { 200: BalanceAnswer },
      },
    },
    async (request, reply) => {
      const merchant = callingMerchant(request)
      const { playerId } = request.params
      const { spins, reason } = request.body
      const key = request.headers['idempotency-key']
      const order = { merchant, playerId, spins, reason, key, giver: giverOf(request, merchant) }
      const verdict = await givePlayerSpins(ctx.db, order, causeOf(request))
      ctx.metrics.grants.inc({ outcome: verdict.outcome })
      if (verdict.outcome === 'refused') throw grantRefusal(verdict.code, order.giver)
      if (verdict.outcome === 'replayed') reply.header('Idempotent-Replayed', 'true')
      else ctx.events.sequencer.nudge()
      return { playerId, spinCount: verdict.balance }
    },
  )
})
