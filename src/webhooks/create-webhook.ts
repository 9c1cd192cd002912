import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { lockMerchant } from '../db/merchant-lock.ts'
import { lastSeq } from '../events/event-log.ts'
import { webhookSecretReplaySeconds } from '../limits.ts'
import { actorText, type Cause } from '../audit-log/audit-log.ts'
import { otherThanBefore, Refusal } from '../refusals.ts'
import type { NetworkRules } from './network-rules.ts'
import { insertCursor } from './webhook-cursors.ts'
import {
  findWebhook,
  insertWebhook,
  recordWebhookChange,
  refuseUrl,
  settingsOf,
  type Webhook,
  type WebhookSettings,
} from './webhooks.ts'

/** `key` is the idempotency key of the request, if it has one. */
type CreateOrder = WebhookSettings & {
  merchantId: number
  rules: NetworkRules
  now: Date
  key?: string | undefined
}

/** Creates a webhook that receives the events from now on. Its secret is shown to the caller once. */
export async function createWebhook(db: Database, order: CreateOrder, cause?: Cause): Promise<Webhook> {
  return (await createWebhookOnce(db, order, cause)).webhook
}

/** `cursorSeq` is the cursor with which the webhook was created. */
type Created = { webhook: Webhook; cursorSeq: number; isReplay: boolean }

/** A repeat with the same key creates no second webhook and returns the first one, as it was created. */
export async function createWebhookOnce(db: Database, order: CreateOrder, cause?: Cause): Promise<Created> {
  refuseUrl(order.url, order.rules)
  const creation = creationOf(order, cause)
  return db.transaction(async (tx) => {
    await lockMerchant(tx, order.merchantId)
    const earlier = await findEarlier(tx, order, creation)
    if (earlier !== undefined) return { ...earlier, isReplay: true }
    const cursorSeq = await lastSeq(tx, order.merchantId)
    const created = creation === undefined ? undefined : { ...creation, seq: cursorSeq }
    const webhook = await insertWebhook(tx, { ...order, creation: created })
    if (webhook === undefined) throw new Refusal('webhook_limit_reached')
    const { webhookNo, merchantId } = webhook
    await insertCursor(tx, { webhookNo, merchantId, cursorSeq })
    await recordWebhookChange(tx, webhook, { action: 'webhook.add', after: settingsOf(webhook) }, cause)
    return { webhook, cursorSeq, isReplay: false }
  })
}

type Creation = NonNullable<ReturnType<typeof creationOf>>

function creationOf({ key, url, description, types }: CreateOrder, cause: Cause | undefined) {
  if (key === undefined) return undefined
  assert(cause !== undefined, 'a request with a key has a caller')
  const sha256 = createHash('sha256')
    .update(JSON.stringify([url, description, types]))
    .digest()
  return { key, sha256, actor: actorText(cause.actor) }
}

/**
 * The webhook of an earlier request with the same key. The caller may have lost the answer, so it gets the secret
 * again, but only the same caller, for a day, and before any rotation. Otherwise the key would reveal the secret for
 * ever, without the trace that a rotation leaves.
 */
async function findEarlier(
  tx: Queryable,
  { merchantId, now, url, description, types }: CreateOrder,
  creation: Creation | undefined,
): Promise<Omit<Created, 'isReplay'> | undefined> {
  const earlier = creation === undefined ? undefined : await findCreation(tx, merchantId, creation.key)
  if (creation === undefined || earlier === undefined) return undefined
  if (!earlier.sha256.equals(creation.sha256))
    throw new Refusal('idempotency_key_reused', {
      detail: otherThanBefore('another `url`, `description` or `types`'),
    })
  const webhook = await findWebhook(tx, merchantId, earlier.webhookId)
  const ageSeconds = (now.getTime() - webhook.createdAt.getTime()) / 1000
  const isShown =
    earlier.actor === creation.actor &&
    webhook.previousSecret === null &&
    ageSeconds < webhookSecretReplaySeconds
  if (!isShown) {
    const detail = `The webhook ${webhook.webhookId} was created with this key.`
    throw new Refusal('webhook_secret_withheld', { detail })
  }
  // What was changed since the creation is not part of its answer.
  const asCreated = { url, description, types, pausedAt: null, disabledAt: null, disabledReason: null }
  return { webhook: { ...webhook, ...asCreated }, cursorSeq: earlier.seq }
}

type EarlierCreation = { webhookId: string; sha256: Buffer; actor: string; seq: number }

/** The webhook that was created with a key, and what is known of that request. */
async function findCreation(
  db: Queryable,
  merchantId: number,
  key: string,
): Promise<EarlierCreation | undefined> {
  const [creation] = await db.query(findByKey, [merchantId, key])
  return creation
}

// A webhook that is older than the column `creation_seq` answers with its current cursor.
const findByKey = statement<EarlierCreation>(`
select
  webhook_id as "webhookId",
  creation_sha256 as sha256,
  creation_actor as actor,
  coalesce(creation_seq, cursor_seq) as seq
from webhooks
join webhook_cursors using (webhook_no, merchant_id)
where merchant_id = $1
and creation_key = $2
and deleted_at is null`)
