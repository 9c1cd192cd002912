import { passwordMatches } from '../crypto/password.ts'
import { makeSecretText } from '../crypto/secret-text.ts'
import type { Queryable } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { isKnownBrowser, rememberBrowser } from './known-browsers.ts'
import { totpStep } from './second-factor.ts'
import { openStaffSession } from './sessions.ts'
import { countFailure, forgetFailures, secondsToWait } from './sign-in-failures.ts'
import { findStaffByEmail, foldEmail, type Staff, type StaffSecrets, useTotpStep } from './staff.ts'

export type SignInOrder = {
  email: string
  password: string
  /** From the authenticator app, if the account has one. */
  code: string | undefined
  address: string
  browser: string
  /** The secret of a browser in which somebody has signed in before. */
  browserToken: string | undefined
  now: Date
}

/**
 * Signs a person in. Failures make the next attempt wait, for longer and longer, but only where they came from: they are
 * counted per account and address, and in a browser that the person has used before, per account and browser. So
 * nobody can lock a person out by failing in their name.
 */
export async function signIn(
  db: Queryable,
  order: SignInOrder,
): Promise<{ sessionToken: string; browserToken: string }> {
  const account = foldEmail(order.email)
  const staff = await findStaffByEmail(db, account)
  const attempt = { account, source: await sourceOf(db, order, staff) }
  const wait = await secondsToWait(db, attempt, order.now)
  if (wait > 0) throw new Refusal('sign_in_delayed', { headers: { 'Retry-After': String(wait) } })
  // Counted before it is known to be one: of a thousand guesses at once, a few get through and not all.
  await countFailure(db, attempt, order.now)
  const isRight = await passwordMatches(order.password, staff?.passwordHash)
  if (!isRight || staff === undefined) throw new Refusal('sign_in_failed')
  await requireSecondFactor(db, staff, order)
  await forgetFailures(db, attempt)
  return admit(db, staff.staffId, order)
}

/** Opens a session, and makes the browser a known one. */
export async function admit(
  db: Queryable,
  staffId: number,
  order: Pick<SignInOrder, 'address' | 'browser' | 'browserToken' | 'now'>,
): Promise<{ sessionToken: string; browserToken: string }> {
  const { address, browser, now } = order
  const isKnown = await isKnownBrowser(db, { staffId, browserToken: order.browserToken })
  const browserToken = isKnown && order.browserToken !== undefined ? order.browserToken : makeSecretText()
  await rememberBrowser(db, { staffId, browserToken }, now)
  return { sessionToken: await openStaffSession(db, { staffId, address, browser, now }), browserToken }
}

async function sourceOf(db: Queryable, order: SignInOrder, staff: Staff | undefined): Promise<string> {
  const { browserToken } = order
  const isKnown = staff !== undefined && (await isKnownBrowser(db, { staffId: staff.staffId, browserToken }))
  return isKnown ? `browser ${browserToken?.slice(0, 12)}` : `address ${network(order.address)}`
}

/** Who has an IPv6 address usually has a whole /64 of them. */
function network(address: string): string {
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
}

async function requireSecondFactor(
  db: Queryable,
  staff: Staff & StaffSecrets,
  order: SignInOrder,
): Promise<void> {
  if (staff.totpSecret === null) return
  if (order.code === undefined) throw new Refusal('second_factor_needed')
  const step = totpStep(staff.totpSecret, order.code, order.now)
  if (step === undefined || !(await useTotpStep(db, staff.staffId, step)))
    throw new Refusal('second_factor_wrong')
}
