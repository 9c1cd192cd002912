import type { Database } from '../db/database.ts'
import { type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { ownResetLifetimeSeconds } from '../limits.ts'
import { insertInvitation, type Invitation, withdrawInvitation } from './invitations.ts'
import type { Role } from './roles.ts'
import { madeBySelf } from './staff-mails.ts'
import { findStaffByEmail, listMemberships, type Staff } from './staff.ts'

/** The merchant and role of an invitation. An operator need not work for a merchant. */
type Post = { merchantId: number | null; role: Role | null; makesOperator: boolean }

/** Returns the secret of a link that makes a person a member of staff, once. */
export async function inviteStaff(
  db: Database,
  order: Post & { email: string; isMailed?: boolean },
  cause: Cause,
): Promise<string> {
  const { email, merchantId, role, makesOperator, isMailed = false } = order
  return db.transaction(async (tx) => {
    const link = { email, merchantId, role, makesOperator, resetsStaffId: null, isMailed }
    const token = await insertInvitation(tx, { ...link, madeBy: madeBy(cause), now: cause.now })
    if (merchantId !== null)
      await recordChanges(tx, [changeOf(merchantId, 'staff.invite', email, { after: { role } })], cause)
    return token
  })
}

/** Returns whether there was such an invitation. */
export async function withdrawFromStaff(
  db: Database,
  key: { merchantId: number; invitationId: string },
  cause: Cause,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawInvitation(tx, key)
    if (withdrawn === undefined) return false
    const { email, role } = withdrawn
    const change = changeOf(key.merchantId, 'staff.withdraw', email ?? key.invitationId, { before: { role } })
    await recordChanges(tx, [change], cause)
    return true
  })
}

/**
 * Returns the secret of a link to choose a new password. Every merchant that the person works for can see this in its
 * audit log.
 */
export async function resetStaff(db: Database, person: Staff, cause: Cause): Promise<string> {
  const { staffId, email } = person
  return db.transaction(async (tx) => {
    const link = { email: null, merchantId: null, role: null, makesOperator: false, resetsStaffId: staffId }
    const token = await insertInvitation(tx, { ...link, madeBy: madeBy(cause), now: cause.now })
    const memberships = await listMemberships(tx, staffId)
    await recordChanges(
      tx,
      memberships.map(({ merchantId }) => changeOf(merchantId, 'staff.reset', email)),
      cause,
    )
    return token
  })
}

/**
 * The same for a person who requested it and gets it by email. Undefined if there is no account with this address.
 */
export async function resetOwnPassword(db: Database, email: string, now: Date): Promise<string | undefined> {
  const person = await findStaffByEmail(db, email)
  if (person === undefined) return undefined
  const link = { email: null, merchantId: null, role: null, makesOperator: false }
  const lifetimeSeconds = ownResetLifetimeSeconds
  return insertInvitation(db, {
    ...link,
    resetsStaffId: person.staffId,
    madeBy: madeBySelf,
    isMailed: true,
    lifetimeSeconds,
    now,
  })
}

export function changeOf(
  merchantId: number,
  action: string,
  email: string,
  difference: Pick<Change, 'before' | 'after'> = {},
): Change {
  return { merchantId, action, subject: { kind: 'staff', id: email }, ...difference }
}

/** For the audit logs of the merchants that the invitations were for. */
export function withdrawalsOf(
  email: string,
  invitations: readonly Pick<Invitation, 'merchantId' | 'role'>[],
): Change[] {
  return invitations.flatMap(({ merchantId, role }) =>
    merchantId === null ? [] : [changeOf(merchantId, 'staff.withdraw', email, { before: { role } })],
  )
}

/** As shown in the list of invitations. */
function madeBy({ actor }: Cause): string {
  return actor.kind === 'staff' ? actor.id : 'command line'
}
