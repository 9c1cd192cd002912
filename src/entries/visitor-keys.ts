import type { SigningKey } from '../crypto/signing-key.ts'
import { listSigningKeys, readLiveKeysOf, rotateSigningKeys } from '../crypto/signing-keys.ts'
import type { Queryable } from '../db/database.ts'

/** All live keys of addresses, newest first, and the newest key of answers. */
export type VisitorKeys = { addresses: readonly SigningKey[]; answers: SigningKey }

/** Not cached, so that an entry never misses a new key, or uses one that was revoked. */
export async function readVisitorKeys(tx: Queryable): Promise<VisitorKeys> {
  const { addresses, answers } = await readLiveKeysOf(tx, ['addresses', 'answers'])
  const [newest] = answers
  if (newest === undefined)
    throw new Error('There is no key for answers. `wheelhouse keys rotate` makes one.')
  return { addresses, answers: newest }
}

/** The first form, or contact, needs keys. Two at once may make two of each, which does no harm. */
export async function makeMissingKeys(tx: Queryable, now: Date): Promise<void> {
  const live = (await listSigningKeys(tx)).filter(({ revokedAt }) => revokedAt === null)
  for (const purpose of ['addresses', 'answers'] as const)
    if (!live.some((key) => key.purpose === purpose)) await rotateSigningKeys(tx, purpose, now)
}

/** What networks and addresses are counted by. */
export function budgetSecret({ addresses }: VisitorKeys): Buffer {
  const [newest] = addresses
  if (newest === undefined) throw new Error('There is no key for addresses.')
  return newest.secret
}
