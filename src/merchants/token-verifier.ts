import { timingSafeEqual } from 'node:crypto'
import { ConcurrencyLimit } from '../concurrency/concurrency-limit.ts'
import { parseServiceToken, secretMatches } from '../crypto/service-token.ts'
import { type Database, untilDone } from '../db/database.ts'
import {
  guessesReadAtOnceMax,
  guessesWaitingMax,
  lastUseFlushMs,
  serviceTokenCacheMax,
  serviceTokenCacheMs,
} from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { isTest, timeOf } from '../test-clock.ts'
import type { Scope } from './scopes.ts'
import { readTokenWithMerchant, recordTokenUses, type TokenWithMerchant } from './service-tokens.ts'

/**
 * Finds the token of a request, and its merchant. Tokens are cached for `serviceTokenCacheMs`. So a revocation, a
 * suspension or a changed setting takes effect everywhere within that time, and at once in the process that makes the
 * change, which calls `forget`. Tokens of test merchants are read for each request, because their clocks move.
 */
export class TokenVerifier {
  readonly #db: Database
  readonly #now: () => Date
  readonly #onFlushError: (error: unknown) => void
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<TokenWithMerchant | undefined>>()
  readonly #guesses = new ConcurrencyLimit({ max: guessesReadAtOnceMax, waitingMax: guessesWaitingMax })
  #uses = new Map<string, Date>()
  readonly #flushTimer: NodeJS.Timeout

  constructor(options: { db: Database; now: () => Date; onFlushError: (error: unknown) => void }) {
    this.#db = options.db
    this.#now = options.now
    this.#onFlushError = options.onFlushError
    this.#flushTimer = setInterval(() => void this.#flush(), lastUseFlushMs).unref()
  }

  /**
   * The token of an Authorization header. `isSuspect` if the sender has sent many wrong tokens: then tokens that are
   * not cached are looked up a few at a time, so that guesses don't overload the database. `onFound` gets the token
   * also if it is dead.
   */
  async verify(
    header: string,
    { isSuspect, onFound }: { isSuspect: boolean; onFound?: (token: TokenWithMerchant) => void },
  ): Promise<TokenWithMerchant> {
    const given = parseServiceToken(header)
    if (given === undefined) throw new Refusal('token_malformed', { detail: malformedDetail(header) })
    const token = this.#fresh(given.tokenId)?.token ?? (await this.#read(given.tokenId, isSuspect))
    if (!secretMatches(given.secret, token?.secretSha256) || token === undefined)
      throw new Refusal('token_invalid')
    // Expiry and revocation are revealed only once the secret matches.
    onFound?.(token)
    const now = timeOf(token.merchant, this.#now())
    refuseDead(token, now)
    this.#uses.set(token.tokenId, now)
    const known = this.#known.get(token.tokenId)
    if (known !== undefined) known.proof = Buffer.from(header)
    return token
  }

  /** A token that was verified before, for work on its behalf. Fails if it is no longer live. */
  async confirm(tokenId: string): Promise<TokenWithMerchant> {
    const token = this.#fresh(tokenId)?.token ?? (await this.#read(tokenId, false))
    if (token === undefined) throw new Refusal('token_invalid')
    refuseDead(token, timeOf(token.merchant, this.#now()))
    return token
  }

  /**
   * The token of an Authorization header, if it was verified recently and is valid: the same result as `verify`,
   * without waiting. It compares the header with the verified one in constant time, which costs less than hashing the
   * secret.
   */
  recall(header: string): TokenWithMerchant | undefined {
    const tokenId = header.slice(0, Math.max(0, header.indexOf(':')))
    const known = this.#fresh(tokenId)
    if (known?.proof === undefined) return undefined
    const given = Buffer.from(header)
    if (given.length !== known.proof.length || !timingSafeEqual(given, known.proof)) return undefined
    const { token } = known
    const now = this.#now()
    if (token.revokedAt !== null && token.revokedAt <= now) return undefined
    if (token.expiresAt !== null && token.expiresAt <= now) return undefined
    this.#uses.set(tokenId, now)
    return token
  }

  /** Call this after a change of a token or a merchant: the next request reads it again. */
  forget(changed: { tokenId: string } | { merchantId: number }): void {
    for (const known of this.#known.values()) {
      const { tokenId, merchant } = known.token
      const isChanged =
        'tokenId' in changed ? tokenId === changed.tokenId : merchant.merchantId === changed.merchantId
      if (isChanged) known.readAt = -Infinity
    }
    // A read in flight may return the state before the change.
    this.#reading.clear()
  }

  /** Writes the last uses that are still only in memory. */
  async close(): Promise<void> {
    clearInterval(this.#flushTimer)
    await this.#flush()
  }

  /** A token that is in use is read again before it is too old, so that its requests never wait for that. */
  #fresh(tokenId: string): Known | undefined {
    const known = this.#known.get(tokenId)
    const age = known === undefined ? Infinity : performance.now() - known.readAt
    if (age >= serviceTokenCacheMs) return undefined
    // A failure is reported by the first request that has to wait for the token.
    if (age >= serviceTokenCacheMs / 2) this.#readOnce(tokenId).catch(() => undefined)
    return known
  }

  async #read(tokenId: string, isSuspect: boolean): Promise<TokenWithMerchant | undefined> {
    if (!isSuspect || this.#known.has(tokenId)) return this.#readOnce(tokenId)
    return this.#guesses.run(() => this.#readOnce(tokenId))
  }

  /** Concurrent requests with the same token share one read. */
  #readOnce(tokenId: string): Promise<TokenWithMerchant | undefined> {
    const inFlight = this.#reading.get(tokenId)
    if (inFlight !== undefined) return inFlight
    const readAt = performance.now()
    const reading = untilDone(() => readTokenWithMerchant(this.#db, tokenId))
      .then((token) => {
        if (this.#reading.get(tokenId) === reading) this.#remember(tokenId, token, readAt)
        return token
      })
      .finally(() => {
        if (this.#reading.get(tokenId) === reading) this.#reading.delete(tokenId)
      })
    this.#reading.set(tokenId, reading)
    return reading
  }

  #remember(tokenId: string, token: TokenWithMerchant | undefined, readAt: number): void {
    const before = this.#known.get(tokenId)
    this.#known.delete(tokenId)
    if (token === undefined || isTest(token.merchant)) return
    const proof = before?.token.secretSha256.equals(token.secretSha256) === true ? before.proof : undefined
    this.#known.set(tokenId, { token, readAt, proof })
    const [oldest] = this.#known.keys()
    if (this.#known.size > serviceTokenCacheMax && oldest !== undefined) this.#known.delete(oldest)
  }

  async #flush(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await recordTokenUses(this.#db, uses)
    } catch (error) {
      // The last use is only informative; the next request writes it again.
      this.#onFlushError(error)
    }
  }
}

/** `proof` is the header whose secret was verified against the token. */
type Known = { token: TokenWithMerchant; readAt: number; proof: Buffer | undefined }

function refuseDead({ revokedAt, expiresAt }: TokenWithMerchant, now: Date): void {
  if (revokedAt !== null && revokedAt <= now) throw new Refusal('token_revoked')
  if (expiresAt !== null && expiresAt <= now) throw new Refusal('token_expired')
}

/** Refuses a token that has none of the scopes. */
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
    return `Remove the prefix "${prefix}". The value of the header is the service token alone.`
  return 'The header must be one <identifier>:<64 hexadecimal digits>, exactly as the token was issued.'
}
