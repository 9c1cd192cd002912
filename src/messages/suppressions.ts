import { type Queryable, statement } from '../db/database.ts'

type Hashes = readonly { keyId: string; hash: Buffer }[]

/** Whether a merchant no longer mails an address, which is known by its hashes. */
export async function hasSuppression(db: Queryable, merchantId: number, hashes: Hashes): Promise<boolean> {
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  return (await db.query(find, [merchantId, ...columns])).length > 0
}

export async function insertSuppressions(
  tx: Queryable,
  order: { merchantId: number; hashes: Hashes; reason: string; now: Date },
): Promise<void> {
  const { merchantId, hashes, reason, now } = order
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  await tx.query(insert, [merchantId, ...columns, reason, now])
}

const find = statement(`
select
from unnest($2::text[], $3::bytea[]) as wanted (key_id, hash)
join mail_suppressions
  on mail_suppressions.merchant_id = $1
  and mail_suppressions.key_id = wanted.key_id
  and mail_suppressions.hash = wanted.hash
  and scope = 'all'`)

const insert = statement(`
insert into mail_suppressions (merchant_id, key_id, hash, scope, reason, created_at)
select $1, key_id, hash, 'all', $4, $5
from unnest($2::text[], $3::bytea[]) as given (key_id, hash)
order by key_id
on conflict do nothing`)
