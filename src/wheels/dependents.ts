import type { Cause } from '../audit-log/audit-log.ts'
import type { Transaction } from '../db/database.ts'
import type { FieldError } from '../refusals.ts'
import type { Wheel } from '../wheel-document/wheel-types.ts'

export type CheckedWheel = Pick<Wheel, 'wheelId' | 'merchantId' | 'draft' | 'publishedVersion'>

/** What depends on published wheels elsewhere. */
export type Dependents = {
  /** Why a draft can't be published. */
  check: (tx: Transaction, wheel: CheckedWheel, now: Date) => Promise<FieldError[]>
  /** What follows once it is. */
  follow: (tx: Transaction, wheel: CheckedWheel, cause: Cause) => Promise<void>
}
