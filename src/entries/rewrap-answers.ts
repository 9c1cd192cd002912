import { listSigningKeysWithSecrets, readNewestKey, rotateSigningKeys } from '../crypto/signing-keys.ts'
import type { Database, Queryable } from '../db/database.ts'
import { shardValues } from '../players/shard.ts'
import { answersRewrappedAtOnce } from './entry-limits.ts'
import { rewrap } from './seal.ts'
import { answersPlace, type EntryPlace } from './entry-place.ts'
import { lockAnswersOfOtherKeys, updateWrappedKeys } from './visitor-entries.ts'

/**
 * Makes a new key of answers, and encrypts the keys of all answers with it. The answers themselves stay as they are.
 * An entry on its way may still use the key before, which stays readable; the next rotation reaches it too. So does a
 * second run after an interrupted one.
 */
export async function rotateAnswersKey(
  db: Database,
  now: Date,
): Promise<{ keyId: string; rewrapped: number }> {
  const keyId = await rotateSigningKeys(db, 'answers', now)
  return { keyId, rewrapped: await rewrapAnswers(db) }
}

/** Encrypts the keys of all answers with the newest key, and says how many had another one. */
export async function rewrapAnswers(
  db: Database,
  { atOnce } = { atOnce: answersRewrappedAtOnce },
): Promise<number> {
  let rewrapped = 0
  for (const shard of shardValues) {
    let after: Place = { playerNo: -1, campaignId: -1 }
    for (;;) {
      const rows = await db.transaction((tx) => rewrapSome(tx, { shard, after, atOnce }))
      rewrapped += rows.length
      const last = rows.at(-1)
      if (last === undefined) break
      after = last
    }
  }
  return rewrapped
}

type Place = Pick<EntryPlace, 'playerNo' | 'campaignId'>

/** The rows are locked, so that an erasure at the same time waits, and deletes them afterwards. */
async function rewrapSome(
  tx: Queryable,
  { shard, after, atOnce }: { shard: number; after: Place; atOnce: number },
): Promise<Place[]> {
  const newest = await readNewestKey(tx, 'answers')
  const keys = new Map((await listSigningKeysWithSecrets(tx, 'answers')).map((key) => [key.keyId, key]))
  const rows = await lockAnswersOfOtherKeys(tx, { shard, keyId: newest.keyId, after, limit: atOnce })
  const wrapped = rows.map((row) => {
    const from = keys.get(row.keyId)
    if (from === undefined) throw new Error(`The key ${row.keyId} of answers is missing.`)
    return { ...row, wrappedKey: rewrap(row.wrappedKey, answersPlace(row), { from, to: newest }) }
  })
  await updateWrappedKeys(tx, { shard, keyId: newest.keyId }, wrapped)
  return rows
}
