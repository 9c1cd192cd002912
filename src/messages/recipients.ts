import type { Queryable } from '../db/database.ts'
import { foldAddress, readAddress } from '../entries/address.ts'
import { addressHash } from '../entries/address-hash.ts'
import { listEntriesOf } from '../entries/list-entries.ts'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { hasSuppression, insertSuppressions } from './suppressions.ts'
import { readContact } from './contacts.ts'

type Merchant = { merchantId: number; slug: string }

/** Where a player's messages go, and in which language. */
type Recipient = { address: string; language: string | null }

/**
 * The contact that the merchant has set, or else the newest address that a code has proved. Others could be anybody's:
 * a stranger would get mail that a visitor has asked for.
 */
export async function findRecipient(
  db: Queryable,
  player: { shard: number; playerNo: number; merchantId: number },
): Promise<Recipient | undefined> {
  const contact = await readContact(db, player)
  if (contact !== undefined) return { address: contact.email, language: contact.language }
  const proved = (await listEntriesOf(db, player)).findLast(
    ({ address, verifiedAt }) => address !== null && verifiedAt !== null,
  )
  return proved && { address: proved.address as string, language: proved.language }
}

/** Whether a merchant no longer mails an address. */
export async function isSuppressed(db: Queryable, merchant: Merchant, address: string): Promise<boolean> {
  const hashes = await hashesOf(db, merchant, address)
  return hashes.length > 0 && (await hasSuppression(db, merchant.merchantId, hashes))
}

/** Stops mail of a merchant to an address. */
export async function suppress(
  tx: Queryable,
  merchant: Merchant,
  { address, reason, now }: { address: string; reason: string; now: Date },
): Promise<void> {
  const hashes = await hashesOf(tx, merchant, address)
  await insertSuppressions(tx, { merchantId: merchant.merchantId, hashes, reason, now })
}

async function hashesOf(db: Queryable, { slug }: Merchant, address: string) {
  const parts = readAddress(address)
  const fold = (parts && foldAddress(parts)) ?? address.toLowerCase()
  const keys = await readLiveKeys(db, 'addresses')
  return keys.map(({ keyId, secret }) => ({ keyId, hash: addressHash(secret, { merchant: slug, fold }) }))
}
