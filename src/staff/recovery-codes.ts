import { randomBytes } from 'node:crypto'
import { hashSecretText } from '../crypto/secret-text.ts'
import { type Queryable, statement } from '../db/database.ts'
import { recoveryCodesPerAccount } from '../limits.ts'

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Replaces all codes of a person and returns the new ones. They are not stored, and can't be shown again. */
export async function renewRecoveryCodes(tx: Queryable, staffId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesPerAccount }, makeRecoveryCode)
  await tx.query(removeAll, [staffId])
  await tx.query(insert, [staffId, codes.map(hashRecoveryCode)])
  return codes
}

/** Uses up a code. False if it is wrong or was used. Of two concurrent requests with one code, one succeeds. */
export async function useRecoveryCode(
  tx: Queryable,
  { staffId, code, now }: { staffId: number; code: string; now: Date },
): Promise<boolean> {
  return (await tx.query(use, [staffId, hashRecoveryCode(code), now])).length > 0
}

export async function countRecoveryCodes(db: Queryable, staffId: number): Promise<number> {
  const [row] = await db.query(count, [staffId])
  return row?.count ?? 0
}

export async function deleteRecoveryCodes(tx: Queryable, staffId: number): Promise<void> {
  await tx.query(removeAll, [staffId])
}

/** 80 random bits, in groups that can be read aloud. They can't be guessed, so the hash need not be slow. */
function makeRecoveryCode(): string {
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte % alphabet.length]).join('')
  return (letters.match(/.{4}/g) as string[]).join('-')
}

/** Accepts any case and spacing. */
function hashRecoveryCode(code: string): Buffer {
  return hashSecretText(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

const insert = statement(`
insert into staff_recovery_codes (staff_id, code_sha256)
select $1, unnest($2::bytea[])`)

const use = statement<{ staffId: number }>(`
update staff_recovery_codes
set used_at = $3
where staff_id = $1
and code_sha256 = $2
and used_at is null
returning staff_id as "staffId"`)

const count = statement<{ count: number }>(`
select count(*)::int as count
from staff_recovery_codes
where staff_id = $1
and used_at is null`)

const removeAll = statement(`
delete from staff_recovery_codes
where staff_id = $1`)
