import type { Database } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import type { Role } from './roles.ts'
import { listStaffOfMerchant, lockOwners, removeRole, setRole } from './staff.ts'

type Order = { staffId: number; merchantId: number; now: Date }

/** Gives somebody who works for the merchant another role. A merchant always keeps an owner. */
export async function changeRole(db: Database, order: Order & { role: Role }): Promise<void> {
  await db.transaction(async (tx) => {
    await requireMember(tx, order)
    if (order.role !== 'owner') await requireAnotherOwner(tx, order)
    await setRole(tx, order)
  })
}

/** Ends somebody's work for the merchant. The account stays: it may work for others. */
export async function removeFromMerchant(db: Database, order: Order): Promise<void> {
  await db.transaction(async (tx) => {
    await requireMember(tx, order)
    await requireAnotherOwner(tx, order)
    await removeRole(tx, order)
  })
}

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

async function requireMember(tx: Transaction, { staffId, merchantId }: Order): Promise<void> {
  const members = await listStaffOfMerchant(tx, merchantId)
  if (!members.some((member) => member.staffId === staffId)) throw new Refusal('staff_not_found')
}

async function requireAnotherOwner(tx: Transaction, { staffId, merchantId }: Order): Promise<void> {
  const owners = await lockOwners(tx, merchantId)
  if (owners.length === 1 && owners[0] === staffId) throw new Refusal('last_owner')
}
