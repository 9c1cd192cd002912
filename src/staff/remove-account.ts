import type { Database, Queryable } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { Mistake } from '../mistake.ts'
import {
  hasUnaddressed,
  insertInvitation,
  withdrawInvitationsOf,
  withdrawUnaddressed,
} from './invitations.ts'
import { changeOf, withdrawalsOf } from './invite-staff.ts'
import { requireAnotherOperator } from './operator-right.ts'
import { deleteStaff, findStaffByEmail, listMemberships, lockOwners, type Staff } from './staff.ts'

/**
 * Deletes the account of an address, with its roles and sessions, and withdraws the open invitations of the address.
 * Unless forced, every merchant keeps an owner, and at least one operator stays.
 */
export async function removeAccount(
  db: Database,
  { email, isForced }: { email: string; isForced: boolean },
  cause: Cause,
): Promise<{ hadAccount: boolean; withdrawnCount: number }> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawInvitationsOf(tx, { email, scope: 'all', now: cause.now })
    // After the invitations are locked: one of them may just have created the account.
    const person = await findStaffByEmail(tx, email)
    if (person !== undefined && !isForced) await requireSuccessors(tx, person)
    const memberships = person === undefined ? [] : await listMemberships(tx, person.staffId)
    if (person !== undefined) await deleteStaff(tx, person.staffId)
    const removals = memberships.map(({ merchantId, role }) =>
      changeOf(merchantId, 'staff.remove', email, { before: { role } }),
    )
    await recordChanges(tx, [...removals, ...withdrawalsOf(email, withdrawn)], cause)
    return { hadAccount: person !== undefined, withdrawnCount: withdrawn.length }
  })
}

/** Withdraws the link that the first start printed, which anyone could open. Returns whether it was still open. */
export async function withdrawFirstLink(tx: Queryable, cause: Cause): Promise<boolean> {
  const withdrawn = await withdrawUnaddressed(tx, cause.now)
  await recordChanges(tx, withdrawalsOf('first start', withdrawn), cause)
  return withdrawn.length > 0
}

/**
 * Lets a first start that is still to come make no link. Its place is taken by one that has expired and is shown to
 * nobody.
 */
export async function preventFirstLink(tx: Queryable, now: Date): Promise<boolean> {
  if (await hasUnaddressed(tx)) return false
  const nobody = { email: null, merchantId: null, role: null, makesOperator: false, resetsStaffId: null }
  await insertInvitation(tx, { ...nobody, madeBy: 'withdraw-first-link', lifetimeSeconds: 0, now })
  return true
}

async function requireSuccessors(tx: Queryable, person: Staff): Promise<void> {
  await requireAnotherOperator(tx, person)
  const orphaned: string[] = []
  for (const { merchantId, slug, role } of await listMemberships(tx, person.staffId))
    if (role === 'owner' && (await lockOwners(tx, merchantId)).length === 1) orphaned.push(slug)
  if (orphaned.length > 0)
    throw new Mistake(
      `A merchant needs at least one owner, and ${person.email} is the only owner of ${orphaned.join(', ')}. ` +
        'Make another person an owner first, or use --force.',
    )
}
