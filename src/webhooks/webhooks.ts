import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type Database, type Queryable, statement } from '../db/database.ts'
import type { EventType } from '../events/event-types.ts'
import { type Cause, recordChanges } from '../audit-log/audit-log.ts'
import { webhookOldSecretSeconds, webhooksPerMerchantMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { endpointUrlFault, maskedUrl } from './endpoint-url.ts'
import type { NetworkRules } from './network-rules.ts'
import { makeWebhookSecret, type Secrets } from './sending/signature.ts'
import { resetHealth } from './webhook-cursors.ts'

/** An endpoint to which a merchant's events are sent. */
export type Webhook = Secrets & {
  webhookNo: number
  webhookId: string
  merchantId: number
  /** The merchant's slug, which is part of every event. */
  merchant: string
  /** Whether that is a test merchant. */
  isTest: boolean
  url: string
  description: string
  /** Null for all types. */
  types: EventType[] | null
  pausedAt: Date | null
  disabledAt: Date | null
  disabledReason: DisabledReason | null
  /** The time when its merchant was suspended. */
  suspendedAt: Date | null
  createdAt: Date
}

export type DisabledReason = 'gone' | 'failing'

/** Whether events may be sent to it now. */
export function isActive({ pausedAt, disabledAt, suspendedAt }: Webhook): boolean {
  return pausedAt === null && disabledAt === null && suspendedAt === null
}

/** The settings that a merchant chooses. */
export type WebhookSettings = Pick<Webhook, 'url' | 'description' | 'types'>

/** Records a change in the audit log, if it has an author. Secrets are left out. */
export async function recordWebhookChange(
  tx: Queryable,
  { merchantId, webhookId }: Webhook,
  change: { action: string; before?: object; after?: object },
  cause: Cause | undefined,
): Promise<void> {
  const subject = { kind: 'webhook', id: webhookId }
  if (cause !== undefined) await recordChanges(tx, [{ merchantId, subject, ...change }], cause)
}

/** As the audit log shows them: without the parts of the URL that may be a key. */
export function settingsOf({ url, description, types }: Webhook): WebhookSettings {
  return { url: maskedUrl(url), description, types }
}

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
type Creation = { key: string | null; sha256: Buffer | null; actor: string | null; seq: number | null }

function makeWebhookId(): string {
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
    order.creation?.seq ?? null,
  ])
  return row === undefined ? undefined : findWebhook(tx, order.merchantId, row.webhookId)
}

/** Gives a webhook another id, so that a copy can have the old one. Returns how it was created. */
export async function renameWebhook(tx: Queryable, { webhookNo }: Webhook): Promise<Creation | undefined> {
  const [creation] = await tx.query(rename, [webhookNo, makeWebhookId()])
  return creation
}

export async function listWebhooks(db: Queryable, merchantId: number): Promise<Webhook[]> {
  return db.query(list, [merchantId])
}

export async function findWebhook(db: Queryable, merchantId: number, webhookId: string): Promise<Webhook> {
  const [webhook] = await db.query(find, [merchantId, webhookId])
  if (webhook === undefined) throw new Refusal('webhook_not_found')
  return webhook
}

/** For senders. Undefined once it is deleted. */
export async function readWebhook(db: Queryable, webhookNo: number): Promise<Webhook | undefined> {
  const [webhook] = await db.query(read, [webhookNo])
  return webhook
}

export async function changeWebhook(
  db: Database,
  webhook: Webhook,
  change: Partial<WebhookSettings> & { rules: NetworkRules },
  cause?: Cause,
): Promise<Webhook> {
  const url = change.url ?? webhook.url
  if (url !== webhook.url) refuseUrl(url, change.rules)
  const types = change.types === undefined ? webhook.types : change.types
  return db.transaction(async (tx) => {
    await tx.query(update, [webhook.webhookNo, url, change.description ?? webhook.description, types])
    const changed = await findWebhook(tx, webhook.merchantId, webhook.webhookId)
    const difference = { before: settingsOf(webhook), after: settingsOf(changed) }
    await recordWebhookChange(tx, webhook, { action: 'webhook.change', ...difference }, cause)
    return changed
  })
}

