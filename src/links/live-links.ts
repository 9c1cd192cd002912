import { mainCampaign } from '../campaign-ref.ts'
import type { Queryable } from '../db/database.ts'
import { scanEventsBack } from '../events/scan-events-back.ts'
import { linkCreationMsMax } from '../limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { readLinkStates, refusalOfLink } from './link-states.ts'
import type { Player } from '../players/players.ts'

type LiveLink = {
  linkId: string
  createdAt: Date
  expiresAt: Date
  campaign: string
  opens: 'game' | 'wallet'
}

/** Links to the wallet live longest. */
export const walletLifetimeDaysMax = 2 * 365

/**
 * A player's live links to the game and the wallet, newest first. Links have no rows, because every link would pay for
 * one. So this reads the event log backwards, as far as a live link can lie.
 */
export async function listLiveLinks(
  db: Queryable,
  { merchant, player }: { merchant: Merchant; player: Player },
  page: { before: number; limit: number; campaign: string | undefined; now: Date },
): Promise<{ links: LiveLink[]; next: number | null }> {
  const { merchantId } = merchant
  const { playerId } = player
  const { before, limit, campaign, now } = page
  // The game applies the same rule: a link older than the player belonged to an erased player with the same id.
  const born = new Date(player.createdAt.getTime() - linkCreationMsMax)
  const bounds = [born, player.linksValidFrom, merchant.linksValidFrom, earliestOfLive(now)]
  const since = new Date(Math.max(...bounds.map((bound) => bound?.getTime() ?? 0)))
  const { events, next } = await scanEventsBack(db, {
    merchantId,
    playerId,
    types: ['link.created'],
    campaign,
    before,
    from: since,
    limit,
  })
  const made = events.map(({ at, data }) => ({
    linkId: data.linkId,
    createdAt: new Date(at),
    expiresAt: new Date(data.expiresAt),
    campaign: data.campaign ?? mainCampaign.slug,
    opens: data.opens ?? ('game' as const),
  }))
  const states = await readLinkStates(
    db,
    made.map(({ linkId }) => ({ merchantId, linkId })),
  )
  const links = made.filter(
    ({ createdAt, expiresAt }, index) =>
      expiresAt > now &&
      refusalOfLink(createdAt, states[index], { ...player, isBlocked: false }) !== 'game_token_revoked',
  )
  return { links, next }
}

function earliestOfLive(now: Date): Date {
  return new Date(now.getTime() - walletLifetimeDaysMax * 86_400_000)
}
