import { randomUUIDv7 } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Database, Queryable } from '../db/database.ts'
import { passkeysPerAccountMax } from '../limits.ts'
import type { Cause } from '../audit-log/audit-log.ts'
import { Refusal } from '../refusals.ts'
import { recordOnAccount } from './account-changes.ts'
import { deletePasskey, deletePasskeys, insertPasskey, listPasskeys } from './passkeys.ts'
import { countRecoveryCodes, deleteRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'
import { endStaffSessions } from './sessions.ts'
import { findStaff, lockStaff, setPassword, setTotpSecret, type Staff, useTotpStep } from './staff.ts'
import { totpStep } from './totp.ts'
import { verifyRegistration } from './verify-passkeys.ts'

/**
 * Recovery codes, shown once, that are created with the first second factor; null if the account already has some.
 */
type FreshCodes = string[] | null

type Person = Pick<Staff, 'staffId' | 'email'>

/** Ends all other sessions. */
export async function changePassword(
  db: Database,
  person: Person,
  order: { passwordHash: string; exceptSessionId: string },
  cause: Cause,
): Promise<void> {
  await db.transaction(async (tx) => {
    await setPassword(tx, person.staffId, order.passwordHash)
    await endStaffSessions(tx, person.staffId, order.exceptSessionId)
    await recordOnAccount(tx, person, { action: 'staff.password' }, cause)
  })
}

/** Enables or replaces the authenticator app. The code proves that the app has the secret. */
export async function switchAppOn(
  db: Database,
  person: Person,
  { secret, code }: { secret: string; code: string },
  cause: Cause,
): Promise<FreshCodes> {
  const step = totpStep(secret, code, cause.now)
  if (step === undefined) throw new Refusal('second_factor_wrong')
  return db.transaction(async (tx) => {
    await lockStaff(tx, person.staffId)
    await setTotpSecret(tx, person.staffId, secret)
    await useTotpStep(tx, person.staffId, step)
    await recordOnAccount(tx, person, { action: 'staff.app_on' }, cause)
    return firstRecoveryCodes(tx, person.staffId)
  })
}

export async function switchAppOff(db: Database, person: Person, cause: Cause): Promise<void> {
  await db.transaction(async (tx) => {
    await lockStaff(tx, person.staffId)
    await setTotpSecret(tx, person.staffId, null)
    await dropUselessCodes(tx, person.staffId)
    await recordOnAccount(tx, person, { action: 'staff.app_off' }, cause)
  })
}

/** Registers the passkey that the browser created from `registrationOptions`. */
export async function addPasskey(
  db: Database,
  person: Person,
  order: { name: string; response: RegistrationResponseJSON; rp: RelyingParty },
  cause: Cause,
): Promise<{ passkeyId: string; recoveryCodes: FreshCodes }> {
  const { name, response, rp } = order
  const { staffId } = person
  const { now } = cause
  const registration = await verifyRegistration(db, response, { staffId, rp, now })
  if (registration === undefined) throw new Refusal('passkey_refused')
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = registration
  return db.transaction(async (tx) => {
    await lockStaff(tx, staffId)
    if ((await listPasskeys(tx, staffId)).length >= passkeysPerAccountMax)
      throw new Refusal('passkey_limit_reached')
    const passkeyId = randomUUIDv7()
    const isNew = await insertPasskey(tx, {
      passkeyId,
      staffId,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      name,
      signCount: credential.counter,
      transports: credential.transports ?? [],
      aaguid,
      isSynced: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
      createdAt: now,
    })
    if (!isNew) throw new Refusal('passkey_refused', { detail: 'This passkey is registered already.' })
    await recordOnAccount(tx, person, { action: 'staff.passkey_add', after: { passkey: name } }, cause)
    return { passkeyId, recoveryCodes: await firstRecoveryCodes(tx, staffId) }
  })
}

/** Returns its name. */
export async function removePasskey(
  db: Database,
  person: Person,
  passkeyId: string,
  cause: Cause,
): Promise<string> {
  const { staffId } = person
  return db.transaction(async (tx) => {
    await lockStaff(tx, staffId)
    const name = await deletePasskey(tx, { staffId, passkeyId })
    if (name === undefined) throw new Refusal('passkey_not_found')
    await dropUselessCodes(tx, staffId)
    await recordOnAccount(tx, person, { action: 'staff.passkey_remove', before: { passkey: name } }, cause)
    return name
  })
}

/** Creates new recovery codes. The old ones stop working. */
export async function replaceRecoveryCodes(db: Database, person: Person, cause: Cause): Promise<string[]> {
  return db.transaction(async (tx) => {
    const staff = await lockStaff(tx, person.staffId)
    if (staff?.hasSecondFactor !== true) throw new Refusal('second_factor_off')
    await recordOnAccount(tx, person, { action: 'staff.recovery_codes' }, cause)
    return renewRecoveryCodes(tx, person.staffId)
  })
}

/** For a person who has lost all second factors: the password alone is enough again. Ends all sessions. */
export async function resetSecondFactors(db: Database, person: Person, cause: Cause): Promise<void> {
  await db.transaction(async (tx) => {
    await lockStaff(tx, person.staffId)
    await removeSecondFactors(tx, person.staffId)
    await endStaffSessions(tx, person.staffId, null)
    await recordOnAccount(tx, person, { action: 'staff.second_factor_reset' }, cause)
  })
}

export async function removeSecondFactors(tx: Queryable, staffId: number): Promise<void> {
  await setTotpSecret(tx, staffId, null)
  await deletePasskeys(tx, staffId)
  await deleteRecoveryCodes(tx, staffId)
}

async function firstRecoveryCodes(tx: Queryable, staffId: number): Promise<FreshCodes> {
  return (await countRecoveryCodes(tx, staffId)) > 0 ? null : renewRecoveryCodes(tx, staffId)
}

/** Recovery codes replace a second factor. Without one they are only a risk. */
async function dropUselessCodes(tx: Queryable, staffId: number): Promise<void> {
  const staff = await findStaff(tx, staffId)
  if (staff?.hasSecondFactor === false) await deleteRecoveryCodes(tx, staffId)
}
