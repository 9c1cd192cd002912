import { randomUUIDv7 } from 'node:crypto'
import { byPlayer, findPrize, settlePrize } from '../prizes/settle-prizes.ts'
import { Refusal } from '../refusals.ts'
import type { WheelSegment } from '../wheel-document/wheel-document.ts'
import type { Context } from './entry-context.ts'
import { keepLaterAnswers } from './keep-later-answers.ts'
import { findVisitorIn, type LaterAnswers, type PlayerInCampaign, readLaterAnswers } from './later-forms.ts'

/**
 * A player claims a prize: a visitor by the form to claim, others where the wheel offers it. Claim and answers are one
 * transaction. A repeat claims nothing twice; if it has other answers, they replace those before.
 */
export async function claimPrize(
  ctx: Context,
  where: PlayerInCampaign,
  { playId, ...given }: LaterAnswers & { playId: string },
): Promise<void> {
  const { merchantId, player, campaign, now } = where
  const { playerId } = player
  const { campaignId } = campaign
  const name = { merchantId, playId, playerId, campaignId }
  const play = await findPrize(ctx.db, name)
  const visitor = await findVisitorIn(ctx, where)
  const { asked, read } = readLaterAnswers(visitor?.entry ?? noForm, 'toClaim', given)
  const { document } = await ctx.wheels.version(play.wheelId, play.wheelVersion)
  const { claimInWallet } = document.segments[play.segment] as WheelSegment
  if (asked.length === 0 && claimInWallet !== true) throw new Refusal('claim_not_offered')
  const order = { ...name, action: 'claim', reason: null, returnsStock: false, reversalHours: 0 } as const
  await settlePrize(
    ctx,
    {
      ...order,
      // The state of the prize alone tells a repeat.
      key: randomUUIDv7(),
      alongside: async (tx) => {
        if (visitor === undefined) return
        await keepLaterAnswers(tx, where, visitor, { asked: 'toClaim', read, language: given.language })
      },
    },
    byPlayer(now),
  )
  ctx.events.sequencer.nudge()
}

const noForm = { fields: [], version: 0 }
