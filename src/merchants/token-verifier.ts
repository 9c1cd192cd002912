import { timingSafeEqual } from 'node:crypto'
import { parseServiceToken, secretMatches } from '../crypto/service-token.ts'
import { type Database, untilDone } from '../db/database.ts'
import { lastUseFlushMs, serviceTokenCacheMax, serviceTokenCacheMs } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import type { Scope } from './scopes.ts'
import { readTokenWithMerchant, recordTokenUses, type TokenWithMerchant } from './service-tokens.ts'

/**
 * Knows who sent a request. What it read of a token it believes for `serviceTokenCacheMs`, so a revocation, a
 * suspension or a changed setting holds everywhere within that time.
 */
export class TokenVerifier {
  readonly #db: Database
  readonly #now: () => Date
  readonly #onFlushError: (error: unknown) => void
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<TokenWithMerchant | undefined>>()
  #uses = new Map<string, Date>()
  readonly #flushTimer: NodeJS.Timeout

  constructor(options: { db: Database; now: () => Date; onFlushError: (error: unknown) => void }) {
    this.#db = options.db
    this.#now = options.now
    this.#onFlushError = options.onFlushError
    this.#flushTimer = setInterval(() => void this.#flush(), lastUseFlushMs).unref()
  }

  /** The token behind an Authorization header. `mayGuess` is asked for a token not seen before and for a wrong secret. */
  async verify(header: string, mayGuess: () => void): Promise<TokenWithMerchant> {
    const given = parseServiceToken(header)
    if (given === undefined) throw new Refusal('token_malformed', { detail: malformedDetail(header) })
    const token = this.#fresh(given.tokenId) ?? (await this.#read(given.tokenId, mayGuess))
    if (!secretMatches(given.secret, token?.secretSha256) || token === undefined) {
      // Also for a token in memory: else who has used up the guesses could tell that the identifier exists.
      mayGuess()
      throw new Refusal('token_invalid')
    }
    // Only who holds the secret learns more about the token.
    const now = this.#now()
    refuseDead(token, now)
    this.#uses.set(token.tokenId, now)
    const known = this.#known.get(token.tokenId)
    if (known !== undefined) known.proof = Buffer.from(header)
    return token
  }

  /** A token that was verified before, for work on its behalf. Fails if it is no longer live. */
  async confirm(tokenId: string): Promise<TokenWithMerchant> {
    const token = this.#fresh(tokenId) ?? (await this.#read(tokenId, () => undefined))
    if (token === undefined) throw new Refusal('token_invalid')
    refuseDead(token, this.#now())
    return token
  }

  /**
   * The token behind an Authorization header, if it was verified lately and is live: the same answer as `verify`, at
   * once. Compares with the header that was verified, in constant time, which costs less than hashing the secret.
   */
  recall(header: string): TokenWithMerchant | undefined {
    const tokenId = header.slice(0, Math.max(0, header.indexOf(':')))
    const known = this.#known.get(tokenId)
    if (known?.proof === undefined || performance.now() - known.readAt >= serviceTokenCacheMs)
      return undefined
    const given = Buffer.from(header)
    if (given.length !== known.proof.length || !timingSafeEqual(given, known.proof)) return undefined
    const { token } = known
    const now = this.#now()
    if (token.revokedAt !== null && token.revokedAt <= now) return undefined
    if (token.expiresAt !== null && token.expiresAt <= now) return undefined
    this.#uses.set(tokenId, now)
    return token
  }

  /** Writes down the last uses that are still only in memory. */
  async close(): Promise<void> {
    clearInterval(this.#flushTimer)
    await this.#flush()
  }

  #fresh(tokenId: string): TokenWithMerchant | undefined {
    const known = this.#known.get(tokenId)
    return known !== undefined && performance.now() - known.readAt < serviceTokenCacheMs
      ? known.token
      : undefined
  }

  async #read(tokenId: string, mayGuess: () => void): Promise<TokenWithMerchant | undefined> {
    if (!this.#known.has(tokenId)) mayGuess()
    let reading = this.#reading.get(tokenId)
    if (reading === undefined) {
      reading = this.#readNow(tokenId).finally(() => this.#reading.delete(tokenId))
      this.#reading.set(tokenId, reading)
    }
    return reading
  }

  async #readNow(tokenId: string): Promise<TokenWithMerchant | undefined> {
    const readAt = performance.now()
    const token = await untilDone(() => readTokenWithMerchant(this.#db, tokenId))
    this.#known.delete(tokenId)
    if (token === undefined) return undefined
    this.#known.set(tokenId, { token, readAt })
    const [oldest] = this.#known.keys()
    if (this.#known.size > serviceTokenCacheMax && oldest !== undefined) this.#known.delete(oldest)
    return token
  }

  async #flush(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await recordTokenUses(this.#db, uses)
    } catch (error) {
      // The last use is a hint for people; the next request writes it again.
      this.#onFlushError(error)
    }
  }
}

/** `proof` is the header whose secret was verified against the token. */
type Known = { token: TokenWithMerchant; readAt: number; proof?: Buffer }

function refuseDead({ revokedAt, expiresAt }: TokenWithMerchant, now: Date): void {
  if (revokedAt !== null && revokedAt <= now) throw new Refusal('token_revoked')
  if (expiresAt !== null && expiresAt <= now) throw new Refusal('token_expired')
}

/** Fails if the token was issued with none of the scopes. */
export function requireScope(token: TokenWithMerchant, anyOf: readonly Scope[]): void {
  if (anyOf.some((scope) => token.scopes.includes(scope))) return
  const wanted = anyOf.map((scope) => `"${scope}"`).join(' or ')
  throw new Refusal('scope_missing', {
    detail: `This operation needs the scope ${wanted}; the token has ${token.scopes.join(', ')}.`,
  })
}

function malformedDetail(header: string): string {
  const prefix = /^(bearer|basic|token)\s/i.exec(header)?.[1]
  if (prefix !== undefined)
    return `Leave the prefix "${prefix}" out: the header's value is the service token alone.`
  return 'The header must be one <identifier>:<64 hexadecimal digits>, exactly as the token was issued.'
}