export function refuseUrl(url: string, rules: NetworkRules): void {
  const detail = endpointUrlFault(url, rules)
  if (detail === undefined) return
  throw new Refusal('validation_failed', { detail: `/url ${detail}`, errors: [{ pointer: '/url', detail }] })
}

/** Pauses a webhook. Nothing is sent until it is resumed; events wait in the log. */
export async function pauseWebhook(
  db: Database,
  webhook: Webhook,
  now: Date,
  cause?: Cause,
): Promise<Webhook> {
  return db.transaction(async (tx) => {
    const isNew = await markPaused(tx, webhook, now)
    if (isNew) await recordWebhookChange(tx, webhook, { action: 'webhook.pause' }, cause)
    return findWebhook(tx, webhook.merchantId, webhook.webhookId)
  })
}

/** Returns whether it was not paused before. */
export async function markPaused(tx: Queryable, { webhookNo }: Webhook, now: Date): Promise<boolean> {
  return (await tx.query(updatePause, [webhookNo, now])).length > 0
}

/** Ends a pause or a disabling. Sending continues at the cursor, with the failure count at zero. */
export async function resumeWebhook(db: Database, webhook: Webhook, cause?: Cause): Promise<Webhook> {
  return db.transaction(async (tx) => {
    const resumed = await tx.query(clearStops, [webhook.webhookNo])
    const { pausedAt, disabledAt, disabledReason } = webhook
    const before = { pausedAt, disabledAt, disabledReason }
    if (resumed.length > 0)
      await recordWebhookChange(tx, webhook, { action: 'webhook.resume', before }, cause)
    await resetHealth(tx, webhook.webhookNo)
    return findWebhook(tx, webhook.merchantId, webhook.webhookId)
  })
}

/** Returns whether it was enabled before. */
export async function disableWebhook(
  tx: Queryable,
  order: { webhookNo: number; reason: DisabledReason; now: Date },
): Promise<boolean> {
  const rows = await tx.query(disable, [order.webhookNo, order.now, order.reason])
  return rows.length > 0
}

/** Creates a new secret. For a day the old one signs too, so that the receiver can switch without losing events. */
export async function rotateSecret(
  db: Database,
  webhook: Webhook,
  now: Date,
  cause?: Cause,
): Promise<Webhook> {
  const oldSecretUntil = new Date(now.getTime() + webhookOldSecretSeconds * 1000)
  return db.transaction(async (tx) => {
    await tx.query(updateSecret, [webhook.webhookNo, makeWebhookSecret(), oldSecretUntil])
    await recordWebhookChange(
      tx,
      webhook,
      { action: 'webhook.rotate_secret', after: { oldSecretUntil } },
      cause,
    )
    return findWebhook(tx, webhook.merchantId, webhook.webhookId)
  })
}

export async function deleteWebhook(db: Database, webhook: Webhook, now: Date, cause?: Cause): Promise<void> {
  await db.transaction(async (tx) => {
    const deleted = await tx.query(markDeleted, [webhook.webhookNo, now])
    const change = { action: 'webhook.delete', before: settingsOf(webhook) }
    if (deleted.length > 0) await recordWebhookChange(tx, webhook, change, cause)
  })
}

/** Deleted webhooks that still have rows in other tables. */
export async function listDeletedWebhooks(db: Queryable): Promise<number[]> {
  return (await db.query(listDeleted)).map((row) => row.webhookNo)
}

export async function listWebhookNos(db: Queryable): Promise<number[]> {
  return (await db.query(listNos)).map((row) => row.webhookNo)
}

/** The last step of a deletion, after all rows that refer to it. */
export async function forgetWebhook(tx: Queryable, webhookNo: number): Promise<void> {
  assert((await tx.query(remove, [webhookNo])).length <= 1)
}

