import { readCampaignRef } from '../campaigns/campaigns.ts'
import type { Context } from '../context.ts'
import { untilDone } from '../db/database.ts'
import { claimPrize } from '../entries/claim-prize.ts'
import { type LaterAnswers, type PlayerInCampaign, showLaterForms } from '../entries/later-forms.ts'
import { timeOfGame, type Visitor } from '../links/game-links.ts'
import { findPrize } from '../prizes/settle-prizes.ts'
import { Refusal } from '../refusals.ts'

/** Claims a prize of the wallet's player. A repeat changes nothing. */
export async function claimInWallet(
  ctx: Context,
  visitor: Visitor,
  claim: LaterAnswers & { playId: string },
): Promise<void> {
  await claimPrize(ctx, await placeOf(ctx, visitor, claim.playId), claim)
}

/** What the player has to answer to claim a prize of the wallet. */
export async function showFormsInWallet(
  ctx: Context,
  visitor: Visitor,
  { playId, language }: { playId: string; language: string },
) {
  return showLaterForms(ctx, await placeOf(ctx, visitor, playId), language)
}

/** The campaign of a prize, if the wallet shows it. */
async function placeOf(ctx: Context, { claims, player }: Visitor, playId: string): Promise<PlayerInCampaign> {
  const { merchantId, playerId } = claims
  const play = await findPrize(ctx.db, { merchantId, playId, playerId })
  const campaign = await untilDone(() => readCampaignRef(ctx.db, merchantId, play.campaign))
  const isShown = claims.campaign === '*' || claims.campaign === play.campaign
  if (campaign === undefined || !isShown) throw new Refusal('play_not_found')
  return { merchantId, player, campaign, now: await timeOfGame(ctx, claims) }
}
