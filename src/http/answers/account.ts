import { type Static, Type } from 'typebox'
import type { listPasskeys } from '../../staff/passkeys.ts'
import type { listStaffSessions } from '../../staff/sessions.ts'
import { MaybeTime, Time } from './shapes.ts'

const StaffSessionAnswer = Type.Object(
  {
    sessionId: Type.String(),
    createdAt: Time,
    lastSeenAt: Time,
    address: Type.String(),
    browser: Type.String(),
    isThisOne: Type.Boolean(),
  },
  { title: 'StaffSession' },
)
type StaffSessionAnswer = Static<typeof StaffSessionAnswer>

export const StaffSessionsAnswer = Type.Object({
  sessions: Type.Array(StaffSessionAnswer),
})
export type StaffSessionsAnswer = Static<typeof StaffSessionsAnswer>

export const PasskeyAnswer = Type.Object({
  passkeyId: Type.String(),
  name: Type.String(),
  isSynced: Type.Boolean({ description: 'Whether it may be on several devices.' }),
  isBackedUp: Type.Boolean(),
  createdAt: Time,
  lastUsedAt: MaybeTime,
})
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

export const SignInMethodsAnswer = Type.Object({
  app: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
  passkeys: Type.Array(PasskeyAnswer),
})
export type SignInMethodsAnswer = Static<typeof SignInMethodsAnswer>

export const AppProposalAnswer = Type.Object({ secret: Type.String(), address: Type.String() })
export type AppProposalAnswer = Static<typeof AppProposalAnswer>

const FreshCodes = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'Recovery codes, shown only once; null if the account already has some.',
})

export const AppConfirmedAnswer = Type.Object({ done: Type.Boolean(), recoveryCodes: FreshCodes })
export type AppConfirmedAnswer = Static<typeof AppConfirmedAnswer>

export const PasskeyAddedAnswer = Type.Object({ passkeyId: Type.String(), recoveryCodes: FreshCodes })
export type PasskeyAddedAnswer = Static<typeof PasskeyAddedAnswer>

export const RecoveryCodesAnswer = Type.Object({ recoveryCodes: Type.Array(Type.String()) })
export type RecoveryCodesAnswer = Static<typeof RecoveryCodesAnswer>

type Row<List extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]

export function shownStaffSession(
  session: Row<typeof listStaffSessions>,
  ownSessionId: string,
): StaffSessionAnswer {
  const { sessionId, createdAt, lastSeenAt, address, browser } = session
  return {
    sessionId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    address,
    browser,
    isThisOne: sessionId === ownSessionId,
  }
}

export function shownPasskey(passkey: Row<typeof listPasskeys>): PasskeyAnswer {
  const { passkeyId, name, isSynced, isBackedUp, createdAt, lastUsedAt } = passkey
  return {
    passkeyId,
    name,
    isSynced,
    isBackedUp,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
