import type { Database, Queryable } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { Mistake } from '../mistake.ts'
import { recordOnAccount } from './account-changes.ts'
import { withdrawInvitationsOf } from './invitations.ts'
import { withdrawalsOf } from './invite-staff.ts'
import { lockOperators, setOperator, type Staff } from './staff.ts'

/**
 * Makes a person an operator, or ends that. The roles at merchants stay. Open invitations that make the person an
 * operator are withdrawn, so that none gives the right back. Unless forced, at least one operator stays.
 */
export async function changeOperatorRight(
  db: Database,
  person: Staff,
  { isOperator, isForced }: { isOperator: boolean; isForced: boolean },
  cause: Cause,
): Promise<void> {
  const { staffId, email } = person
  await db.transaction(async (tx) => {
    const scope = { merchantId: null, makesOperator: true }
    const withdrawn = await withdrawInvitationsOf(tx, { email, scope, now: cause.now })
    if (!isOperator && !isForced) await requireAnotherOperator(tx, person)
    await setOperator(tx, staffId, isOperator)
    await recordChanges(tx, withdrawalsOf(email, withdrawn), cause)
    if (person.isOperator === isOperator) return
    await recordOnAccount(tx, person, { action: 'staff.operator', after: { operator: isOperator } }, cause)
  })
}

export async function requireAnotherOperator(tx: Queryable, { staffId, email }: Staff): Promise<void> {
  const operators = await lockOperators(tx)
  if (operators.length === 1 && operators[0] === staffId)
    throw new Mistake(
      `There must be at least one operator, and ${email} is the only one. Invite another operator first, or use --force.`,
    )
}
