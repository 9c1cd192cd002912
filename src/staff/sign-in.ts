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

/** Where somebody signs in from. */
export type Whereabouts = {
  address: string
  browser: string
  /** The secret of a browser in which somebody has signed in before. */
  browserToken: string | undefined
  /** The session that the browser has now, if any. It ends with the sign-in. */
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
 * Signs a person in. Every attempt counts as a failure until it has succeeded. Failures make the next attempt wait, for
 * longer and longer, but only where they came from: they are counted by account and network, and in a browser that the
 * person has used before, by account and browser. So nobody can lock a person out by failing in their name.
 */
export async function signIn(
  db: Database,
  order: SignInOrder,
): Promise<{ staff: Staff; tokens: SessionTokens }> {
  const { address, browserToken, now } = order
  const account = foldEmail(order.email)
  const staff = await findStaffByEmail(db, account)
  // Asked for in any case: how long it takes must not tell whether there is such an account.
  const isKnown = await isKnownBrowser(db, { staffId: staff?.staffId ?? 0, browserToken })
  const source = isKnown
    ? `browser ${browserToken?.slice(0, 12)}`
    : `address ${networkOf(address, sourceNetworkBits)}`
  const network = isKnown ? undefined : networkOf(address, ceilingNetworkBits)
  const attempt = { account, source }
  await beginAttempt(db, attempt, network, now)
  const isRight = await passwordMatches(order.password, staff?.passwordHash)
  if (!isRight || staff === undefined) throw new Refusal('sign_in_failed')
  // The ceiling is for guesses at passwords; those at the second factor have a count of their own.
  if (network !== undefined) await uncountNetworkAttempt(db, network)
  await requireSecondFactor(db, staff, { ...order, isKnownBrowser: isKnown })
  await forgetFailures(db, attempt)
  return { staff, tokens: await admit(db, staff.staffId, order) }
}

/**
 * Signs in whoever holds a passkey, if the device has checked that it is its owner: that is two factors already. A
 * signature can't be guessed, so failures of others hold nobody up here.
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

/** Opens a session in place of the one that the browser had, and makes the browser a known one. */
export async function admit(db: Queryable, staffId: number, order: Whereabouts): Promise<SessionTokens> {
  const { address, browser, now } = order
  const isKnown = await isKnownBrowser(db, { staffId, browserToken: order.browserToken })
  const browserToken = isKnown && order.browserToken !== undefined ? order.browserToken : makeSecretText()
  await endReplacedSession(db, order.sessionToken)
  await rememberBrowser(db, { staffId, browserToken }, now)
  return { sessionToken: await openStaffSession(db, { staffId, address, browser, now }), browserToken }
}

/** Counts the attempt where it comes from. What the ceiling of the network refuses was not checked, and counts nowhere. */
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

/** The session's holder shows the password once more. Guesses are counted, as at the sign-in. */
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
