import type { FastifyReply, FastifyRequest } from 'fastify'
import { failedTokensPerMinuteMax, rateLimitWindowSeconds } from '../limits.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import { type Merchant, refuseSuspended } from '../merchants/merchants.ts'
import type { Scope } from '../merchants/scopes.ts'
import type { TokenWithMerchant } from '../merchants/service-tokens.ts'
import { requireScope } from '../merchants/token-verifier.ts'
import { Refusal } from '../refusals.ts'
import { timeOf } from '../test-clock.ts'
import { showMode } from './test-headers.ts'
import { countHeaders } from './transport/header-rules.ts'
import { RateLimit } from './transport/rate-limit.ts'
import { hasStaffSession, type StaffCaller, staffAsCaller, staffCause } from './console/staff-session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How the route keeps a token that is bound to a campaign within it. `filtered`: it shows only what belongs to the
     * campaign. `checked`: everything else is not found. `meant`: the request means the campaign. Without this, such
     * tokens are refused.
     */
    boundTokens?: 'filtered' | 'checked' | 'meant'
  }
  interface FastifyRequest {
    /** The verified service token of a merchant's request. */
    caller: TokenWithMerchant | undefined
    /** The staff member, if the request comes from the console instead. */
    staff: StaffCaller | undefined
  }
}

/** The rate limit of a service token. */
export function tokenQuota(requestsPerSecond: number): RateLimit {
  return new RateLimit({
    name: 'token',
    counted: 'requests with this service token, or in this session',
    max: requestsPerSecond * rateLimitWindowSeconds,
    windowSeconds: rateLimitWindowSeconds,
  })
}

/**
 * Requires a live token with one of the scopes, or a console session with a role that allows it, before the body is
 * read.
 */
export function authenticator(quota: RateLimit) {
  const wrongTokens = { counted: 'wrong tokens from this address', max: failedTokensPerMinuteMax }
  const failures = new RateLimit({ name: 'failures', ...wrongTokens, windowSeconds: 60 })

  return (...anyOf: Scope[]) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const token = hasStaffSession(request)
        ? await staffAsCaller(request, anyOf)
        : await verify(request, failures, (found) => showMode(reply, found.merchant))
      request.caller = token
      if (request.staff !== undefined) showMode(reply, token.merchant)
      const used = quota.use(token.tokenId)
      reply.header('RateLimit-Policy', quota.policy).header('RateLimit', quota.describe(used))
      quota.refuseOver(used)
      refuseSuspended(token.merchant)
      requireScope(token, anyOf)
      if (token.campaign !== undefined && request.routeOptions.config.boundTokens === undefined)
        throw new Refusal('token_bound', {
          detail: `The token is bound to the campaign "${token.campaign.slug}", and this operation is about the whole merchant.`,
        })
    }
}

/** Checks again that the caller is allowed, for requests that take long. */
export async function confirmCaller(request: FastifyRequest, ...anyOf: Scope[]): Promise<void> {
  const token =
    request.staff === undefined
      ? await request.server.ctx.tokens.verify(authorization(request), { isSuspect: false })
      : await staffAsCaller(request, anyOf)
  refuseSuspended(token.merchant)
  requireScope(token, anyOf)
}

export function callingMerchant(request: FastifyRequest): Merchant {
  if (request.caller === undefined) throw new Error('the route has no authentication')
  return request.caller.merchant
}

/** The time of the calling merchant. */
export function nowOf(request: FastifyRequest): Date {
  return timeOf(callingMerchant(request), request.server.ctx.now())
}

/** The cause of a change, for the audit log. */
export function causeOf(request: FastifyRequest): Cause {
  const { caller, staff } = request
  if (caller === undefined) throw new Error('the route has no authentication')
  if (staff !== undefined) return { ...staffCause(request, staff), now: nowOf(request) }
  const actor = { kind: 'token' as const, id: caller.tokenId, name: caller.tokenName }
  return { actor, requestId: request.id, now: nowOf(request) }
}

/**
 * Limits wrong tokens per address. A valid token always passes, because its caller may share the address with the one
 * that sends wrong tokens.
 */
async function verify(
  request: FastifyRequest,
  failures: RateLimit,
  onFound: (token: TokenWithMerchant) => void,
): Promise<TokenWithMerchant> {
  const isSuspect = failures.peek(request.ip).isOver
  try {
    return await request.server.ctx.tokens.verify(authorization(request), { isSuspect, onFound })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'token_invalid')) throw error
    const { isOver, resetSeconds } = failures.use(request.ip)
    if (!isOver) throw error
    throw new Refusal('failed_tokens_limited', { headers: { 'Retry-After': String(resetSeconds) } })
  }
}

function authorization(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined) throw new Refusal('token_missing')
  if (countHeaders(request.raw, 'authorization') > 1)
    throw new Refusal('token_malformed', { detail: 'There is more than one Authorization header.' })
  return header
}
