import type { Context } from '../context.ts'
import { untilDone } from '../db/database.ts'
import { timeOfGame, type Visitor } from '../links/game-links.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import { readCampaignRef } from '../campaigns/campaigns.ts'
import { byPlayer, findPrize, settlePrize } from '../prizes/settle-prizes.ts'
import { Refusal } from '../refusals.ts'

/** Claims a prize of the wallet's player. A repeat changes nothing. */
export async function claimInWallet(ctx: Context, { claims }: Visitor, playId: string): Promise<void> {
  const { merchantId, playerId, campaign } = claims
  const only =
    campaign === '*' ? undefined : await untilDone(() => readCampaignRef(ctx.db, merchantId, campaign))
  if (campaign !== '*' && only === undefined) throw new Refusal('play_not_found')
  const key = { merchantId, playId, playerId, campaignId: only?.campaignId }
  const play = await findPrize(ctx.db, key)
  const { document } = await ctx.wheels.version(play.wheelId, play.wheelVersion)
  const segment = document.segments[play.segment] as WheelSegment
  if (segment.claimInWallet !== true) throw new Refusal('claim_not_offered')
  const order = { ...key, action: 'claim', key: 'wallet', reason: null, returnsStock: false } as const
  const outcome = await settlePrize(
    ctx,
    { ...order, reversalHours: 0 },
    byPlayer(await timeOfGame(ctx, claims)),
  )
  if (outcome === 'settled') ctx.events.sequencer.nudge()
}
