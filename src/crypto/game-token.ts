import { createHmac, timingSafeEqual } from 'node:crypto'
import { campaignOf, mainCampaign } from '../campaign-ref.ts'
import {
  gameTokenBytesMax,
  tokenHeaderLengthMax,
  tokenHeadersRememberedMax,
  tokensRememberedMin,
} from '../limits.ts'
import { KeyMemory } from './key-memory.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * The game token: a JWT (RFC 7519) signed with HMAC-SHA256. Implemented here, because a library takes 25 µs per token
 * and this takes 5; tests compare it with one. Only this algorithm and type is accepted, whatever the header says.
 */
export type GameClaims = {
  merchantId: number
  playerId: string
  linkId: string
  /** Tells the player from a later one with the same id. Links of earlier versions have none. */
  playerNo?: number
  issuedAt: Date
  expiresAt: Date
  /** The campaign that the link opens, or `*` for the lobby. */
  campaign: string
  /** The player's time zone, as the merchant or else the browser gave it. */
  timeZone?: string | undefined
  /** Whether it belongs to a test merchant. */
  isTest?: true | undefined
}

const algorithm = 'HS256'
/** A link's token opens a session; a session's token plays; a wallet's shows prizes. None can replace another. */
export type GameTokenType = 'game' | 'session' | 'wallet'
const types = {
  game: 'wheelhouse-game+jwt',
  session: 'wheelhouse-session+jwt',
  wallet: 'wheelhouse-wallet+jwt',
}
const issuer = 'wheelhouse'
const audience = 'wheelhouse-game'

export function signGameToken(claims: GameClaims, key: SigningKey, type: GameTokenType = 'game'): string {
  const header = encode({ alg: algorithm, typ: types[type], kid: key.keyId })
  const payload = encode({
    iss: issuer,
    aud: audience,
    sub: claims.playerId,
    merchant: claims.merchantId,
    jti: claims.linkId,
    ...(claims.playerNo === undefined ? {} : { player_no: claims.playerNo }),
    iat: claims.issuedAt.getTime() / 1000,
    exp: claims.expiresAt.getTime() / 1000,
    ...campaignOf({ slug: claims.campaign }),
    zoneinfo: claims.timeZone,
    test: claims.isTest,
  })
  return `${header}.${payload}.${signature(`${header}.${payload}`, key.secret)}`
}

/** The id of the key that the token claims. Nothing in the token is trusted yet. */
export function readKeyId(token: string, type: GameTokenType = 'game'): string | undefined {
  const header = readHeader(token.slice(0, Math.max(0, token.indexOf('.'))))
  return header?.typ === types[type] ? header.kid : undefined
}

type Header = { typ: string; kid: string }
/** Parsed headers. Our own tokens have one per key and type; forged ones may differ. */
const headers = new Map<string, Header>()

function readHeader(text: string): Header | undefined {
  const known = headers.get(text)
  if (known !== undefined || text.length > tokenHeaderLengthMax) return known
  const { alg, typ, kid } = decode(text) ?? {}
  if (alg !== algorithm || typeof typ !== 'string' || typeof kid !== 'string') return undefined
  if (headers.size >= tokenHeadersRememberedMax) headers.clear()
  headers.set(text, { typ, kid })
  return { typ, kid }
}

/** Verified claims by key and token: a session sends the same token with every play. */
const genuine = new KeyMemory<{ type: GameTokenType; claims: GameClaims }>(tokensRememberedMin)

/** The claims, if `key` signed the token and it is well-formed. The caller checks its times. */
export function verifyGameToken(
  token: string,
  key: SigningKey,
  type: GameTokenType = 'game',
): GameClaims | undefined {
  const found = genuine.recall(key, token, () => {
    const claims = verifyAnew(token, key, type)
    return claims === undefined ? undefined : { type, claims }
  })
  return found?.type === type ? found.claims : undefined
}

function verifyAnew(token: string, key: SigningKey, type: GameTokenType): GameClaims | undefined {
  if (token.length > gameTokenBytesMax || readKeyId(token, type) !== key.keyId) return undefined
  const parts = token.split('.')
  const [header, payload, given] = parts
  if (parts.length !== 3 || given === undefined) return undefined
  if (!equal(given, signature(`${header}.${payload}`, key.secret))) return undefined
  const claims = decode(payload ?? '')
  return claims?.iss === issuer && claims.aud === audience ? readClaims(claims) : undefined
}

function readClaims(claims: Record<string, unknown>): GameClaims | undefined {
  const { sub, merchant, jti, iat, exp, player_no: playerNo, zoneinfo, test } = claims
  const { campaign = mainCampaign.slug } = claims
  if (typeof sub !== 'string' || typeof merchant !== 'number' || typeof jti !== 'string') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  if (typeof campaign !== 'string') return undefined
  return {
    merchantId: merchant,
    playerId: sub,
    linkId: jti,
    ...(typeof playerNo === 'number' ? { playerNo } : {}),
    issuedAt: new Date(Math.round(iat * 1000)),
    expiresAt: new Date(Math.round(exp * 1000)),
    campaign,
    ...(typeof zoneinfo === 'string' ? { timeZone: zoneinfo } : {}),
    ...(test === true ? { isTest: true } : {}),
  }
}

function signature(text: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

function equal(one: string, other: string): boolean {
  const [oneBytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return oneBytes.length === otherBytes.length && timingSafeEqual(oneBytes, otherBytes)
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // Not JSON, so it is not one of our tokens; the caller needs to know no more.
    return undefined
  }
}
