import { Type } from 'typebox'
import { spinNumberCeiling } from '../../../limits.ts'
import { givePlayerSpins } from '../../../grants/give-player-spins.ts'
import { increaseSpin } from '../../../grants/increase-spin.ts'
import type { RefusalCode } from '../../../refusals.ts'
import { CampaignId } from '../../answers/campaigns.ts'
import { callingMerchant, causeOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { MaybeExpiry, PlayerId, Reason, RequiredKeyHeaders } from '../../answers/shapes.ts'
import { BalanceAnswer, CampaignBalanceAnswer, PlayerName } from '../../answers/players.ts'
import { giverOf, grantRefusal } from '../../console/staff-session.ts'
import { campaignOfRequest } from '../campaign-of-request.ts'
import { momentIn } from '../query.ts'

const grantRefusals: RefusalCode[] = [
  'idempotency_key_missing',
  'idempotency_key_malformed',
  'idempotency_key_reused',
  'player_not_found',
  'player_blocked',
  'balance_limit_exceeded',
  'grant_limit_exceeded',
  'daily_grant_limit_exceeded',
  'campaign_not_found',
  'campaign_archived',
  'campaign_closed',
  'expiry_out_of_range',
  'lot_limit_reached',
]
const Spins = Type.Integer({ minimum: 1, maximum: spinNumberCeiling, examples: [5] })
const MaybeCampaign = Type.Optional({
  ...CampaignId,
  description: 'The campaign that the spins are for; `main` by default.',
})

/** Spins given to one player: by a merchant's system, to any campaign. */
export const campaignGrantRoutes = managementRoutes(
  { tag: 'Players', change: ['spins', 'manage'] },
  async (app) => {
    const { ctx } = app

    app.post(
      '/api/v1/grants',
      {
        config: { isForTokensOnly: true, refusals: grantRefusals, boundTokens: 'meant' },
        schema: {
          operationId: 'grantSpins',
          summary: 'Give spins to a player, for a campaign',
          description:
            'Like increaseSpin, with a campaign, a time of expiry and a reason. Creates the player if missing. A key that increaseSpin has used for this player is the same grant. The same key with another campaign, number of spins or time of expiry is refused; a repeat may leave the time out.',
          headers: RequiredKeyHeaders,
          body: Type.Object({
            playerId: PlayerId,
            spins: Spins,
            campaign: Type.Optional({
              ...CampaignId,
              description: 'By default the campaign that the token is bound to, or `main`.',
            }),
            expiresAt: MaybeExpiry,
            reason: Type.Optional(Reason),
          }),
          response: { 200: CampaignBalanceAnswer },
        },
      },
      async (request, reply) => {
        const { playerId, spins, reason } = request.body
        const campaign = await campaignOfRequest(request, request.body.campaign)
        const key = request.headers['idempotency-key']
        const expiresAt = momentIn('expiresAt', request.body.expiresAt) ?? undefined
        const order = { playerId, spinNumber: spins, key, reason, campaign, expiresAt, trace: request.trace }
        const { spinCount, isRepeat } = await increaseSpin(ctx, callingMerchant(request), order)
        if (isRepeat) reply.header('Idempotent-Replayed', 'true')
        return { playerId, campaign: campaign.slug, spinCount }
      },
    )
  },
)

/** Spins given to one player by hand, for a reason. */
export const grantRoutes = managementRoutes({ tag: 'Players' }, async (app) => {
  const { ctx } = app

  app.post(
    '/api/v1/players/:playerId/grants',
    {
      config: {
        refusals: [...grantRefusals, 'staff_grant_limit_exceeded'],
      },
      schema: {
        operationId: 'givePlayerSpins',
        summary: 'Give spins to a player, for a reason',
        description:
          'Creates the player if missing. The ledger, the event and the audit log name the giver. Staff with the role support have a daily limit: `supportDailyGrantMax`. A key that increaseSpin has used for this player is the same grant.',
        params: PlayerName,
        headers: RequiredKeyHeaders,
        body: Type.Object({
          spins: Spins,
          reason: Reason,
          campaign: MaybeCampaign,
          expiresAt: MaybeExpiry,
        }),
        response: { 200: BalanceAnswer },
      },
    },
    async (request, reply) => {
      const merchant = callingMerchant(request)
      const { playerId } = request.params
      const { spins, reason } = request.body
      const key = request.headers['idempotency-key']
      const campaign = await campaignOfRequest(request, request.body.campaign)
      const expiresAt = momentIn('expiresAt', request.body.expiresAt) ?? undefined
      const giver = giverOf(request, merchant)
      const order = { merchant, playerId, spins, reason, key, campaign, expiresAt, giver }
      const verdict = await givePlayerSpins(ctx.db, order, causeOf(request))
      ctx.metrics.grants.inc({ outcome: verdict.outcome })
      if (verdict.outcome === 'refused') throw grantRefusal(verdict, order.giver)
      if (verdict.outcome === 'replayed') reply.header('Idempotent-Replayed', 'true')
      else ctx.events.sequencer.nudge()
      return { playerId, spinCount: verdict.balance }
    },
  )
})
