import { DatabaseFailure, permissionDenied } from '../db/database-fault.ts'
import { explainFileError } from '../file-errors.ts'
import { Mistake } from '../mistake.ts'
import { Refusal } from '../refusals.ts'

/** What an error means to a user who can fix it; undefined for a bug of ours. */
export function explainError(error: unknown, adviceOnDatabase: string): string | undefined {
  if (error instanceof Mistake) return error.message
  if (error instanceof Refusal && error.code !== 'database_unavailable') return error.message
  if (error instanceof Refusal || (error instanceof DatabaseFailure && error.isPassing))
    return `The database does not answer: ${error.message}. ${adviceOnDatabase}`
  const denied = permissionDenied(error)
  if (denied !== undefined)
    return (
      `PostgreSQL does not allow this to Wheelhouse's role: ${denied}. Make the role the owner of the database ` +
      '(alter database … owner to …), or grant it the privilege.'
    )
  const explained = explainFileError(error)
  return explained instanceof Mistake ? explained.message : undefined
}
