import { type Database, type Queryable, statement } from '../db/database.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { merchantQuotas, quotaReached } from '../merchant-quotas.ts'
import { Refusal } from '../refusals.ts'

export type CodePool = { pool: string; uploaded: number; taken: number; createdAt: Date }
export type PoolKey = { merchantId: number; pool: string }

/** All pools, or those of a page, by id. */
export async function readPools(
  db: Queryable,
  merchantId: number,
  { after, limit }: { after: string; limit: number | null } = { after: '', limit: null },
): Promise<CodePool[]> {
  return db.query(read, [merchantId, after, limit])
}

export async function findPool(db: Queryable, key: PoolKey): Promise<CodePool | undefined> {
  const [pool] = await db.query(find, [key.merchantId, key.pool])
  return pool
}

/** Adds codes to the end of a pool, which is created if it does not exist. Codes that it already has are skipped. */
export async function uploadCodes(
  db: Database,
  key: PoolKey,
  codes: readonly string[],
  now: Date,
  cause?: Cause,
): Promise<number> {
  return db.transaction(async (tx) => {
    if ((await findPool(tx, key)) === undefined) await refuseTooMany(tx, key)
    const added = await addCodes(tx, key, codes, now)
    const after = { read: codes.length, added }
    const change = { merchantId: key.merchantId, action: 'codes.upload', after }
    const subject = { kind: 'code_pool', id: key.pool }
    if (cause !== undefined) await recordChanges(tx, [{ ...change, subject }], cause)
    return added
  })
}

/** Refuses a new pool if the merchant has as many others as it can have. */
async function refuseTooMany(tx: Queryable, { merchantId, pool }: PoolKey): Promise<void> {
  await lockMerchant(tx, merchantId)
  const [others] = await tx.query(countOthers, [merchantId, pool])
  if ((others?.count ?? 0) >= merchantQuotas['code pools'])
    throw new Refusal('merchant_limit_reached', { detail: quotaReached('code pools') })
}

/** The same, as part of another change, and without the limit of pools. */
export async function addCodes(
  tx: Queryable,
  key: PoolKey,
  codes: readonly string[],
  now: Date,
): Promise<number> {
  await tx.query(insertPool, [key.merchantId, key.pool, now])
  const [pool] = await tx.query(lock, [[key.merchantId], [key.pool]])
  const known = new Set(
    (await tx.query(readKnown, [key.merchantId, key.pool, codes])).map(({ code }) => code),
  )
  const fresh = [...new Set(codes)].filter((code) => !known.has(code))
  await tx.query(insertCodes, [key.merchantId, key.pool, pool?.uploaded ?? 0, fresh])
  await tx.query(updateUploaded, [key.merchantId, key.pool, fresh.length])
  return fresh.length
}

/** Takes back a code that nobody has seen: it is the next to be given. It changes places with the last one given. */
export async function giveBackCode(tx: Queryable, key: PoolKey, code: string): Promise<void> {
  const [pool] = await lockPools(tx, [key])
  const [place] = await tx.query(findPlace, [key.merchantId, key.pool, code])
  if (pool === undefined || place === undefined) throw new Error('the code is of no pool')
  const move = (from: number, to: number) => tx.query(moveCode, [key.merchantId, key.pool, from, to])
  const free = pool.uploaded + 1
  if (place.position !== pool.taken) {
    await move(place.position, free)
    await move(pool.taken, place.position)
    await move(free, pool.taken)
  }
  await updateTaken(tx, [{ ...key, taken: pool.taken - 1 }])
}

/** Locks pools for a play, always in the same order. */
export async function lockPools(tx: Queryable, keys: readonly PoolKey[]): Promise<(PoolKey & CodePool)[]> {
  return tx.query(lock, keyColumns(keys))
}

/** Records that codes were taken from locked pools. */
export async function updateTaken(
  tx: Queryable,
  pools: readonly (PoolKey & { taken: number })[],
): Promise<void> {
  await tx.query(setTaken, [...keyColumns(pools), pools.map((pool) => pool.taken)])
}

export async function readCodes(
  tx: Queryable,
  places: readonly (PoolKey & { position: number })[],
): Promise<(PoolKey & { position: number; code: string })[]> {
  return tx.query(readAtPositions, [...keyColumns(places), places.map((place) => place.position)])
}

/** The codes of a pool after a position, for an export. */
export async function listCodes(
  db: Queryable,
  key: PoolKey,
  page: { after: number; limit: number },
): Promise<{ position: number; code: string }[]> {
  return db.query(listAfter, [key.merchantId, key.pool, page.after, page.limit])
}

function keyColumns(keys: readonly PoolKey[]): [number[], string[]] {
  return [keys.map((key) => key.merchantId), keys.map((key) => key.pool)]
}

const poolColumns = `
  code_pools.merchant_id as "merchantId",
  code_pools.pool,
  code_pools.uploaded,
  code_pools.taken,
  code_pools.created_at as "createdAt"`

const read = statement<PoolKey & CodePool>(`
select ${poolColumns}
from code_pools
where merchant_id = $1
and pool > $2
order by pool
limit $3`)

const find = statement<PoolKey & CodePool>(`
select ${poolColumns}
from code_pools
where merchant_id = $1
and pool = $2`)

const countOthers = statement<{ count: number }>(`
select count(*)::int as count
from code_pools
where merchant_id = $1
and pool <> $2`)

const insertPool = statement(`
insert into code_pools (merchant_id, pool, created_at)
values ($1, $2, $3)
on conflict do nothing`)

const lock = statement<PoolKey & CodePool>(`
select ${poolColumns}
from unnest($1::int[], $2::text[]) as wanted (merchant_id, pool)
join code_pools using (merchant_id, pool)
order by code_pools.merchant_id, code_pools.pool
for update of code_pools`)

// One index lookup for each code, whatever the planner expects of a table that was just empty. `code = any (…)` was
// planned as a scan of the whole pool with 20,000 comparisons per row: over 4 s instead of 0.1 s at 100,000 codes.
const readKnown = statement<{ code: string }>(`
select given.code
from unnest($3::text[]) as given (code)
cross join lateral (
  select
  from pool_codes
  where merchant_id = $1
  and pool = $2
  and pool_codes.code = given.code
  limit 1
) as known`)

// Numbered without gaps: a gap would be a code that is never given out.
const insertCodes = statement(`
insert into pool_codes (merchant_id, pool, position, code)
select $1, $2, $3 + place, code
from unnest($4::text[]) with ordinality as fresh (code, place)`)

// Its place before stays empty. It counts as taken, so nothing is given out from it.
const findPlace = statement<{ position: number }>(`
select position
from pool_codes
where merchant_id = $1
and pool = $2
and code = $3`)

const moveCode = statement(`
update pool_codes
set position = $4
where merchant_id = $1
and pool = $2
and position = $3`)

const updateUploaded = statement(`
update code_pools
set uploaded = uploaded + $3
where merchant_id = $1
and pool = $2`)

const setTaken = statement(`
update code_pools
set taken = new.taken
from unnest($1::int[], $2::text[], $3::int[]) as new (merchant_id, pool, taken)
where code_pools.merchant_id = new.merchant_id
and code_pools.pool = new.pool`)

const listAfter = statement<{ position: number; code: string }>(`
select position, code
from pool_codes
where merchant_id = $1
and pool = $2
and position > $3
order by position
limit $4`)

const readAtPositions = statement<PoolKey & { position: number; code: string }>(`
select merchant_id as "merchantId", pool, position, code
from unnest($1::int[], $2::text[], $3::int[]) as wanted (merchant_id, pool, position)
join pool_codes using (merchant_id, pool, position)`)
