import { statement } from '../../db/database.ts'
import { maskedUrl } from '../../webhooks/endpoint-url.ts'
import type { FindFindings } from '../finding.ts'

/** Webhooks that have failed for an hour, or are disabled. Their health is by the real time, also at test merchants. */
export const findFailingWebhooks: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(failing, [merchantIds, now])
  return found.map(({ merchantId, webhookId, url, isDisabled }) => ({
    merchantId,
    campaigns: [],
    subject: webhookId,
    name: maskedUrl(url),
    value: isDisabled ? 'disabled: it gets no events until it is resumed' : 'failing for more than an hour',
    path: '/developers?tab=webhooks',
  }))
}

const failing = statement<{ merchantId: number; webhookId: string; url: string; isDisabled: boolean }>(`
select
  webhooks.merchant_id as "merchantId",
  webhook_id as "webhookId",
  url,
  disabled_at is not null as "isDisabled"
from unnest($1::int[]) as watched (merchant_id)
join webhooks using (merchant_id)
join webhook_cursors using (webhook_no)
where deleted_at is null
and paused_at is null
and (disabled_at is not null or failing_since <= $2::timestamptz - interval '1 hour')`)
