import { Type } from 'typebox'
import { passwordLengthMax } from '../../limits.ts'
import type { RefusalCode } from '../../refusals.ts'
import { roles } from '../../staff/roles.ts'

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
const RecoveryCode = Type.String({
  minLength: 16,
  maxLength: 40,
  description: 'A recovery code, with or without its dashes.',
  examples: ['abcd-efgh-2345-6789'],
})
export const RoleName = Type.Enum([...roles], { title: 'Role' })
export const Done = Type.Object({ done: Type.Boolean() }, { title: 'Done' })
export const Time = Type.String({ format: 'date-time' })
export const MaybeTime = Type.Union([Time, Type.Null()])

const Base64Url = Type.String({ maxLength: 8_192, pattern: '^[A-Za-z0-9_-]+$' })
const credential = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 50 })),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
}

/** What `navigator.credentials.get()` answers, as JSON (WebAuthn level 3). */
export const PasskeyAssertion = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Type.Optional(Base64Url),
    }),
  },
  { title: 'PasskeyAssertion' },
)

/** What `navigator.credentials.create()` answers, as JSON. */
export const PasskeyRegistration = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      authenticatorData: Type.Optional(Base64Url),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
      publicKey: Type.Optional(Base64Url),
      publicKeyAlgorithm: Type.Optional(Type.Integer()),
    }),
  },
  { title: 'PasskeyRegistration' },
)

/** For the browser's own functions, which know best what stands in it. */
export const PasskeyOptions = Type.Object(
  { options: Type.Object({}, { additionalProperties: true }) },
  { title: 'PasskeyOptions' },
)

/** One of these goes with the password, where the account has a second factor. */
export const secondFactorFields = {
  code: Type.Optional(Code),
  recoveryCode: Type.Optional(RecoveryCode),
  passkey: Type.Optional(PasskeyAssertion),
}

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
