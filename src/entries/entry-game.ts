import { randomUUIDv7 } from 'node:crypto'
import { untilDone } from '../db/database.ts'
import { claimsOf, linkOf } from '../links/game-links.ts'
import { readLinkStates, refusalOfLink } from '../links/link-states.ts'
import type { Context } from './entry-context.ts'
import { entryPassSeconds } from './entry-limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { findPlayer } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { Refusal } from '../refusals.ts'
import { timeOf } from '../test-clock.ts'
import { readEntryKeyId, signEntryToken, verifyEntryToken } from './entry-tokens.ts'
import { findEntry, type PublicEntry } from './find-entry.ts'
import { findVisitorEntry, hasProvedAddress } from './visitor-entries.ts'

/** `isProved`: this browser has proved the address. Without that, anybody may have typed it. */
type Visitor = { playerId: string; playerNo: number; isProved: boolean }

/** Lets a visitor into the game: a token as of a game link, and a pass by which this browser comes back. */
export async function openGame(
  ctx: Context,
  { merchant, wheel }: PublicEntry,
  { timeZone, ...visitor }: Visitor & { timeZone?: string | undefined },
) {
  const now = timeOf(merchant, ctx.now())
  const lifetimeMs = merchant.linkLifetimeSeconds * 1000
  const { token, claims } = await linkOf(ctx, {
    ...claimsOf({ merchant, playerId: visitor.playerId, campaign: wheel.campaign, timeZone }),
    playerNo: visitor.playerNo,
    linkId: randomUUIDv7(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  })
  const { playerId, playerNo, isProved } = visitor
  const pass = [
    merchant.merchantId,
    playerId,
    playerNo,
    now.getTime(),
    randomUUIDv7(),
    ...(isProved ? ['proved'] : []),
  ]
  return {
    outcome: 'entered' as const,
    token,
    expiresAt: claims.expiresAt.toISOString(),
    pass: signEntryToken('pass', pass, await ctx.linkKeys.newest()),
  }
}

/** The visitor of a pass, if it may still be used. What revokes the links of a player or merchant ends passes too. */
export async function readPass(
  ctx: Context,
  merchant: Merchant,
  pass: string,
): Promise<(Visitor & { shard: number }) | undefined> {
  const claims = await verifyPass(ctx, pass)
  const now = timeOf(merchant, ctx.now())
  if (claims === undefined || claims.merchantId !== merchant.merchantId) return undefined
  if (claims.issuedAt.getTime() + entryPassSeconds * 1000 <= now.getTime()) return undefined
  const [[state], player] = await untilDone(() =>
    Promise.all([readLinkStates(ctx.db, [claims]), findPlayer(ctx.db, claims, now)]),
  )
  if (player === undefined || player.playerNo !== claims.playerNo) return undefined
  const refusal = refusalOfLink(claims.issuedAt, state, { ...player, isBlocked: player.blockedAt !== null })
  return refusal === undefined ? { ...claims, shard: shardOf(claims) } : undefined
}

async function verifyPass(ctx: Context, pass: string) {
  const keyId = readEntryKeyId(pass)
  const key = keyId === undefined ? undefined : await ctx.linkKeys.byId(keyId)
  const claims = key && verifyEntryToken('pass', pass, key)
  if (claims === undefined) return undefined
  const [merchantId, playerId, playerNo, issuedMs, linkId, proved] = claims as [
    number,
    string,
    number,
    number,
    string,
    'proved'?,
  ]
  const issuedAt = new Date(issuedMs)
  return { merchantId, playerId, playerNo, issuedAt, linkId, isProved: proved === 'proved' }
}

/**
 * A browser that entered before goes on with its game, also after the entry was closed. If it has not proved the
 * address, it does so only where nobody needs to, and until somebody proves the address.
 */
export async function returnToGame(
  ctx: Context,
  address: { merchant: string; campaign: string },
  pass: string,
) {
  const found = await findEntry(ctx, address)
  const visitor = await readPass(ctx, found.merchant, pass)
  if (visitor === undefined) throw new Refusal('pass_invalid')
  const { merchantId, campaignId, verify } = found.entry
  const [entered, isAnothers] = await untilDone(() =>
    Promise.all([
      findVisitorEntry(ctx.db, { ...visitor, merchantId, campaignId }),
      visitor.isProved ? false : verify === 'code' || hasProvedAddress(ctx.db, visitor),
    ]),
  )
  if (entered === undefined || isAnothers) throw new Refusal('pass_invalid')
  return openGame(ctx, found, visitor)
}
