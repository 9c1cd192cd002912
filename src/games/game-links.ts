import { randomUUIDv7 } from 'node:crypto'
import type { Context } from '../context.ts'
import {
  type GameClaims,
  type GameTokenType,
  readKeyId,
  signGameToken,
  verifyGameToken,
} from '../crypto/game-token.ts'
import { type Queryable, statement, untilDone } from '../db/database.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { Grant } from '../players/grant-spins.ts'
import { findOrCreatePlayer, findPlayer, type Player } from '../players/players.ts'
import { Refusal } from '../refusals.ts'

export type LinkOrder = { merchant: Merchant; playerId: string; initialSpin: number }

/** Makes a game link for a player, who is created if need be and gets `initialSpin` spins if it never did before. */
export async function createGameLink(
  ctx: Context,
  order: LinkOrder,
): Promise<{ link: string; token: string }> {
  const { merchant, playerId, initialSpin } = order
  const now = ctx.now()
  const hasInitialGrant = await welcomePlayer(ctx, order, now)
  if (initialSpin > 0 && !hasInitialGrant) await grantInitialSpins(ctx, order)
  const token = signGameToken(
    {
      merchantId: merchant.merchantId,
      playerId,
      linkId: randomUUIDv7(),
      issuedAt: now,
      expiresAt: new Date(now.getTime() + merchant.linkLifetimeSeconds * 1000),
    },
    await ctx.linkKeys.newest(),
  )
  return { link: `${ctx.config.gameUrl}/spinthewheel/?token=${token}`, token }
}

/** Whether the player has had its initial spins. Creates only a player that is to get none. */
async function welcomePlayer(
  ctx: Context,
  { merchant, playerId, initialSpin }: LinkOrder,
  now: Date,
): Promise<boolean> {
  const name = { merchantId: merchant.merchantId, playerId }
  const player = await untilDone(() =>
    initialSpin > 0 ? findPlayer(ctx.db, name) : findOrCreatePlayer(ctx.db, name, now),
  )
  if (player !== undefined && player.blockedAt !== null) throw new Refusal('player_blocked')
  return player?.hadInitialGrant ?? false
}

async function grantInitialSpins(
  ctx: Context,
  { merchant, playerId, initialSpin }: LinkOrder,
): Promise<void> {
  const grant: Grant = {
    merchantId: merchant.merchantId,
    playerId,
    kind: 'initial',
    amount: initialSpin,
    key: 'initial',
    reason: null,
    mayCreatePlayer: true,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
  }
  const verdict = await ctx.grants.submit(grant)
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
}

/** A player that came with a valid token. */
export type Visitor = { claims: GameClaims; player: Player }

/** Who may play with a link's or a session's token. Changes nothing: scanners and previews open links too. */
export async function admitVisitor(ctx: Context, token: string, type: GameTokenType): Promise<Visitor> {
  const claims = await verifyToken(ctx, token, type)
  const [[state], player] = await untilDone(() =>
    Promise.all([
      ctx.db.query(readLinkState, [claims.merchantId, claims.linkId]),
      findPlayer(ctx.db, claims),
    ]),
  )
  if (state === undefined || player === undefined) throw new Refusal('game_token_invalid')
  const validFrom = [state.linksValidFrom, player.linksValidFrom]
  if (state.isRevoked || validFrom.some((from) => from !== null && claims.issuedAt < from)) {
    throw new Refusal('game_token_revoked')
  }
  if (state.isSuspended) throw new Refusal('merchant_suspended')
  if (player.blockedAt !== null) throw new Refusal('player_blocked')
  return { claims, player }
}

/** The origins that may show the page of a link in a frame. Reads no more than caches do: anybody can GET anything. */
export async function embedOriginsOf(ctx: Context, token: string): Promise<string[]> {
  try {
    const claims = await readClaims(ctx, token, 'game')
    // Also for a link that has expired: the page must be able to say so where it is shown.
    return claims === undefined ? [] : (await ctx.wheels.current(claims.merchantId)).embedOrigins
  } catch (error) {
    // Without a database the page still opens, and tells the player.
    if (error instanceof Refusal && error.code === 'database_unavailable') return []
    throw error
  }
}

async function verifyToken(ctx: Context, token: string, type: GameTokenType): Promise<GameClaims> {
  const claims = await readClaims(ctx, token, type)
  if (claims === undefined) throw new Refusal('game_token_invalid')
  if (claims.expiresAt <= ctx.now()) throw new Refusal('game_token_expired')
  return claims
}

/** What a token of ours says, whatever the time. */
async function readClaims(ctx: Context, token: string, type: GameTokenType): Promise<GameClaims | undefined> {
  const keyId = readKeyId(token, type)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  return key === undefined ? undefined : verifyGameToken(token, key, type)
}

export async function revokeLink(
  db: Queryable,
  link: { linkId: string; merchantId: number; now: Date },
): Promise<void> {
  await db.query(insertRevokedLink, [link.linkId, link.merchantId, link.now])
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

const readLinkState = statement<{ isRevoked: boolean; isSuspended: boolean; linksValidFrom: Date | null }>(`
select
  suspended_at is not null as "isSuspended",
  links_valid_from as "linksValidFrom",
  exists (
    select from revoked_links
    where link_id = $2
    and revoked_links.merchant_id = merchants.merchant_id
  ) as "isRevoked"
from merchants
where merchant_id = $1`)

const insertRevokedLink = statement(`
insert into revoked_links (link_id, merchant_id, revoked_at)
values ($1, $2, $3)
on conflict (merchant_id, link_id) do nothing`)
