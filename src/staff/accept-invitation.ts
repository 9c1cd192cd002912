import type { Database, Queryable } from '../db/database.ts'
import { recordChanges } from '../audit-log/audit-log.ts'
import { Refusal } from '../refusals.ts'
import {
  findInvitation,
  type Invitation,
  takeInvitation,
  withdrawInvitationsOf,
  withdrawResets,
} from './invitations.ts'
import { changeOf } from './invite-staff.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { hashNewPassword } from './new-password.ts'
import type { RelyingParty } from './relying-party.ts'
import { requireSecondFactor, type SecondFactorProof } from './second-factor.ts'
import { endStaffSessions } from './sessions.ts'
import { removeSecondFactors } from './sign-in-methods.ts'
import { keepsSecondFactor } from './staff-mails.ts'
import {
  findStaff,
  findStaffByEmail,
  foldEmail,
  insertStaff,
  listMemberships,
  listRoles,
  proveEmail,
  setOperator,
  setPassword,
  setRole,
  type Staff,
  type StaffSecrets,
} from './staff.ts'

type Acceptance = {
  token: string
  /** For a link that names no person. */
  email: string | undefined
  name: string | undefined
  password: string | undefined
  /** If the link alone is not enough. */
  proof: SecondFactorProof
  rp: RelyingParty | undefined
  /** The person who is signed in, if any. */
  signedInStaffId: number | undefined
  requestId: string
  now: Date
}

/**
 * Uses an invitation and returns the account that it was for. A link alone never changes an existing account: its
 * owner signs in first, and then accepts the role. Only a reset sets a new password. It comes from an operator, or
 * was sent to the account's own address and also needs the second factor.
 */
export async function acceptInvitation(db: Database, order: Acceptance): Promise<number> {
  const found = await findInvitation(db, order.token, order.now)
  if (found === undefined) throw new Refusal('invitation_invalid')
  const person = found.resetsStaffId === null ? undefined : await findStaff(db, found.resetsStaffId)
  // Before the transaction: hashing takes a while, and would hold a connection meanwhile.
  const passwordHash = await hashOf(db, found, person, order)
  // Outside the transaction, so that a failure stays counted. Otherwise a link would allow any number of guesses.
  if (person !== undefined && keepsSecondFactor(found))
    await requireSecondFactor(db, person, { ...order, isKnownBrowser: false })
  return db.transaction(async (tx) => {
    if (found.resetsStaffId === null) await withdrawOthers(tx, found, order)
    const invitation = await takeInvitation(tx, order.token, order.now)
    if (invitation === undefined) throw new Refusal('invitation_invalid')
    const staffId =
      invitation.resetsStaffId === null
        ? await accountFor(tx, invitation, { ...order, passwordHash })
        : await reset(tx, invitation, passwordHash)
    if (invitation.isMailed) await proveEmail(tx, staffId, order.now)
    await giveWhatIsPromised(tx, staffId, invitation, order.now)
    await recordAcceptance(tx, staffId, invitation, order)
    return staffId
  })
}

async function hashOf(
  db: Queryable,
  { email, merchantName, merchantSlug }: Invitation,
  person: (Staff & StaffSecrets) | undefined,
  order: Acceptance,
): Promise<string | undefined> {
  if (order.password === undefined) return undefined
  const roles = person === undefined ? [] : await listRoles(db, person)
  const merchants = [merchantName, merchantSlug, ...roles.flatMap(({ name, slug }) => [name, slug])]
  return hashNewPassword(order.password, {
    email: person?.email ?? email ?? order.email ?? '',
    name: person?.name ?? order.name ?? '',
    merchants: merchants.filter((one) => one !== null),
  })
}

/** Otherwise a second link to the same place would let the person in again after a removal. */
async function withdrawOthers(tx: Queryable, invitation: Invitation, order: Acceptance): Promise<void> {
  const email = addressOf(invitation, order)
  await withdrawInvitationsOf(tx, {
    email,
    scope: invitation,
    keptId: invitation.invitationId,
    now: order.now,
  })
}

function addressOf(invitation: Invitation, order: Acceptance): string {
  return foldEmail(invitation.email ?? order.email ?? '')
}

async function accountFor(
  tx: Queryable,
  invitation: Invitation,
  order: Acceptance & { passwordHash: string | undefined },
): Promise<number> {
  const email = addressOf(invitation, order)
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

async function reset(
  tx: Queryable,
  invitation: Invitation,
  passwordHash: string | undefined,
): Promise<number> {
  const staffId = invitation.resetsStaffId as number
  if (passwordHash === undefined)
    throw new Refusal('validation_failed', { detail: 'A reset needs a new password.' })
  await setPassword(tx, staffId, passwordHash)
  // A person who has lost the password has often lost the phone too, and anybody else who has either must lose
  // access.
  if (!keepsSecondFactor(invitation)) await removeSecondFactors(tx, staffId)
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
