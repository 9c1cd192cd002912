import type { Cause } from '../audit-log/audit-log.ts'
import type { Context } from '../context.ts'
import { signGameToken } from '../crypto/game-token.ts'
import { createLinkByHand } from '../links/create-links.ts'
import { type GameLink, linkOf, type Visitor } from '../links/game-links.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Player } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal } from '../refusals.ts'
import { endOfWallet, walletClaims } from './wallet-claims.ts'

/** Creates a link to the wallet of a player that exists. */
export async function createWalletLink(
  ctx: Context,
  merchant: Merchant,
  order: { player: Player; campaign: string; cause: Cause },
): Promise<GameLink> {
  const { cause } = order
  const claims = await walletClaims(ctx.db, merchant, { ...order, now: cause.now })
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
  const expiresAt = await endOfWallet(ctx.db, visitor.player, now)
  const token = signGameToken({ ...visitor.claims, expiresAt }, visitor.key, 'wallet')
  return { token, expiresAt: expiresAt.toISOString() }
}
