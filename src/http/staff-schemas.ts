import { Type } from 'typebox'
import { passwordLengthMax } from '../limits.ts'
import type { RefusalCode } from '../refusals.ts'
import { roles } from '../staff/roles.ts'

/** The shapes that the console's own routes share. */

export const Email = Type.String({
  // As long as an actor in the audit log may be.
  maxLength: 200,
  pattern: '^[^\\s@\\p{Cc}\\p{Cs}]+@[^\\s@\\p{Cc}\\p{Cs}]+$',
  examples: ['anna@example.com'],
})
export const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{Cc}\\p{Cs}]+$' })
export const Password = Type.String({ minLength: 1, maxLength: passwordLengthMax })
export const Code = Type.String({ pattern: '^[0-9]{6}$', description: "The authenticator app's six digits." })
export const RoleName = Type.Enum([...roles], { title: 'Role' })
export const Done = Type.Object({ done: Type.Boolean() }, { title: 'Done' })
export const Time = Type.String({ format: 'date-time' })

/** What any request of the console may be refused with. */
export const staffRefusals: RefusalCode[] = [
  'body_malformed',
  'validation_failed',
  'session_missing',
  'origin_refused',
  'request_timeout',
  'body_too_large',
  'content_type_unsupported',
  'internal_error',
  'overloaded',
  'database_unavailable',
]
