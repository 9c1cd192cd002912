import { type Queryable, statement } from '../db/database.ts'

type Hashes = readonly { keyId: string; hash: Buffer }[]
/** `all`: the address is dead. `marketing`: somebody has unsubscribed. */
export type SuppressionScope = 'all' | 'marketing'

/** Since when a merchant no longer mails an address, which is known by its hashes; undefined if it does. */
export async function readSuppressedAt(
  db: Queryable,
  merchantId: number,
  hashes: Hashes,
  scope: SuppressionScope,
): Promise<Date | undefined> {
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  const [found] = await db.query(find, [merchantId, ...columns, scope])
  return found?.createdAt
}

/** A later one replaces an earlier one. */
export async function insertSuppressions(
  tx: Queryable,
  order: { merchantId: number; hashes: Hashes; scope: SuppressionScope; reason: string; now: Date },
): Promise<void> {
  const { merchantId, hashes, scope, reason, now } = order
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  await tx.query(insert, [merchantId, ...columns, scope, reason, now])
}

const find = statement<{ createdAt: Date }>(`
select created_at as "createdAt"
from unnest($2::text[], $3::bytea[]) as wanted (key_id, hash)
join mail_suppressions
  on mail_suppressions.merchant_id = $1
  and mail_suppressions.key_id = wanted.key_id
  and mail_suppressions.hash = wanted.hash
  and scope = $4
order by created_at desc
limit 1`)

const insert = statement(`
insert into mail_suppressions (merchant_id, key_id, hash, scope, reason, created_at)
select $1, key_id, hash, $4, $5, $6
from unnest($2::text[], $3::bytea[]) as given (key_id, hash)
order by key_id
on conflict (merchant_id, key_id, hash, scope) do update
set created_at = excluded.created_at, reason = excluded.reason`)