/** Merchants that have webhooks to serve. */
export async function listMerchantsWithWebhooks(db: Queryable): Promise<number[]> {
  return (await db.query(merchantsWithWebhooks)).map((row) => row.merchantId)
}

const columns = `
  webhooks.webhook_no as "webhookNo",
  webhooks.webhook_id as "webhookId",
  webhooks.merchant_id as "merchantId",
  merchants.slug as merchant,
  merchants.test_of is not null as "isTest",
  webhooks.url,
  webhooks.description,
  webhooks.types,
  webhooks.secret,
  webhooks.previous_secret as "previousSecret",
  webhooks.previous_secret_until as "previousSecretUntil",
  webhooks.paused_at as "pausedAt",
  webhooks.disabled_at as "disabledAt",
  webhooks.disabled_reason as "disabledReason",
  merchants.suspended_at as "suspendedAt",
  webhooks.created_at as "createdAt"`

const insert = statement<{ webhookNo: number; webhookId: string }>(`
insert into webhooks (
  webhook_id, merchant_id, url, description, types, secret, created_at, creation_key, creation_sha256, creation_actor,
  creation_seq
)
select $1, $2, $3, $4, $5, $6, $7, $9, $10, $11, $12
where (
  select count(*)
  from webhooks
  where merchant_id = $2
  and deleted_at is null
) < $8
on conflict (merchant_id, creation_key) where deleted_at is null do nothing
returning webhook_no as "webhookNo", webhook_id as "webhookId"`)

const rename = statement<Creation>(`
update webhooks
set webhook_id = $2
where webhook_no = $1
returning creation_key as key, creation_sha256 as sha256, creation_actor as actor, creation_seq as seq`)

const list = statement<Webhook>(`
select ${columns}
from webhooks
join merchants using (merchant_id)
where webhooks.merchant_id = $1
and webhooks.deleted_at is null
order by webhooks.webhook_no`)

const find = statement<Webhook>(`
select ${columns}
from webhooks
join merchants using (merchant_id)
where webhooks.merchant_id = $1
and webhooks.webhook_id = $2
and webhooks.deleted_at is null`)

const read = statement<Webhook>(`
select ${columns}
from webhooks
join merchants using (merchant_id)
where webhooks.webhook_no = $1
and webhooks.deleted_at is null`)

const update = statement(`
update webhooks
set url = $2, description = $3, types = $4
where webhook_no = $1`)

const updatePause = statement<{ webhookNo: number }>(`
update webhooks
set paused_at = $2
where webhook_no = $1
and paused_at is null
returning webhook_no as "webhookNo"`)

const clearStops = statement<{ webhookNo: number }>(`
update webhooks
set paused_at = null, disabled_at = null, disabled_reason = null
where webhook_no = $1
and (paused_at is not null or disabled_at is not null)
returning webhook_no as "webhookNo"`)

const disable = statement<{ webhookNo: number }>(`
update webhooks
set disabled_at = $2, disabled_reason = $3
where webhook_no = $1
and disabled_at is null
returning webhook_no as "webhookNo"`)

const updateSecret = statement(`
update webhooks
set previous_secret = secret, previous_secret_until = $3, secret = $2
where webhook_no = $1`)

const markDeleted = statement<{ webhookNo: number }>(`
update webhooks
set deleted_at = $2
where webhook_no = $1
and deleted_at is null
returning webhook_no as "webhookNo"`)

const listDeleted = statement<{ webhookNo: number }>(`
select webhook_no as "webhookNo"
from webhooks
where deleted_at is not null`)

const listNos = statement<{ webhookNo: number }>(`
select webhook_no as "webhookNo"
from webhooks
where deleted_at is null`)

const remove = statement<{ webhookNo: number }>(`
delete from webhooks
where webhook_no = $1
returning webhook_no as "webhookNo"`)

const merchantsWithWebhooks = statement<{ merchantId: number }>(`
select distinct merchant_id as "merchantId"
from webhooks
where paused_at is null
and disabled_at is null
and deleted_at is null`)
