import { randomUUIDv7 } from 'node:crypto'
import { type CampaignRef, isMain, mainCampaign, refusalOfNewLink } from '../campaign-ref.ts'
import type { Context } from '../context.ts'
import {
  type GameClaims,
  type GameTokenType,
  readKeyId,
  signGameToken,
  verifyGameToken,
} from '../crypto/game-token.ts'
import type { SigningKey } from '../crypto/signing-key.ts'
import { untilDone } from '../db/database.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import type { Grant } from '../grants/grant.ts'
import { linkCreationMsMax } from '../limits.ts'
import { readLinkStates, refusalOfLink } from './link-states.ts'
import { findPlayer, type Player } from '../players/players.ts'
import { shardOf } from '../players/shard.ts'
import { expiryRule } from '../players/spin-lots.ts'
import { Refusal } from '../refusals.ts'
import { isTest, timeOf } from '../test-clock.ts'
import type { Trace } from '../tracing/trace.ts'
import type { LinkList, ListedPlayer } from './link-lists.ts'
import { createKeyedLink, createLinkByHand } from './create-links.ts'
import type { KeyedRequest } from './keyed-links.ts'

type LinkRequest = {
  merchant: Merchant
  playerId: string
  initialSpin: number
  /** `main` by default; `*` for the lobby, which brings no spins. */
  campaign?: CampaignRef | '*' | undefined
  /** The merchant's setting, if undefined. */
  lifetimeSeconds?: number | undefined
  /** The player's time zone; undefined if only the browser knows it. */
  timeZone?: string | undefined
  /** Makes the request safe to repeat. */
  keyed?: KeyedRequest | undefined
  /** The person who creates it by hand. */
  cause?: Cause
  /** False if only a player that exists gets a link; true by default. */
  mayCreatePlayer?: boolean
  trace?: Trace | undefined
}

/**
 * Creates a game link for a player. A missing player is created. The player gets `initialSpin` spins, unless it got
 * initial spins before.
 */
