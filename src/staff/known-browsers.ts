import { hashSecretText, isSecretText } from '../crypto/secret-text.ts'
import { type Queryable, statement } from '../db/database.ts'

export async function isKnownBrowser(
  db: Queryable,
  key: { staffId: number; browserToken: string | undefined },
): Promise<boolean> {
  if (key.browserToken === undefined || !isSecretText(key.browserToken)) return false
  const rows = await db.query(find, [key.staffId, hashSecretText(key.browserToken)])
  return rows.length > 0
}

export async function rememberBrowser(
  db: Queryable,
  key: { staffId: number; browserToken: string },
  now: Date,
): Promise<void> {
  await db.query(upsert, [key.staffId, hashSecretText(key.browserToken), now])
}

/** Forgets all browsers of a person, after a reset. */
export async function forgetBrowsers(db: Queryable, staffId: number): Promise<void> {
  await db.query(forget, [staffId])
}

const find = statement<{ staffId: number }>(`
select staff_id as "staffId"
from staff_browsers
where staff_id = $1
and token_sha256 = $2`)

const upsert = statement(`
insert into staff_browsers (staff_id, token_sha256, last_used_at)
values ($1, $2, $3)
on conflict (staff_id, token_sha256) do update
set last_used_at = excluded.last_used_at`)

const forget = statement(`
delete from staff_browsers
where staff_id = $1`)
