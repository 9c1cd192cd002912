import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { knownBrowserSeconds, sessionLifetimeSeconds } from '../../limits.ts'
import type { Scope } from '../../merchants/scopes.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Cause } from '../../audit-log/audit-log.ts'
import { findMerchant, type Merchant } from '../../merchants/merchants.ts'
import type { Giver } from '../../staff/staff-allowance.ts'
import { localDay } from '../../wheel-document/schedule.ts'
import { Refusal, type RefusalCode } from '../../refusals.ts'
import { dailyGrantMaxOf, mayRead, mayUse, type Role, type StaffReading } from '../../staff/roles.ts'
import { timeOf } from '../../test-clock.ts'
import { readStaffSession, type SignedIn } from '../../staff/sessions.ts'
import { listRoles } from '../../staff/staff.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Console sessions are refused: staff use operations that record their name and a reason. */
    isForTokensOnly?: boolean
    /** Data that not every role may read. */
    reads?: StaffReading
  }
}

/** The sender of a request with a console session, and the merchant it acts for. */
export type StaffCaller = SignedIn & { role: Role; merchantId: number; merchantName: string }

/**
 * With https the names begin with `__Host-`, so that no other host of the domain can set these cookies. The prefix
 * needs `Secure`. On plain http Chromium and Firefox accept that for localhost, but Safari does not, so the names there
 * have no prefix. They contain the port, because all ports of a host share their cookies.
 */
function cookieName(ctx: Context, name: 'session' | 'browser'): string {
  const { publicUrl } = ctx.config
  if (publicUrl.startsWith('https:')) return `__Host-wheelhouse-${name}`
  return `wheelhouse-${name}-${new URL(publicUrl).port || '80'}`
}

function readCookie(request: FastifyRequest, name: 'session' | 'browser'): string | undefined {
  const header = request.headers.cookie
  if (header === undefined) return undefined
  return fastifyCookie.parse(header)[cookieName(request.server.ctx, name)]
}

export function browserTokenOf(request: FastifyRequest): string | undefined {
  return readCookie(request, 'browser')
}

export function sessionTokenOf(request: FastifyRequest): string | undefined {
  return readCookie(request, 'session')
}

export function setSessionCookies(
  ctx: Context,
  reply: FastifyReply,
  tokens: { sessionToken: string; browserToken: string },
): void {
  const kind = cookieKind(ctx)
  reply.setCookie(cookieName(ctx, 'session'), tokens.sessionToken, {
    ...kind,
    maxAge: sessionLifetimeSeconds,
  })
  reply.setCookie(cookieName(ctx, 'browser'), tokens.browserToken, { ...kind, maxAge: knownBrowserSeconds })
}

export function clearSessionCookie(ctx: Context, reply: FastifyReply): void {
  reply.clearCookie(cookieName(ctx, 'session'), cookieKind(ctx))
}

function cookieKind(ctx: Context) {
  const secure = ctx.config.publicUrl.startsWith('https:')
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
}

/** Whether the request has a console session and no service token. */
export function hasStaffSession(request: FastifyRequest): boolean {
  return (
    request.server.ctx.config.servesConsole &&
    request.headers.authorization === undefined &&
    request.headers.cookie !== undefined &&
    readCookie(request, 'session') !== undefined
  )
}

/** Requires a session. A change must also come from our own origin. */
export async function requireSignedIn(request: FastifyRequest): Promise<SignedIn> {
  refuseForeignOrigin(request)
  const { ctx } = request.server
  const token = sessionTokenOf(request)
  const signedIn = token === undefined ? undefined : await readStaffSession(ctx.db, token, ctx.now())
  if (signedIn === undefined) throw new Refusal('session_missing')
  return signedIn
}

/** The cause of a change, for the audit log. */
export function staffCause(request: FastifyRequest, { staff }: Pick<SignedIn, 'staff'>): Cause {
  const actor = { kind: 'staff' as const, id: staff.email, name: staff.name }
  return { actor, requestId: request.id, now: request.server.ctx.now() }
}

/** Requires a session, and a role at the merchant that the request names. */
export async function requireStaff(request: FastifyRequest): Promise<StaffCaller> {
  const signedIn = await requireSignedIn(request)
  const slug = request.headers['wheelhouse-merchant']
  const all = await listRoles(request.server.ctx.db, signedIn.staff)
  const found = all.find((one) => one.slug === slug)
  if (found === undefined) throw new Refusal('merchant_not_found')
  return { ...signedIn, role: found.role, merchantId: found.merchantId, merchantName: found.name }
}

/** Lets staff call the operations of service tokens: returns a token with these scopes, if the role allows the call. */
export async function staffAsCaller(
  request: FastifyRequest,
  anyOf: readonly Scope[],
): Promise<TokenWithMerchant> {
  const caller = await requireStaff(request)
  const { isForTokensOnly, reads } = request.routeOptions.config
  if (isForTokensOnly === true) throw new Refusal('service_token_needed')
  const areas = request.routeOptions.schema?.tags ?? []
  if (!mayUse(caller.role, { areas, isChange: changesSomething(request) })) throw roleMissing(caller.role)
  if (reads !== undefined && !mayRead(caller.role, reads)) throw roleMissing(caller.role)
  request.staff = caller
  return {
    tokenId: `staff:${caller.staff.email}`,
    tokenName: caller.staff.name,
    secretSha256: Buffer.alloc(0),
    scopes: [...anyOf],
    expiresAt: null,
    revokedAt: null,
    merchant: await findMerchant(request.server.ctx.db, request.headers['wheelhouse-merchant'] as string),
  }
}

/** The staff member who gives spins with this request, or undefined for a service token, which has no daily limit. */
export function giverOf({ staff, server }: FastifyRequest, merchant: Merchant): Giver | undefined {
  if (staff === undefined) return undefined
  return {
    email: staff.staff.email,
    dailyMax: dailyGrantMaxOf(staff.role, merchant),
    day: localDay(merchant, timeOf(merchant, server.ctx.now())),
  }
}

/** The refusal of a grant. A staff member learns the daily limit and what is left of it. */
export function grantRefusal(
  { code, spinsLeft = 0, ...more }: { code: RefusalCode; detail?: string; spinsLeft?: number },
  giver: Giver | undefined,
): Refusal {
  if (code !== 'staff_grant_limit_exceeded' || giver === undefined) return new Refusal(code, more)
  const detail = `You can give ${spinsLeft} more spins today (limit ${giver.dailyMax}). Ask an editor or owner.`
  return new Refusal(code, { detail })
}

/** Whether the caller may see codes that were won: every token may; for staff, it depends on the role. */
export function seesCodes({ staff }: Pick<FastifyRequest, 'staff'>): boolean {
  return staff === undefined || mayRead(staff.role, 'codes')
}

export function roleMissing(role: Role): Refusal {
  return new Refusal('role_missing', { detail: `Your role at this merchant is "${role}".` })
}

function changesSomething(request: FastifyRequest): boolean {
  return isChange(request) && request.routeOptions.config.changesNothing !== true
}

function isChange(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD'
}

/**
 * Another site can make a browser send a request with our cookies, but not with our origin. `SameSite` already prevents
 * that; this check is for browsers that ignore it. `Sec-Fetch-Site` is not sent over plain http, so it may be missing.
 */
export function refuseForeignOrigin(request: FastifyRequest): void {
  if (!isChange(request)) return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOwn = origin !== undefined && URL.parse(origin)?.host === host
  if (!isOwn || (site !== undefined && site !== 'same-origin')) throw new Refusal('origin_refused')
}
