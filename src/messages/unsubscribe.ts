import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, untilDone } from '../db/database.ts'
import { withdrawConsents } from '../entries/withdraw-consents.ts'
import { isMarketing } from '../mails/mail-kinds.ts'
import { findMail } from '../mails/mail-lists.ts'
import { type DueMail, readMail } from '../mails/mail-rows.ts'
import { type Merchant, readMerchantByNumber } from '../merchants/merchants.ts'
import { timeOfMerchant } from '../merchants/test-clocks.ts'
import { findRecipient, hashesOf, suppress } from './recipients.ts'
import { insertSuppressions } from './suppressions.ts'

/**
 * In the row of a mail with marketing: a secret that only who has got the mail knows; and once it was sent, the hashes
 * of the address, because the player can have another one when somebody unsubscribes.
 */
export type UnsubscribeData = { unsubscribe: string; sentTo?: { keyId: string; hash: string }[] }

/** What the row of a mail remembers of its address. */
export async function sentTo(
  db: Database,
  merchant: Merchant,
  address: string,
): Promise<Pick<UnsubscribeData, 'sentTo'>> {
  const hashes = await hashesOf(db, merchant, address)
  return { sentTo: hashes.map(({ keyId, hash }) => ({ keyId, hash: hash.toString('hex') })) }
}

export function newUnsubscribeData(): UnsubscribeData {
  return { unsubscribe: randomBytes(secretBytes).toString('base64url') }
}

/** Short, because a long header line is folded, which broke signatures at one relay. */
export function unsubscribeToken({ mailId, data }: Pick<DueMail, 'mailId' | 'data'>): string {
  const id = Buffer.from(mailId.replaceAll('-', ''), 'hex')
  const secret = Buffer.from((data as UnsubscribeData).unsubscribe, 'base64url')
  return Buffer.concat([id, secret]).toString('base64url')
}

const secretBytes = 9
const tokenPattern = new RegExp(`^[\\w-]{${Math.ceil(((16 + secretBytes) * 4) / 3)}}$`)

/** What the address of an unsubscription names. */
type Subscription = { mail: DueMail; merchant: Merchant; language: string | null }

/** Undefined if the token is wrong, or the mail is older than our rows. */
export async function findSubscription(db: Database, token: string): Promise<Subscription | undefined> {
  if (!tokenPattern.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const hex = bytes.subarray(0, 16).toString('hex')
  const mailId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const mail = await untilDone(() => readMail(db, mailId))
  if (mail === undefined || !isMarketing(mail.kind)) return undefined
  const secret = Buffer.from((mail.data as UnsubscribeData).unsubscribe, 'base64url')
  const given = bytes.subarray(16)
  if (given.length !== secret.length || !timingSafeEqual(given, secret)) return undefined
  const merchant = await untilDone(() => readMerchantByNumber(db, mail.merchantId))
  const recipient = await untilDone(() => findRecipient(db, mail))
  return merchant && { mail, merchant, language: recipient?.language ?? null }
}

/**
 * Ends the marketing of a merchant to the recipient of a mail: to the address, whoever it belongs to, and by
 * withdrawing the consents of the visitor. Prizes and codes are mailed as before. A consent that is given later counts.
 */
export async function unsubscribe(
  ctx: { db: Database; now: () => Date },
  { mail, merchant }: Subscription,
  requestId: string,
): Promise<void> {
  const { db } = ctx
  const now = await untilDone(() => timeOfMerchant(ctx, merchant.merchantId))
  await untilDone(async () => {
    const recipient = await findRecipient(db, mail)
    const order = { scope: 'marketing', reason: 'unsubscribed', now } as const
    if (recipient !== undefined) await suppress(db, merchant, { address: recipient.address, ...order })
    const { sentTo: stored = [] } = mail.data as UnsubscribeData
    const hashes = stored.map(({ keyId, hash }) => ({ keyId, hash: Buffer.from(hash, 'hex') }))
    await insertSuppressions(db, { merchantId: merchant.merchantId, hashes, ...order })
  })
  const found = await untilDone(() => findMail(db, mail.mailId))
  if (!found?.playerId) return
  await withdrawConsents(
    db,
    {
      merchantId: merchant.merchantId,
      playerId: found.playerId,
      campaignId: undefined,
      field: undefined,
      purpose: 'marketing',
    },
    { actor: { kind: 'worker', id: 'unsubscribe', name: null }, requestId, now },
  )
}
