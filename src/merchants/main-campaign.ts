import { type Queryable, statement } from '../db/database.ts'

type NewMerchant = { merchantId: number; createdAt: Date }

/** Gives a merchant its campaign `main`, in the transaction that creates the merchant. */
export async function insertMain(tx: Queryable, { merchantId, createdAt }: NewMerchant): Promise<void> {
  await tx.query(insert, [merchantId, createdAt])
}

/** The same for merchants that a server of the version before has created during an upgrade, without `main`. */
export async function insertMissingMains(db: Queryable): Promise<void> {
  for (const merchant of await db.query(listWithout)) await insertMain(db, merchant)
}

// Its first change makes revision 1.
const insert = statement(`
insert into campaigns (merchant_id, slug, name, purse_id, revision, created_at)
values ($1, 'main', 'Main', 0, 0, $2)
on conflict (merchant_id, slug) do nothing`)

// Only the newest merchants, because every server asks this every second.
const listWithout = statement<NewMerchant>(`
select merchant_id as "merchantId", created_at as "createdAt"
from (
  select merchant_id, created_at
  from merchants
  order by merchant_id desc
  limit 20
) as newest
where not exists (
  select
  from campaigns
  where campaigns.merchant_id = newest.merchant_id
  and slug = 'main'
)`)
