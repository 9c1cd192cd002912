import { hashSecretText } from '../crypto/secret-text.ts'
import { type Queryable, statement } from '../db/database.ts'
import { passkeyChallengeSeconds } from '../limits.ts'

/** `staffId` is null for a sign-in without a password: the passkey itself identifies the owner. */
export type ChallengeUse =
  | { purpose: 'sign_in'; staffId: null }
  | { purpose: 'register' | 'second_factor'; staffId: number }

/** Stores a challenge until it is used, and deletes expired ones. */
export async function insertChallenge(
  db: Queryable,
  { challenge, purpose, staffId }: ChallengeUse & { challenge: string },
  now: Date,
): Promise<void> {
  await db.query(deleteOver, [now])
  const expiresAt = new Date(now.getTime() + passkeyChallengeSeconds * 1000)
  await db.query(insert, [hashSecretText(challenge), purpose, staffId, expiresAt])
}

/**
 * Uses up a challenge. False if it was not made for this purpose, has expired, or was used. Of two concurrent
 * requests, one gets it.
 */
export async function takeChallenge(
  db: Queryable,
  { challenge, purpose, staffId }: ChallengeUse & { challenge: string },
  now: Date,
): Promise<boolean> {
  const taken = await db.query(take, [hashSecretText(challenge), purpose, staffId, now])
  return taken.length > 0
}

const insert = statement(`
insert into staff_challenges (challenge_sha256, purpose, staff_id, expires_at)
values ($1, $2, $3, $4)`)

const take = statement<{ purpose: string }>(`
delete from staff_challenges
where challenge_sha256 = $1
and purpose = $2
and staff_id is not distinct from $3
and expires_at > $4
returning purpose`)

const deleteOver = statement(`
delete from staff_challenges
where expires_at <= $1`)
