import type { Database, Queryable } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { Mistake } from '../mistake.ts'
import { withdrawInvitationsOf, withdrawUnaddressed } from './invitations.ts'
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
export async function withdrawFirstLink(db: Database, cause: Cause): Promise<boolean> {
  return db.transaction(async (tx) => {
    const withdrawn = await withdrawUnaddressed(tx, cause.now)
    await recordChanges(tx, withdrawalsOf('first start', withdrawn), cause)
    return withdrawn.length > 0
  })
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
