import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../context.ts'
import {
  type GameClaims,
  type GameTokenType,
  readKeyId,
  signGameToken,
  verifyGameToken,
} from '../crypto/game-token.ts'
import { untilDone } from '../db/database.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Grant } from '../grants/grant.ts'
import { linkCreationMsMax } from '../limits.ts'
import { readLinkStates, refusalOfLink } from './link-states.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal } from '../refusals.ts'
import { createLinkByHand } from './create-links.ts'

type LinkRequest = {
  merchant: Merchant
  playerId: string
  initialSpin: number
  /** Who makes it by hand. */
  cause?: Cause
}

/** Makes a game link for a player, who is created if need be and gets `initialSpin` spins if it never did before. */
export async function createGameLink(
  ctx: Context,
  { merchant, playerId, initialSpin, cause }: LinkRequest,
): Promise<{ link: string; token: string }> {
  const now = ctx.now()
  const claims = {
    merchantId: merchant.merchantId,
    playerId,
    linkId: randomUUIDv7(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + merchant.linkLifetimeSeconds * 1000),
  }
  const order = {
    ...claims,
    shard: shardOf(claims),
    initial: initialSpin > 0 ? initialGrant(merchant, playerId, initialSpin) : undefined,
  }
  const verdict = await (cause === undefined
    ? ctx.links.submit(order)
    : createLinkByHand(ctx.db, order, cause))
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  const token = signGameToken(claims, await ctx.linkKeys.newest())
  return { link: `${ctx.config.gameUrl}/spinthewheel/?token=${token}`, token }
}

function initialGrant(merchant: Merchant, playerId: string, amount: number): Grant {
  return {
    merchantId: merchant.merchantId,
    playerId,
    kind: 'initial',
    amount,
    key: 'initial',
    reason: null,
    mayCreatePlayer: true,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
  }
}

/** A player that came with a valid token. */
export type Visitor = { claims: GameClaims; player: Player }

/** Who may open a link. Changes nothing: scanners and previews open links too. */
export async function admitVisitor(ctx: Context, token: string): Promise<Visitor> {
  const claims = await verifyToken(ctx, token, 'game')
  const [[state], player] = await untilDone(() =>
    Promise.all([readLinkStates(ctx.db, [claims]), findPlayer(ctx.db, claims)]),
  )
  const refusal = refusalOfLink(
    claims.issuedAt,
    state,
    player && { ...player, isBlocked: player.blockedAt !== null },
  )
  if (refusal !== undefined || player === undefined) throw new Refusal(refusal ?? 'game_token_invalid')
  // A player that came into being after the link was made is another one of the same name: the first was erased.
  if (claims.issuedAt.getTime() < player.createdAt.getTime() - linkCreationMsMax)
    throw new Refusal('game_token_revoked')
  return { claims, player }
}

/** What a token that has not expired says. Whether its link was revoked is another question. */
export async function verifyToken(ctx: Context, token: string, type: GameTokenType): Promise<GameClaims> {
  const claims = await readClaims(ctx, token, type)
  if (claims === undefined) throw new Refusal('game_token_invalid')
  if (claims.expiresAt <= ctx.now()) throw new Refusal('game_token_expired')
  return claims
}

/** What a token of ours says, whatever the time. */
export async function readClaims(
  ctx: Context,
  token: string,
  type: GameTokenType,
): Promise<GameClaims | undefined> {
  const keyId = readKeyId(token, type)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  return key === undefined ? undefined : verifyGameToken(token, key, type)
}

/** The id inside a game token, for whoever wants to revoke it; the token is not verified. */
export function readLinkId(token: string): string | undefined {
  const payload = token.split('.')[1] ?? ''
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti?: unknown }
    return typeof claims.jti === 'string' ? claims.jti : undefined
  } catch {
    return undefined
  }
}
