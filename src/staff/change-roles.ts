import type { Database, Queryable } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { Refusal } from '../refusals.ts'
import { withdrawInvitationsOf } from './invitations.ts'
import { changeOf, withdrawalsOf } from './invite-staff.ts'
import type { Role } from './roles.ts'
import {
  findStaff,
  listStaffOfMerchant,
  lockOwners,
  removeRole,
  setRole,
  type StaffOfMerchant,
} from './staff.ts'

type Order = { staffId: number; merchantId: number }

/** Changes the role of a person who works for the merchant. A merchant always keeps an owner. */
export async function changeRole(db: Database, order: Order & { role: Role }, cause: Cause): Promise<void> {
  const { merchantId, role } = order
  await db.transaction(async (tx) => {
    const owners = await lockOwners(tx, merchantId)
    const member = await requireMember(tx, order)
    if (member.role === role) return
    if (role !== 'owner') requireAnotherOwner(owners, order)
    await setRole(tx, { ...order, now: cause.now })
    const difference = { before: { role: member.role }, after: { role } }
    await recordChanges(tx, [changeOf(merchantId, 'staff.role', member.email, difference)], cause)
  })
}

/**
 * Removes a person from the merchant, and withdraws the merchant's open invitations to them. The account stays, because
 * it may work for others.
 */
export async function removeFromMerchant(db: Database, order: Order, cause: Cause): Promise<void> {
  const { merchantId } = order
  await db.transaction(async (tx) => {
    const person = await findStaff(tx, order.staffId)
    if (person === undefined) throw new Refusal('staff_not_found')
    const { email } = person
    const scope = { merchantId, makesOperator: false }
    const withdrawn = await withdrawInvitationsOf(tx, { email, scope, now: cause.now })
    const owners = await lockOwners(tx, merchantId)
    const { role } = await requireMember(tx, order)
    requireAnotherOwner(owners, order)
    await removeRole(tx, order)
    const removal = changeOf(merchantId, 'staff.remove', email, { before: { role } })
    await recordChanges(tx, [removal, ...withdrawalsOf(email, withdrawn)], cause)
  })
}

async function requireMember(tx: Queryable, { staffId, merchantId }: Order): Promise<StaffOfMerchant> {
  const members = await listStaffOfMerchant(tx, merchantId)
  const member = members.find((one) => one.staffId === staffId)
  if (member === undefined) throw new Refusal('staff_not_found')
  return member
}

function requireAnotherOwner(owners: readonly number[], { staffId }: Order): void {
  if (owners.length === 1 && owners[0] === staffId) throw new Refusal('last_owner')
}
