import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { passwordMatches } from '../crypto/password.ts'
import { makeSecretText } from '../crypto/secret-text.ts'
import type { Database, Queryable } from '../db/database.ts'
import { ceilingNetworkBits, sourceNetworkBits } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { networkOf } from './address-network.ts'
import { isKnownBrowser, rememberBrowser } from './known-browsers.ts'
import { countNetworkAttempt, uncountNetworkAttempt } from './network-failures.ts'
import type { RelyingParty } from './relying-party.ts'
import { requireSecondFactor, type SecondFactorProof } from './second-factor.ts'
import { endReplacedSession, openStaffSession } from './sessions.ts'
import { countAttempt, forgetFailures, uncountAttempt } from './sign-in-failures.ts'
import { findStaff, findStaffByEmail, foldEmail, type Staff } from './staff.ts'
import { handleBytes, verifyAssertion } from './verify-passkeys.ts'

/** The origin of a sign-in. */
export type Whereabouts = {
  address: string
  browser: string
  /** The secret of a known browser, in which the person has signed in before. */
  browserToken: string | undefined
  /** The current session of the browser, if any. The sign-in ends it. */
  sessionToken?: string | undefined
  now: Date
}

type SignInOrder = Whereabouts & {
  email: string
  password: string
  proof: SecondFactorProof
  rp: RelyingParty | undefined
  requestId: string
}

type SessionTokens = { sessionToken: string; browserToken: string }

/**
 * Signs a person in. Every attempt counts as a failure until it succeeds. Failures delay the next attempt, more each
 * time, but only at their origin: they are counted by account and network, and in a known browser by account and
 * browser. So nobody can lock a person out with failed attempts.
 */
export async function signIn(
  db: Database,
  order: SignInOrder,
): Promise<{ staff: Staff; tokens: SessionTokens }> {
  const { address, browserToken, now } = order
  const account = foldEmail(order.email)
  const staff = await findStaffByEmail(db, account)
  // Verified in any case: the time it takes must not reveal whether the account exists.
  const isKnown = await isKnownBrowser(db, { staffId: staff?.staffId ?? 0, browserToken })
  const source = isKnown
    ? `browser ${browserToken?.slice(0, 12)}`
    : `address ${networkOf(address, sourceNetworkBits)}`
  const network = isKnown ? undefined : networkOf(address, ceilingNetworkBits)
  const attempt = { account, source }
  await beginAttempt(db, attempt, network, now)
  const isRight = await passwordMatches(order.password, staff?.passwordHash)
  if (!isRight || staff === undefined) throw new Refusal('sign_in_failed')
  // The network limit is for guesses at passwords; guesses at the second factor are counted separately.
  if (network !== undefined) await uncountNetworkAttempt(db, network)
  await requireSecondFactor(db, staff, { ...order, isKnownBrowser: isKnown })
  await forgetFailures(db, attempt)
  return { staff, tokens: await admit(db, staff.staffId, order) }
}

/**
 * Signs in with a passkey alone, if the device has verified its owner, which makes two factors. A signature can't be
 * guessed, so the failures of others cause no delay here.
 */
export async function signInWithPasskey(
  db: Queryable,
  order: Whereabouts & { response: AuthenticationResponseJSON; rp: RelyingParty },
): Promise<{ staff: Staff; tokens: SessionTokens }> {
  const { response, rp, now } = order
  const passkey = await verifyAssertion(db, response, { purpose: 'sign_in', staffId: null, rp, now })
  const staff = passkey === undefined ? undefined : await findStaff(db, passkey.staffId)
  const { userHandle } = response.response
  const isOwner =
    staff !== undefined &&
    userHandle !== undefined &&
    Buffer.from(handleBytes(staff)).toString('base64url') === userHandle
  if (!isOwner) throw new Refusal('passkey_refused')
  return { staff, tokens: await admit(db, staff.staffId, order) }
}

/** Opens a session that replaces the current one of the browser, and makes the browser a known one. */
export async function admit(db: Queryable, staffId: number, order: Whereabouts): Promise<SessionTokens> {
  const { address, browser, now } = order
  const isKnown = await isKnownBrowser(db, { staffId, browserToken: order.browserToken })
  const browserToken = isKnown && order.browserToken !== undefined ? order.browserToken : makeSecretText()
  await endReplacedSession(db, order.sessionToken)
  await rememberBrowser(db, { staffId, browserToken }, now)
  return { sessionToken: await openStaffSession(db, { staffId, address, browser, now }), browserToken }
}

/**
 * Counts the attempt at its origin. An attempt that the network limit refuses was not checked, and does not count.
 */
async function beginAttempt(
  db: Queryable,
  attempt: { account: string; source: string },
  network: string | undefined,
  now: Date,
): Promise<void> {
  const wait = await countAttempt(db, attempt, now)
  if (wait > 0) throw delayed(wait)
  const networkWait = network === undefined ? 0 : await countNetworkAttempt(db, network, now)
  if (networkWait === 0) return
  await uncountAttempt(db, attempt)
  throw delayed(networkWait)
}

/** Verifies the password of the signed-in person again. Guesses are counted as at sign-in. */
export async function requirePasswordAgain(
  db: Queryable,
  { staffId, email, sessionId, password, now }: Staff & { sessionId: string; password: string; now: Date },
): Promise<void> {
  const attempt = { account: email, source: `session ${sessionId}` }
  const wait = await countAttempt(db, attempt, now)
  if (wait > 0) throw delayed(wait)
  const secrets = await findStaff(db, staffId)
  if (!(await passwordMatches(password, secrets?.passwordHash)))
    throw new Refusal('sign_in_failed', { detail: 'The password is wrong.' })
  await forgetFailures(db, attempt)
}

function delayed(seconds: number): Refusal {
  return new Refusal('sign_in_delayed', { headers: { 'Retry-After': String(seconds) } })
}
