import { type Queryable, statement } from '../db/database.ts'
import type { SigningKey } from '../crypto/signing-key.ts'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { foldVersion } from './address.ts'
import { addressHash } from './address-hash.ts'

type Address = { merchant: { merchantId: number; slug: string }; fold: string }

/** The visitor who has an address. Null: an erased one, to whom nothing is sent any more. */
type AddressOwner = { playerId: string | null }

/**
 * Takes an address for a new visitor, under every live key, and says whose it is now. Two entries at once meet at the
 * unique key: the second waits for the first, and then reads whose it is.
 */
export async function claimAddress(
  tx: Queryable,
  address: Address,
  { playerId, keys, now }: { playerId: string; keys: readonly SigningKey[]; now: Date },
): Promise<AddressOwner> {
  const hashes = hashesBy(keys, address)
  if (hashes.length === 0) throw new Error('There is no key for addresses.')
  const columns = [
    address.merchant.merchantId,
    hashes.map(({ keyId }) => keyId),
    hashes.map(({ hash }) => hash),
  ]
  const inserted = await tx.query(insert, [...columns, playerId, foldVersion, now])
  if (inserted.length === hashes.length) return { playerId }
  // Somebody has it under some of the keys: then it is that visitor's under all of them, also under a later one.
  const other = (await tx.query(find, columns)).find((row) => row.playerId !== playerId)
  if (other === undefined) return { playerId }
  if (inserted.length > 0) await tx.query(give, [...columns, playerId, other.playerId])
  return other
}

/** Whose an address is; undefined for nobody's. Before the first form there are no keys, and no addresses. */
export async function findAddress(db: Queryable, address: Address): Promise<AddressOwner | undefined> {
  const hashes = await hashesOf(db, address)
  const columns = [hashes.map(({ keyId }) => keyId), hashes.map(({ hash }) => hash)]
  const [found] = await db.query(find, [address.merchant.merchantId, ...columns])
  return found
}

/** Keeps the hashes of an erased visitor, so that nobody is mailed again. */
export async function forgetOwner(
  tx: Queryable,
  player: { merchantId: number; playerId: string },
): Promise<void> {
  await tx.query(forget, [player.merchantId, player.playerId])
}

async function hashesOf(tx: Queryable, address: Address): Promise<{ keyId: string; hash: Buffer }[]> {
  return hashesBy(await readLiveKeys(tx, 'addresses'), address)
}

function hashesBy(
  keys: readonly SigningKey[],
  { merchant, fold }: Address,
): { keyId: string; hash: Buffer }[] {
  return keys
    .map(({ keyId, secret }) => ({ keyId, hash: addressHash(secret, { merchant: merchant.slug, fold }) }))
    .toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1))
}

// Sorted by key, so that two entries of one address wait for each other instead of deadlocking.
const insert = statement<{ keyId: string }>(`
insert into address_keys (merchant_id, key_id, hash, player_id, fold_version, created_at)
select $1, key_id, hash, $4, $5, $6
from unnest($2::text[], $3::bytea[]) as given (key_id, hash)
order by key_id
on conflict (merchant_id, key_id, hash) do nothing
returning key_id as "keyId"`)

const find = statement<{ playerId: string | null }>(`
select player_id as "playerId"
from unnest($2::text[], $3::bytea[]) as wanted (key_id, hash)
join address_keys
  on address_keys.merchant_id = $1
  and address_keys.key_id = wanted.key_id
  and address_keys.hash = wanted.hash
order by created_at, address_keys.key_id`)

const give = statement(`
update address_keys
set player_id = $5
from unnest($2::text[], $3::bytea[]) as wanted (key_id, hash)
where address_keys.merchant_id = $1
and address_keys.key_id = wanted.key_id
and address_keys.hash = wanted.hash
and address_keys.player_id = $4`)

const forget = statement(`
update address_keys
set player_id = null
where merchant_id = $1
and player_id = $2`)
