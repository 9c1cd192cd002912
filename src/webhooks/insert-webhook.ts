import { randomBytes } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'
import { webhooksPerMerchantMax } from '../limits.ts'
import { makeWebhookSecret } from './sending/signature.ts'
import { findWebhook, type Webhook, type WebhookSettings } from './webhooks.ts'

/** A webhook to insert, with the idempotency key of the request, if it has one. */
type NewWebhook = WebhookSettings & {
  merchantId: number
  creation: Creation | undefined
  /** A new one, if undefined, as is the secret. */
  webhookId?: string
  secret?: string
  now: Date
}

/** Identifies a repeat of the request that created a webhook. All null if the request had no key. */
export type Creation = { key: string | null; sha256: Buffer | null; actor: string | null }

export function makeWebhookId(): string {
  return `wh_${randomBytes(8).toString('hex')}`
}

/** Undefined if the merchant has reached its limit, or has a webhook that was created with the same key. */
export async function insertWebhook(tx: Queryable, order: NewWebhook): Promise<Webhook | undefined> {
  const [row] = await tx.query(insert, [
    order.webhookId ?? makeWebhookId(),
    order.merchantId,
    order.url,
    order.description,
    order.types,
    order.secret ?? makeWebhookSecret(),
    order.now,
    webhooksPerMerchantMax,
    order.creation?.key ?? null,
    order.creation?.sha256 ?? null,
    order.creation?.actor ?? null,
  ])
  return row === undefined ? undefined : findWebhook(tx, order.merchantId, row.webhookId)
}

/** The webhook that was created with a key, and what is known of that request. */
export async function findCreation(
  db: Queryable,
  merchantId: number,
  key: string,
): Promise<{ webhookId: string; sha256: Buffer; actor: string } | undefined> {
  const [creation] = await db.query(findByKey, [merchantId, key])
  return creation
}

const insert = statement<{ webhookNo: number; webhookId: string }>(`
insert into webhooks (
  webhook_id, merchant_id, url, description, types, secret, created_at, creation_key, creation_sha256, creation_actor
)
select $1, $2, $3, $4, $5, $6, $7, $9, $10, $11
where (
  select count(*)
  from webhooks
  where merchant_id = $2
  and deleted_at is null
) < $8
on conflict (merchant_id, creation_key) where deleted_at is null do nothing
returning webhook_no as "webhookNo", webhook_id as "webhookId"`)

const findByKey = statement<{ webhookId: string; sha256: Buffer; actor: string }>(`
select webhook_id as "webhookId", creation_sha256 as sha256, creation_actor as actor
from webhooks
where merchant_id = $1
and creation_key = $2
and deleted_at is null`)
