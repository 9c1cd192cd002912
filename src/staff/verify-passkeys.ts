import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { Queryable } from '../db/database.ts'
import { passkeyChallengeSeconds } from '../limits.ts'
import { type ChallengeUse, insertChallenge, takeChallenge } from './passkey-challenges.ts'
import { findPasskey, listPasskeys, notePasskeyUse, type Passkey } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import type { Staff, StaffSecrets } from './staff.ts'

/** Loaded for the first passkey: it takes a while, and most processes never need it. */
const library = () => import('@simplewebauthn/server')
const timeout = passkeyChallengeSeconds * 1000
/** EdDSA, ES256 and RS256: every authenticator supports one of them. Others are still experimental in Node. */
const supportedAlgorithmIDs = [-8, -7, -257]

type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

/** The options that the browser needs to create a passkey for this person. */
export async function registrationOptions(
  db: Queryable,
  staff: Staff & StaffSecrets,
  { rp, now }: { rp: RelyingParty; now: Date },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Wheelhouse',
    rpID: rp.id,
    userID: handleBytes(staff),
    userName: staff.email,
    userDisplayName: staff.name,
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: (await listPasskeys(db, staff.staffId)).map(descriptor),
    // A security key without a PIN, or without storage, can still be used after the password.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const use = { purpose: 'register', staffId: staff.staffId } as const
  await insertChallenge(db, { ...use, challenge: options.challenge }, now)
  return options
}

/** Undefined if the browser's response does not match the challenge, the origin or the domain. */
export async function verifyRegistration(
  db: Queryable,
  response: RegistrationResponseJSON,
  { staffId, rp, now }: { staffId: number; rp: RelyingParty; now: Date },
): Promise<Registration | undefined> {
  const challenge = await takeSigned(db, response, { purpose: 'register', staffId }, now)
  if (challenge === undefined) return undefined
  const { verifyRegistrationResponse } = await library()
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }),
  )
  return verified?.registrationInfo
}

/** For a sign-in without a password: the browser offers the passkeys that it has for this domain. */
export async function signInOptions(
  db: Queryable,
  { rp, now }: { rp: RelyingParty; now: Date },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID: rp.id, timeout, userVerification: 'required' })
  await insertChallenge(db, { purpose: 'sign_in', staffId: null, challenge: options.challenge }, now)
  return options
}

/** For the second factor: the password is the first, so possession of the key is enough. */
export async function secondFactorOptions(
  db: Queryable,
  passkeys: readonly Passkey[],
  { staffId, rp, now }: { staffId: number; rp: RelyingParty; now: Date },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: rp.id,
    timeout,
    userVerification: 'discouraged',
    allowCredentials: passkeys.map(descriptor),
  })
  await insertChallenge(db, { purpose: 'second_factor', staffId, challenge: options.challenge }, now)
  return options
}

/** Returns the passkey that signed, and records its use. Undefined if the response is not valid. */
export async function verifyAssertion(
  db: Queryable,
  response: AuthenticationResponseJSON,
  { rp, now, ...use }: ChallengeUse & { rp: RelyingParty; now: Date },
): Promise<Passkey | undefined> {
  const challenge = await takeSigned(db, response, use, now)
  const passkey = await findPasskey(db, Buffer.from(response.id, 'base64url'))
  if (challenge === undefined || passkey === undefined) return undefined
  if (use.staffId !== null && use.staffId !== passkey.staffId) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { credentialId, publicKey, signCount } = passkey
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      // Without a password, the device must have verified its owner.
      requireUserVerification: use.purpose === 'sign_in',
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: Uint8Array.from(publicKey),
        counter: signCount,
      },
    }),
  )
  if (verified?.verified !== true) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  const noted = { passkeyId: passkey.passkeyId, signCount: newCounter, isBackedUp: credentialBackedUp, now }
  return (await notePasskeyUse(db, noted)) ? passkey : undefined
}

/** The owner id that the authenticator has stored. */
export function handleBytes({ passkeyHandle }: StaffSecrets): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(passkeyHandle.replaceAll('-', ''), 'hex'))
}

function descriptor({ credentialId, transports }: Passkey) {
  return { id: credentialId.toString('base64url'), transports }
}

/** Uses up the signed challenge before any other check. Undefined if the challenge is not ours. */
async function takeSigned(
  db: Queryable,
  { response }: { response: { clientDataJSON: string } },
  use: ChallengeUse,
  now: Date,
): Promise<string | undefined> {
  const challenge = challengeIn(response.clientDataJSON)
  if (challenge === undefined) return undefined
  return (await takeChallenge(db, { ...use, challenge }, now)) ? challenge : undefined
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge: unknown
    }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    // Not from a browser. It gets the same answer as any other invalid response.
    return undefined
  }
}

/** The library throws a plain error for everything that does not verify. Nothing in it touches the database. */
async function orUndefined<T>(verifying: Promise<T>): Promise<T | undefined> {
  try {
    return await verifying
  } catch {
    return undefined
  }
}
