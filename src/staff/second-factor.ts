import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { Database } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { recordOnAccount } from './account-changes.ts'
import { listPasskeys } from './passkeys.ts'
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'
import { countAttempt, forgetFailures } from './sign-in-failures.ts'
import { type Staff, type StaffSecrets, useTotpStep } from './staff.ts'
import { totpStep } from './totp.ts'
import { secondFactorOptions, verifyAssertion } from './verify-passkeys.ts'

/** The second factor of a request: one of these. */
export type SecondFactorProof = {
  /** From the authenticator app. */
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: AuthenticationResponseJSON | undefined
}

/** The second factors that an account accepts. */
type SecondFactorOffer = {
  app: boolean
  recoveryCode: boolean
  /** Options for the browser, with a challenge that works once. */
  passkey: PublicKeyCredentialRequestOptionsJSON | null
}

type SecondFactorOrder = {
  proof: SecondFactorProof
  rp: RelyingParty | undefined
  /** Whether the person has signed in with this browser before. */
  isKnownBrowser: boolean
  requestId: string
  now: Date
}

type Person = Staff & StaffSecrets

/**
 * Requires the second factor of an account that has one. This comes after the password, because the options reveal
 * something about the account. Guesses are counted by account, from anywhere, because the guesser already knows the
 * password.
 */
export async function requireSecondFactor(
  db: Database,
  staff: Person,
  order: SecondFactorOrder,
): Promise<void> {
  if (!staff.hasSecondFactor) return
  const { code, recoveryCode, passkey } = order.proof
  if (code === undefined && recoveryCode === undefined && passkey === undefined)
    throw new Refusal('second_factor_needed', { secondFactor: await offerOf(db, staff, order) })
  const attempt = { account: staff.email, source: 'second factor' }
  // A known browser has its own count, which includes the password.
  const wait = order.isKnownBrowser ? 0 : await countAttempt(db, attempt, order.now)
  if (wait > 0) throw new Refusal('sign_in_delayed', { headers: { 'Retry-After': String(wait) } })
  if (!(await isProven(db, staff, order))) throw new Refusal('second_factor_wrong')
  await forgetFailures(db, attempt)
}

async function offerOf(
  db: Database,
  { staffId, totpSecret }: Person,
  { rp, now }: SecondFactorOrder,
): Promise<SecondFactorOffer> {
  const passkeys = await listPasskeys(db, staffId)
  const isOffered = rp !== undefined && passkeys.length > 0
  return {
    app: totpSecret !== null,
    recoveryCode: (await countRecoveryCodes(db, staffId)) > 0,
    passkey: isOffered ? await secondFactorOptions(db, passkeys, { staffId, rp, now }) : null,
  }
}

async function isProven(db: Database, staff: Person, order: SecondFactorOrder): Promise<boolean> {
  const { code, recoveryCode, passkey } = order.proof
  if (passkey !== undefined) return hasPasskey(db, staff, passkey, order)
  if (recoveryCode !== undefined) return hasRecoveryCode(db, staff, recoveryCode, order)
  const step =
    code === undefined || staff.totpSecret === null ? undefined : totpStep(staff.totpSecret, code, order.now)
  return step !== undefined && useTotpStep(db, staff.staffId, step)
}

async function hasPasskey(
  db: Database,
  { staffId }: Person,
  response: AuthenticationResponseJSON,
  { rp, now }: SecondFactorOrder,
): Promise<boolean> {
  if (rp === undefined) return false
  const use = { purpose: 'second_factor', staffId, rp, now } as const
  return (await verifyAssertion(db, response, use)) !== undefined
}

async function hasRecoveryCode(
  db: Database,
  staff: Person,
  code: string,
  { requestId, now }: SecondFactorOrder,
): Promise<boolean> {
  const { staffId, email, name } = staff
  const actor = { kind: 'staff', id: email, name } as const
  return db.transaction(async (tx) => {
    if (!(await useRecoveryCode(tx, { staffId, code, now }))) return false
    const after = { recoveryCodesLeft: await countRecoveryCodes(tx, staffId) }
    await recordOnAccount(tx, staff, { action: 'staff.recovery_code_use', after }, { actor, requestId, now })
    return true
  })
}
