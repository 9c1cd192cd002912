import type { Queryable } from '../db/database.ts'
import { type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { changeOf } from './invite-staff.ts'
import { listMemberships, type Staff } from './staff.ts'

/** Records a change to an account in the audit log of every merchant that the person works for. */
export async function recordOnAccount(
  tx: Queryable,
  { staffId, email }: Pick<Staff, 'staffId' | 'email'>,
  { action, before, after }: Pick<Change, 'action' | 'before' | 'after'>,
  cause: Cause,
): Promise<void> {
  const memberships = await listMemberships(tx, staffId)
  const changes = memberships.map(({ merchantId }) => changeOf(merchantId, action, email, { before, after }))
  await recordChanges(tx, changes, cause)
}
