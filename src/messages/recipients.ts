import type { Queryable } from '../db/database.ts'
import { foldAddress, readAddress } from '../entries/address.ts'
import { addressHash } from '../entries/address-hash.ts'
import { listEntriesOf } from '../entries/list-entries.ts'
import { readLiveKeys } from '../crypto/signing-keys.ts'
import { insertSuppressions, readSuppressedAt, type SuppressionScope } from './suppressions.ts'
import { type Contact, readContact } from './contacts.ts'

type Merchant = { merchantId: number; slug: string }

/**
 * Where a player's messages go, and in which language. `agreedAt`: to marketing; null for never. `provedAt`: when a
 * code arrived there.
 */
export type Recipient = {
  address: string
  language: string | null
  agreedAt: Date | null
  provedAt: Date | null
}

/**
 * The contact that the merchant has set, or else the newest address that a code has proved. Others could be anybody's:
 * a stranger would get mail that a visitor has asked for.
 */
export async function findRecipient(
  db: Queryable,
  player: { shard: number; playerNo: number; merchantId: number },
): Promise<Recipient | undefined> {
  const contact = await readContact(db, player)
  if (contact !== undefined) {
    const { email: address, language } = contact
    return { address, language, agreedAt: await agreedByContact(db, player, contact), provedAt: null }
  }
  const entries = await listEntriesOf(db, player)
  const proved = entries.findLast(({ address, verifiedAt }) => address !== null && verifiedAt !== null)
  if (proved === undefined) return undefined
  const agreed = entries
    .flatMap(({ consents }) => consents)
    .filter((one) => one.purpose === 'marketing' && one.confirmedAt !== null && one.withdrawnAt === null)
    .map(({ givenAt }) => Date.parse(givenAt))
  const agreedAt = agreed.length === 0 ? null : new Date(Math.max(...agreed))
  const { address, language, verifiedAt } = proved
  return { address: address as string, language, agreedAt, provedAt: verifiedAt }
}

/** A visitor who has withdrawn a consent since has not agreed. */
async function agreedByContact(
  db: Queryable,
  player: { shard: number; playerNo: number; merchantId: number },
  { agreedToMarketingAt, setAt }: Contact,
): Promise<Date | null> {
  if (!agreedToMarketingAt) return null
  const agreedAt = Math.min(Date.parse(agreedToMarketingAt), Date.parse(setAt))
  const consents = (await listEntriesOf(db, player)).flatMap((entry) => entry.consents)
  const isWithdrawn = consents.some(
    ({ purpose, withdrawnAt }) => purpose === 'marketing' && Date.parse(withdrawnAt ?? '') >= agreedAt,
  )
  return isWithdrawn ? null : new Date(agreedAt)
}

/** Whether somebody has agreed to marketing, and not unsubscribed since. */
export async function agrees(
  db: Queryable,
  merchant: Merchant,
  { address, agreedAt }: Recipient,
): Promise<boolean> {
  if (agreedAt === null) return false
  const unsubscribedAt = await readSuppressedAt(
    db,
    merchant.merchantId,
    await hashesOf(db, merchant, address),
    'marketing',
  )
  return unsubscribedAt === undefined || unsubscribedAt < agreedAt
}

/** Whether a merchant no longer mails an address: it was dead, and no code has arrived there since. */
export async function isSuppressed(
  db: Queryable,
  merchant: Merchant,
  { address, provedAt }: Recipient,
): Promise<boolean> {
  const hashes = await hashesOf(db, merchant, address)
  const deadAt = await readSuppressedAt(db, merchant.merchantId, hashes, 'all')
  return deadAt !== undefined && (provedAt === null || provedAt < deadAt)
}

/** Stops mail of a merchant to an address: all of it, or marketing. */
export async function suppress(
  tx: Queryable,
  merchant: Merchant,
  {
    address,
    ...rest
  }: {
    address: string
    scope: SuppressionScope
    reason: string
    now: Date
    player?: { shard: number; playerNo: number }
  },
): Promise<void> {
  const hashes = await hashesOf(tx, merchant, address)
  await insertSuppressions(tx, { merchantId: merchant.merchantId, hashes, ...rest })
}

/** By every key that is in use. */
export async function hashesOf(db: Queryable, { slug }: Merchant, address: string) {
  const fold = foldedAddress(address)
  const keys = await readLiveKeys(db, 'addresses')
  return keys.map(({ keyId, secret }) => ({ keyId, hash: addressHash(secret, { merchant: slug, fold }) }))
}

/** The same for all spellings of an address. */
export function foldedAddress(address: string): string {
  const parts = readAddress(address)
  return (parts && foldAddress(parts)) ?? address.toLowerCase()
}