export async function createGameLink(ctx: Context, request: LinkRequest): Promise<GameLink> {
  const { merchant, initialSpin, campaign = mainCampaign, cause, trace, keyed } = request
  const now = timeOf(merchant, ctx.now())
  const refusal = campaign === '*' ? undefined : refusalOfNewLink(campaign, now)
  if (refusal !== undefined) throw new Refusal(refusal)
  const lifetimeSeconds = request.lifetimeSeconds ?? merchant.linkLifetimeSeconds
  const claims = {
    ...claimsOf(request),
    linkId: randomUUIDv7(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
  }
  const order = {
    ...claims,
    shard: shardOf(claims),
    clockAheadMs: merchant.clockAheadMs,
    initial:
      initialSpin === 0 || campaign === '*' ? undefined : initialGrant(merchant, { ...request, campaign }),
  }
  if (keyed !== undefined) {
    const first = await createKeyedLink(ctx.db, { ...order, issuedAt: now }, keyed)
    return linkOf(ctx, { ...claims, ...first })
  }
  const verdict = await (cause === undefined
    ? ctx.links.submit(order, trace)
    : createLinkByHand(ctx.db, { ...order, mayCreatePlayer: request.mayCreatePlayer ?? true }, cause))
  if (verdict.outcome === 'refused') throw new Refusal(verdict.code)
  return linkOf(ctx, { ...claims, playerNo: verdict.playerNo })
}

/** What the token of a link says about its player. A repeat of the request says the same. */
export function claimsOf({
  merchant,
  playerId,
  campaign = mainCampaign,
  timeZone,
}: Pick<LinkRequest, 'merchant' | 'playerId' | 'campaign' | 'timeZone'>) {
  return {
    merchantId: merchant.merchantId,
    playerId,
    campaign: campaign === '*' ? '*' : campaign.slug,
    timeZone,
    ...(isTest(merchant) ? { isTest: true as const } : {}),
  }
}

/** A link with its token and what the token says. */
export type GameLink = { link: string; token: string; claims: GameClaims }

/** The link with these claims. A repeat of a request with a key makes the same link again. */
export async function linkOf(
  ctx: Pick<Context, 'config' | 'linkKeys'>,
  claims: GameClaims,
  opens: 'game' | 'wallet' = 'game',
): Promise<GameLink> {
  const token = signGameToken(claims, await ctx.linkKeys.newest(), opens)
  const path = opens === 'game' ? 'spinthewheel' : 'wallet'
  return { link: `${ctx.config.gameUrl}/${path}/?token=${token}`, token, claims }
}

/** The link of a player of a list; undefined if it was refused. It is the same whenever it is asked for. */
export async function linkOfListed(
  ctx: Context,
  { merchant, list }: { merchant: Merchant; list: LinkList },
  { playerId, linkId, playerNo }: ListedPlayer,
): Promise<string | undefined> {
  if (playerNo === null) return undefined
  const { merchantId, campaign, createdAt: issuedAt, expiresAt, language } = list
  const ofTest = isTest(merchant) ? { isTest: true as const } : {}
  const claims = { merchantId, playerId, linkId, playerNo, issuedAt, expiresAt, campaign, ...ofTest }
  const { link } = await linkOf(ctx, claims)
  return language === null ? link : `${link}&lang=${language}`
}

function initialGrant(
  merchant: Merchant,
  order: { playerId: string; initialSpin: number; campaign: CampaignRef },
): Grant {
  const { playerId, initialSpin, campaign } = order
  return {
    merchantId: merchant.merchantId,
    playerId,
    kind: 'initial',
    amount: initialSpin,
    key: isMain(campaign) ? 'initial' : `initial:${campaign.slug}`,
    campaign,
    reason: null,
    mayCreatePlayer: true,
    callMax: merchant.grantMax,
    dailyMax: merchant.dailyGrantMax,
    expiry: expiryRule(merchant, campaign),
  }
}

/** A player with a valid token, and the key that signed it. */
export type Visitor = { claims: GameClaims; player: Player; key: SigningKey }

/**
 * The player of a link, if the link can be opened. This changes nothing, since scanners and previews open links too.
 */
export async function admitVisitor(
  ctx: Context,
  token: string,
  type: GameTokenType = 'game',
): Promise<Visitor> {
  const claims = await verifyToken(ctx, token, type)
  const key = await keyOf(ctx, token, type)
  if (key === undefined) throw new Refusal('game_token_invalid')
  const now = await timeOfGame(ctx, claims)
  const [[state], player] = await untilDone(() =>
    Promise.all([readLinkStates(ctx.db, [claims]), findPlayer(ctx.db, claims, now)]),
  )
  const refusal = refusalOfLink(
    claims.issuedAt,
    state,
    player && { ...player, isBlocked: player.blockedAt !== null },
  )
  if (refusal !== undefined) throw new Refusal(refusal)
  if (player === undefined || isOfAnother(claims, player)) throw new Refusal('game_token_revoked')
  return { claims, player, key }
}

/** Whether the link is of an erased player, whose id another one has now. */
function isOfAnother({ playerNo, issuedAt }: GameClaims, player: Player): boolean {
  if (playerNo !== undefined) return playerNo !== player.playerNo
  // A link of an earlier version. Its player was created before it, or together with it.
  return issuedAt.getTime() < player.createdAt.getTime() - linkCreationMsMax
}

/** The content of a token that has not expired. Its link may still be revoked. */
export async function verifyToken(ctx: Context, token: string, type: GameTokenType): Promise<GameClaims> {
  const claims = await readClaims(ctx, token, type)
  if (claims === undefined) throw new Refusal('game_token_invalid')
  if (claims.expiresAt <= (await timeOfGame(ctx, claims))) throw new Refusal('game_token_expired')
  return claims
}

/** The time of the merchant whose game a token opens. */
export async function timeOfGame(ctx: Context, { isTest: hasClock, merchantId }: GameClaims): Promise<Date> {
  return hasClock === true ? timeOfMerchant(ctx, merchantId) : ctx.now()
}

/** The content of a token of ours, even if it has expired. */
export async function readClaims(
  ctx: Context,
  token: string,
  type: GameTokenType,
): Promise<GameClaims | undefined> {
  const key = await keyOf(ctx, token, type)
  return key === undefined ? undefined : verifyGameToken(token, key, type)
}

async function keyOf(ctx: Context, token: string, type: GameTokenType): Promise<SigningKey | undefined> {
  const keyId = readKeyId(token, type)
  return keyId === undefined ? undefined : ctx.linkKeys.byId(keyId)
}

/** The same, at once; undefined also if the keys have to be read first. */
export function knownClaims(ctx: Context, token: string, type: GameTokenType): GameClaims | undefined {
  const keyId = readKeyId(token, type)
  const key = keyId === undefined ? undefined : ctx.linkKeys.known(keyId)
  return key === undefined ? undefined : verifyGameToken(token, key, type)
}

/** The id in a game token, for revoking its link. The token is not verified. */
export function readLinkId(token: string): string | undefined {
  const payload = token.split('.')[1] ?? ''
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { jti?: unknown }
    return typeof claims.jti === 'string' ? claims.jti : undefined
  } catch {
    return undefined
  }
}
