import { randomUUIDv7 } from 'node:crypto'
import type { Cause } from '../audit-log/audit-log.ts'
import type { Context } from '../context.ts'
import { type GameClaims, signGameToken } from '../crypto/game-token.ts'
import { untilDone } from '../db/database.ts'
import { createLinkByHand } from '../links/create-links.ts'
import { type GameLink, linkOf, type Visitor } from '../links/game-links.ts'
import { walletLifetimeDaysMax } from '../links/live-links.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Player } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { readLastDay } from '../prizes/open-prizes.ts'
import { Refusal } from '../refusals.ts'
import { isTest } from '../test-clock.ts'

const dayMs = 86_400_000
const daysBeyondPrizes = 90

/** The claims of a new link to a player's wallet. `campaign`: the only one whose prizes it shows, or `*`. */
async function walletClaims(
  ctx: Pick<Context, 'db'>,
  merchant: Merchant,
  { player, campaign, now }: { player: Player; campaign: string; now: Date },
): Promise<GameClaims> {
  const { merchantId } = merchant
  return {
    merchantId,
    playerId: player.playerId,
    playerNo: player.playerNo,
    linkId: randomUUIDv7(),
    issuedAt: now,
    expiresAt: await endOfWallet(ctx, player, now),
    campaign,
    ...(isTest(merchant) ? { isTest: true as const } : {}),
  }
}

/** Creates a link to the wallet of a player that exists. */
export async function createWalletLink(
  ctx: Context,
  merchant: Merchant,
  order: { player: Player; campaign: string; cause: Cause },
): Promise<GameLink> {
  const { cause } = order
  const claims = await walletClaims(ctx, merchant, { ...order, now: cause.now })
  const verdict = await createLinkByHand(
    ctx.db,
    {
      ...claims,
      shard: shardOf(claims),
      clockAheadMs: merchant.clockAheadMs,
      initial: undefined,
      opens: 'wallet',
      mayCreatePlayer: false,
    },
    cause,
  )
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  return linkOf(ctx, claims, 'wallet')
}

/**
 * The token of the wallet for a visitor of the game. It shows the prizes of the campaigns that the game link opens, and
 * has the link's id, time and key: what revokes the link ends the wallet too.
 */
export async function walletOfGame(ctx: Context, visitor: Visitor, now: Date) {
  const expiresAt = await endOfWallet(ctx, visitor.player, now)
  const token = signGameToken({ ...visitor.claims, expiresAt }, visitor.key, 'wallet')
  return { token, expiresAt: expiresAt.toISOString() }
}

/** Some time after the last day of the prizes that the player can use, and not later than the longest life. */
async function endOfWallet({ db }: Pick<Context, 'db'>, player: Player, now: Date): Promise<Date> {
  const latest = now.getTime() + walletLifetimeDaysMax * dayMs
  const { lastDay, isEndless } = await untilDone(() => readLastDay(db, player))
  if (isEndless) return new Date(latest)
  const from = Math.max(now.getTime(), lastDay?.getTime() ?? 0)
  return new Date(Math.min(from + daysBeyondPrizes * dayMs, latest))
}
