import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { recentSignInSeconds } from '../../limits.ts'
import { Refusal } from '../../refusals.ts'
import { type RelyingParty, relyingPartyOf } from '../../staff/relying-party.ts'
import type { SignedIn } from '../../staff/sessions.ts'
import { requirePasswordAgain } from '../../staff/sign-in.ts'
import { requireSignedIn } from './staff-session.ts'

/** Requires a recent sign-in or the password, for changes that a stolen session alone must not make. */
export async function requireRecentSignIn(
  request: FastifyRequest,
  password: string | undefined,
): Promise<SignedIn> {
  const signedIn = await requireSignedIn(request)
  if (password !== undefined) return checkPassword(request, signedIn, password)
  const age = request.server.ctx.now().getTime() - signedIn.signedInAt.getTime()
  if (age > recentSignInSeconds * 1000) throw new Refusal('sign_in_not_recent')
  return signedIn
}

export async function requirePassword(request: FastifyRequest, password: string): Promise<SignedIn> {
  return checkPassword(request, await requireSignedIn(request), password)
}

async function checkPassword(
  request: FastifyRequest,
  signedIn: SignedIn,
  password: string,
): Promise<SignedIn> {
  const { ctx } = request.server
  const { staff, sessionId } = signedIn
  await requirePasswordAgain(ctx.db, { ...staff, sessionId, password, now: ctx.now() })
  return signedIn
}

/** The relying party that passkeys are bound to, or undefined if browsers allow none at the public URL. */
export function relyingParty(ctx: Context): RelyingParty | undefined {
  const party = relyingPartyOf(ctx.config.publicUrl)
  return typeof party === 'string' ? undefined : party
}

export function requireRelyingParty(ctx: Context): RelyingParty {
  const party = relyingParty(ctx)
  if (party === undefined) throw new Refusal('passkeys_unavailable')
  return party
}
