import { type Static, Type } from 'typebox'
import { passwordLengthMax } from '../../limits.ts'
import type { RefusalCode } from '../../refusals.ts'
import type { listInvitations } from '../../staff/invitations.ts'
import { roles } from '../../staff/roles.ts'
import type { listStaffOfMerchant } from '../../staff/staff.ts'
import { MaybeTime } from './shapes.ts'
import { textPattern } from './patterns.ts'

/** The shapes that the console's own routes share. */

export const Email = Type.String({
  // As long as an actor in the audit log may be.
  maxLength: 200,
  pattern: '^[^\\s@\\p{Cc}\\p{Cs}]+@[^\\s@\\p{Cc}\\p{Cs}]+$',
  examples: ['anna@example.com'],
})
export const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: textPattern })
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

/** For functions of the browser, which define its contents. */
export const PasskeyOptions = Type.Object(
  { options: Type.Object({}, { additionalProperties: true }) },
  { title: 'PasskeyOptions' },
)
export type PasskeyOptions = Static<typeof PasskeyOptions>

/** One of these goes with the password, if the account uses two-factor authentication. */
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

export const StaffMember = Type.Object(
  {
    staffId: Type.Integer(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    hasSecondFactor: Type.Boolean(),
    isEmailProven: Type.Boolean({
      description: 'Whether the person has used a link that was sent to the address by mail.',
    }),
    lastSeenAt: MaybeTime,
    isYou: Type.Boolean(),
  },
  { title: 'StaffMember' },
)
export type StaffMember = Static<typeof StaffMember>

export const StaffInvitation = Type.Object(
  {
    invitationId: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    role: Type.Union([RoleName, Type.Null()]),
    madeBy: Type.String(),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'StaffInvitation' },
)
export type StaffInvitation = Static<typeof StaffInvitation>

export const StaffAnswer = Type.Object({
  staff: Type.Array(StaffMember),
  invitations: Type.Array(StaffInvitation),
})
export type StaffAnswer = Static<typeof StaffAnswer>

export const LinkAnswer = Type.Object(
  {
    link: Type.Union([Type.String(), Type.Null()], {
      description: 'Null for an invitation that was sent by mail: only the invited person gets its link.',
    }),
    mailed: Type.Boolean({ description: 'Whether the SMTP server accepted a mail with the link.' }),
  },
  { title: 'InvitationLink' },
)
export type LinkAnswer = Static<typeof LinkAnswer>

type Row<List extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]

export function shownStaffMember(one: Row<typeof listStaffOfMerchant>, callerStaffId: number): StaffMember {
  return {
    staffId: one.staffId,
    email: one.email,
    name: one.name,
    role: one.role,
    hasSecondFactor: one.hasSecondFactor,
    isEmailProven: one.emailProvenAt !== null,
    lastSeenAt: one.lastSeenAt?.toISOString() ?? null,
    isYou: one.staffId === callerStaffId,
  }
}

export function shownInvitation(invitation: Row<typeof listInvitations>): StaffInvitation {
  const { invitationId, email, role, madeBy, expiresAt } = invitation
  return { invitationId, email, role, madeBy, expiresAt: expiresAt.toISOString() }
}
