import { type Campaign, openingOf } from '../campaigns/campaign.ts'
import { readCampaign } from '../campaigns/campaigns.ts'
import { signGameToken } from '../crypto/game-token.ts'
import type { SigningKeys } from '../crypto/signing-keys.ts'
import type { Database } from '../db/database.ts'
import type { MarketingKind } from '../mails/mail-kinds.ts'
import { listMailsOfPlayer } from '../mails/mail-lists.ts'
import type { DueMail } from '../mails/mail-rows.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { listFreeSpinStates } from '../players/free-spin-rows.ts'
import { listLots } from '../players/lot-rows.ts'
import type { Player } from '../players/players.ts'
import { readPurse } from '../players/purses.ts'
import { readLastPlay } from '../plays/plays.ts'
import { isTest } from '../test-clock.ts'
import { dayOf, type SpinMailData } from './plan-messages.ts'

const dayMs = 86_400_000
/** A player is reminded of waiting spins at most once in this time. */
const remindersApartMs = 7 * dayMs
const linkLifetimeMs = 7 * dayMs

type Order = { mail: DueMail; merchant: Merchant; player: Player; now: Date }

/** The campaign of a message, if it can be played now. */
export async function readOpenCampaign(
  db: Database,
  key: { merchantId: number; slug: string },
  now: Date,
): Promise<Campaign | undefined> {
  const campaign = await readCampaign(db, key)
  return campaign !== undefined && openingOf(campaign, now).state === 'open' ? campaign : undefined
}

/** What a message about spins tells; or why it is not sent, or not yet. */
export async function spinsToTell(
  db: Database,
  kind: MarketingKind,
  { campaign, mail, player, now }: Order & { campaign: Campaign },
): Promise<{ spins: number; lastDay: Date | null } | { dropped: string } | { postponedTo: Date }> {
  const lots = (await listLots(db, player, now)).filter(({ purseId }) => purseId === campaign.purseId)
  if (kind === 'spins_expire') {
    const { expiresAt } = mail.data as SpinMailData
    const own = lots.filter((lot) => dayOf(lot.expiresAt.toISOString()) === dayOf(expiresAt ?? ''))
    const spins = own.reduce((sum, { spinsLeft }) => sum + spinsLeft, 0)
    const [first] = own.toSorted((one, other) => one.expiresAt.getTime() - other.expiresAt.getTime())
    return first === undefined ? { dropped: 'no_spins' } : { spins, lastDay: first.expiresAt }
  }
  const spins = await spinsIn(db, campaign, player, now)
  if (spins <= 0) return { dropped: 'no_spins' }
  const told = (await listMailsOfPlayer(db, player)).filter(
    (one) =>
      one.kind === kind && one.mailId !== mail.mailId && ['sending', 'sent', 'unknown'].includes(one.state),
  )
  const isRecent = (at: Date | null) => at === null || now.getTime() - at.getTime() < remindersApartMs
  if (told.some(({ settledAt }) => isRecent(settledAt))) return { dropped: 'told_recently' }
  const last = await readLastPlay(db, { ...player, campaignId: campaign.campaignId })
  const restedAt = (last?.createdAt.getTime() ?? 0) + dayMs
  if (restedAt > now.getTime()) return { postponedTo: new Date(restedAt) }
  return { spins, lastDay: lots[0]?.expiresAt ?? null }
}

async function spinsIn(db: Database, { purseId }: Campaign, player: Player, now: Date): Promise<number> {
  if (purseId === 0) return player.balance
  return (await readPurse(db, [player], { purseId, now })).get(player.playerNo) ?? 0
}

/** As the player's browser said last, for free spins; else the merchant's. */
export async function timeZoneOf(db: Database, merchant: Merchant, player: Player): Promise<string> {
  const states = await listFreeSpinStates(db, player)
  const last = states.toSorted((one, other) => other.collectedAt.getTime() - one.collectedAt.getTime())[0]
  return last?.timeZone ?? merchant.timeZone
}

/** A link to the game without a row or an event, as a mail that is sent again has another one. It brings no spins. */
export async function gameLinkInMail(
  { gameUrl, linkKeys }: { gameUrl: string; linkKeys: SigningKeys },
  campaign: Campaign,
  { mail, merchant, player, now }: Order,
): Promise<string> {
  const claims = {
    merchantId: merchant.merchantId,
    playerId: player.playerId,
    playerNo: player.playerNo,
    linkId: mail.mailId,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + linkLifetimeMs),
    campaign: campaign.slug,
    ...(isTest(merchant) ? { isTest: true as const } : {}),
  }
  return `${gameUrl}/spinthewheel/?token=${signGameToken(claims, await linkKeys.newest())}`
}
