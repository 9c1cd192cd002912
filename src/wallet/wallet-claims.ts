import { randomUUIDv7 } from 'node:crypto'
import { type GameClaims, signGameToken } from '../crypto/game-token.ts'
import type { SigningKey } from '../crypto/signing-key.ts'
import { type Queryable, untilDone } from '../db/database.ts'
import { walletLifetimeDaysMax } from '../links/live-links.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Player } from '../players/players.ts'
import { readLastDay } from '../prizes/open-prizes.ts'
import { isTest } from '../test-clock.ts'

const dayMs = 86_400_000
const daysBeyondPrizes = 90

/** The claims of a new link to a player's wallet. `campaign`: the only one whose prizes it shows, or `*`. */
export async function walletClaims(
  db: Queryable,
  merchant: Merchant,
  order: { player: Player; campaign: string; now: Date; linkId?: string },
): Promise<GameClaims> {
  const { merchantId } = merchant
  const { player, campaign, now, linkId = randomUUIDv7() } = order
  return {
    merchantId,
    playerId: player.playerId,
    playerNo: player.playerNo,
    linkId,
    issuedAt: now,
    expiresAt: await endOfWallet(db, player, now),
    campaign,
    ...(isTest(merchant) ? { isTest: true as const } : {}),
  }
}

/** The token of the link in a mail. It leaves no row and no event: the id of the mail is that of the link. */
export async function walletTokenInMail(
  db: Queryable,
  merchant: Merchant,
  { player, linkId, now, key }: { player: Player; linkId: string; now: Date; key: SigningKey },
): Promise<string> {
  return signGameToken(
    await walletClaims(db, merchant, { player, campaign: '*', now, linkId }),
    key,
    'wallet',
  )
}

/** Some time after the last day of the prizes that the player can use, and not later than the longest life. */
export async function endOfWallet(db: Queryable, player: Player, now: Date): Promise<Date> {
  const latest = now.getTime() + walletLifetimeDaysMax * dayMs
  const { lastDay, isEndless } = await untilDone(() => readLastDay(db, player))
  if (isEndless) return new Date(latest)
  const from = Math.max(now.getTime(), lastDay?.getTime() ?? 0)
  return new Date(Math.min(from + daysBeyondPrizes * dayMs, latest))
}
