import { allInOrder, type Queryable, statement } from '../db/database.ts'
import { bytesArray } from '../db/parameters.ts'
import type { SigningKey } from '../crypto/signing-key.ts'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { foldVersion } from './address.ts'
import { addressHash } from './address-hash.ts'

type Address = { merchant: { merchantId: number; slug: string }; fold: string }

/** The visitor who has an address. Null: an erased one, to whom nothing is sent any more. */
type AddressOwner = { playerId: string | null }

/**
 * Takes addresses for new visitors, under every live key, and says whose each is now, in the order given. No two of
 * them are the same. Two transactions meet at the unique key: the second waits for the first, and then reads whose the
 * address is.
 */
export async function claimAddresses(
  tx: Queryable,
  claims: readonly (Address & { playerId: string })[],
  { keys, now }: { keys: readonly SigningKey[]; now: Date },
): Promise<AddressOwner[]> {
  if (keys.length === 0) throw new Error('There is no key for addresses.')
  const rows = claims.flatMap(({ playerId, ...address }) =>
    rowsOf(keys, address).map((row) => ({ ...row, playerId })),
  )
  const players = rows.map(({ playerId }) => playerId)
  const inserted = await tx.query(insert, [...columnsOf(rows), players, foldVersion, now])
  if (inserted.length === rows.length) return claims.map(({ playerId }) => ({ playerId }))
  const taken = new Set(inserted.map(({ hash }) => hash))
  return allInOrder(
    claims.map(async (claim) => {
      const own = rows.filter(({ playerId }) => playerId === claim.playerId)
      const isNew = own.every(({ hash }) => taken.has(hash))
      return isNew ? { playerId: claim.playerId } : giveToOwner(tx, claim.playerId, { own, taken })
    }),
  )
}

/**
 * Somebody has the address under some of the keys: then it is that visitor's under all of them, also under a later one.
 */
async function giveToOwner(
  tx: Queryable,
  playerId: string,
  { own, taken }: { own: readonly AddressRow[]; taken: ReadonlySet<string> },
): Promise<AddressOwner> {
  const columns = columnsOf(own)
  const other = (await tx.query(find, columns)).find((row) => row.playerId !== playerId)
  if (other === undefined) return { playerId }
  if (own.some(({ hash }) => taken.has(hash))) await tx.query(give, [...columns, playerId, other.playerId])
  return other
}

/** Whose an address is; undefined for nobody's. Before the first form there are no keys, and no addresses. */
export async function findAddress(db: Queryable, address: Address): Promise<AddressOwner | undefined> {
  const [found] = await db.query(find, columnsOf(rowsOf(await readLiveKeys(db, 'addresses'), address)))
  return found
}

/** Keeps the hashes of an erased visitor, so that nobody is mailed again. */
export async function forgetOwner(
  tx: Queryable,
  player: { merchantId: number; playerId: string },
): Promise<void> {
  await tx.query(forget, [player.merchantId, player.playerId])
}

type AddressRow = { merchantId: number; keyId: string; hash: string }

function rowsOf(keys: readonly SigningKey[], { merchant, fold }: Address): AddressRow[] {
  const { merchantId, slug } = merchant
  return keys.map(({ keyId, secret }) => {
    const hash = addressHash(secret, { merchant: slug, fold }).toString('hex')
    return { merchantId, keyId, hash }
  })
}

function columnsOf(rows: readonly AddressRow[]): unknown[] {
  return [
    rows.map(({ merchantId }) => merchantId),
    rows.map(({ keyId }) => keyId),
    bytesArray(rows.map(({ hash }) => hash)),
  ]
}

// Sorted, so that two transactions with the same addresses wait for each other instead of deadlocking.
const insert = statement<{ hash: string }>(`
insert into address_keys (merchant_id, key_id, hash, player_id, fold_version, created_at)
select merchant_id, key_id, hash, player_id, $5::int, $6::timestamptz
from unnest($1::int[], $2::text[], $3::bytea[], $4::text[]) as given (merchant_id, key_id, hash, player_id)
order by merchant_id, key_id, hash
on conflict (merchant_id, key_id, hash) do nothing
returning encode(hash, 'hex') as hash`)

const find = statement<{ playerId: string | null }>(`
select player_id as "playerId"
from unnest($1::int[], $2::text[], $3::bytea[]) as wanted (merchant_id, key_id, hash)
join address_keys
  on address_keys.merchant_id = wanted.merchant_id
  and address_keys.key_id = wanted.key_id
  and address_keys.hash = wanted.hash
order by created_at, address_keys.key_id`)

const give = statement(`
update address_keys
set player_id = $5
from unnest($1::int[], $2::text[], $3::bytea[]) as wanted (merchant_id, key_id, hash)
where address_keys.merchant_id = wanted.merchant_id
and address_keys.key_id = wanted.key_id
and address_keys.hash = wanted.hash
and address_keys.player_id = $4`)

const forget = statement(`
update address_keys
set player_id = null
where merchant_id = $1
and player_id = $2`)
