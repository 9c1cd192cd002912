import { hashPassword } from '../crypto/password.ts'
import type { Database, Queryable } from '../db/database.ts'
import { passwordLengthMin } from '../limits.ts'
import { recordChanges } from '../merchants/audit-log.ts'
import { Refusal } from '../refusals.ts'
import { findInvitation, type Invitation, takeInvitation, withdrawResets } from './invitations.ts'
import { changeOf } from './invite-staff.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { totpStep } from './second-factor.ts'
import { endStaffSessions } from './sessions.ts'
import { countFailure, forgetFailures, secondsToWait } from './sign-in-failures.ts'
import { keepsSecondFactor } from './staff-mails.ts'
import {
  findStaff,
  findStaffByEmail,
  foldEmail,
  insertStaff,
  listMemberships,
  setOperator,
  setPassword,
  setRole,
  setTotpSecret,
  useTotpStep,
} from './staff.ts'

export type Acceptance = {
  token: string
  /** For a link that names nobody. */
  email: string | undefined
  name: string | undefined
  password: string | undefined
  /** From the authenticator app, where the link alone is not enough. */
  code: string | undefined
  /** Who is signed in already, if anybody. */
  signedInStaffId: number | undefined
  requestId: string
  now: Date
}

/**
 * Uses an invitation, and answers with whose account it was for. An account that exists is never touched by a link
 * alone: its owner signs in first, and then takes the role. Only a reset sets a new password: an operator's, or one that
 * was sent to the account's own address, which needs the second factor besides.
 */
export async function acceptInvitation(db: Database, order: Acceptance): Promise<number> {
  // Before the transaction: a hash takes a while, and would hold a connection for it.
  const passwordHash = order.password === undefined ? undefined : await hashNewPassword(order.password)
  await requireSecondFactor(db, order)
  return db.transaction(async (tx) => {
    const invitation = await takeInvitation(tx, order.token, order.now)
    if (invitation === undefined) throw new Refusal('invitation_invalid')
    const staffId =
      invitation.resetsStaffId === null
        ? await accountFor(tx, invitation, { ...order, passwordHash })
        : await reset(tx, invitation, passwordHash)
    await giveWhatIsPromised(tx, staffId, invitation, order.now)
    await recordAcceptance(tx, staffId, invitation, order)
    return staffId
  })
}

export async function hashNewPassword(password: string): Promise<string> {
  const isTooEasy = password.length < passwordLengthMin || new Set(password.toLowerCase()).size < 5
  if (isTooEasy) throw new Refusal('password_too_easy')
  return hashPassword(password)
}

async function accountFor(
  tx: Queryable,
  invitation: Invitation,
  order: Acceptance & { passwordHash: string | undefined },
): Promise<number> {
  const email = foldEmail(invitation.email ?? order.email ?? '')
  const existing = await findStaffByEmail(tx, email)
  if (existing !== undefined) {
    if (existing.staffId !== order.signedInStaffId) throw new Refusal('account_exists')
    return existing.staffId
  }
  const { passwordHash, name, now } = order
  if (email === '' || passwordHash === undefined || name === undefined)
    throw new Refusal('validation_failed', { detail: 'A new account needs email, name and password.' })
  const staffId = await insertStaff(tx, { email, name, passwordHash, isOperator: false, now })
  if (staffId === undefined) throw new Refusal('account_exists')
  return staffId
}

/** Outside of the transaction, so that a failure stays counted: else a link would be worth any number of guesses. */
async function requireSecondFactor(db: Database, { token, code, now }: Acceptance): Promise<void> {
  const invitation = await findInvitation(db, token, now)
  if (invitation === undefined || !keepsSecondFactor(invitation)) return
  const person = await findStaff(db, invitation.resetsStaffId as number)
  if (person === undefined || person.totpSecret === null) return
  if (code === undefined) throw new Refusal('second_factor_needed')
  const attempt = { account: person.email, source: 'a reset by mail' }
  const wait = await secondsToWait(db, attempt, now)
  if (wait > 0) throw new Refusal('sign_in_delayed', { headers: { 'Retry-After': String(wait) } })
  await countFailure(db, attempt, now)
  const step = totpStep(person.totpSecret, code, now)
  if (step === undefined || !(await useTotpStep(db, person.staffId, step)))
    throw new Refusal('second_factor_wrong')
  await forgetFailures(db, attempt)
}

async function reset(
  tx: Queryable,
  invitation: Invitation,
  passwordHash: string | undefined,
): Promise<number> {
  const staffId = invitation.resetsStaffId as number
  if (passwordHash === undefined)
    throw new Refusal('validation_failed', { detail: 'A reset needs a new password.' })
  await setPassword(tx, staffId, passwordHash)
  // Who comes to an operator without the password has often lost the phone too, and whoever has either must be out.
  if (!keepsSecondFactor(invitation)) await setTotpSecret(tx, staffId, null)
  await withdrawResets(tx, staffId)
  await endStaffSessions(tx, staffId, null)
  await forgetBrowsers(tx, staffId)
  return staffId
}

async function giveWhatIsPromised(
  tx: Queryable,
  staffId: number,
  { merchantId, role, makesOperator }: Invitation,
  now: Date,
): Promise<void> {
  if (makesOperator) await setOperator(tx, staffId, true)
  if (merchantId !== null && role !== null) await setRole(tx, { staffId, merchantId, role, now })
}

async function recordAcceptance(
  tx: Queryable,
  staffId: number,
  { merchantId, role, resetsStaffId }: Invitation,
  { requestId, now }: Acceptance,
): Promise<void> {
  const person = await findStaff(tx, staffId)
  if (person === undefined) return
  const { email, name } = person
  const changes =
    resetsStaffId === null
      ? merchantId === null
        ? []
        : [changeOf(merchantId, 'staff.join', email, { after: { role } })]
      : (await listMemberships(tx, staffId)).map((one) =>
          changeOf(one.merchantId, 'staff.new_password', email),
        )
  await recordChanges(tx, changes, { actor: { kind: 'staff', id: email, name }, requestId, now })
}
