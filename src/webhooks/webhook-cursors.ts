import { localStatement, type Queryable, statement } from '../db/database.ts'
import { isFree, releaseOwn, renewOwn } from '../leases/lease-statements.ts'
import type { Lease } from '../leases/leased-work.ts'
import { webhookFailuresMax } from '../limits.ts'
import { type Health, healthy } from './sending/health.ts'

/** The position of a webhook in the log. */
export type Cursor = Health & {
  webhookNo: number
  merchantId: number
  cursorSeq: number
  /** The oldest event that is still in the log. */
  firstKeptSeq: number
}

export async function insertCursor(
  tx: Queryable,
  cursor: { webhookNo: number; merchantId: number; cursorSeq: number },
): Promise<void> {
  await tx.query(insert, [cursor.webhookNo, cursor.merchantId, cursor.cursorSeq])
}

/** The free slots: for webhooks of quick receivers, of slow ones, and for one merchant in each of these. */
export type FreeSlots = { quick: number; slow: number; perMerchant: number }

/**
 * Claims webhooks that no process serves and that have something to send now: events after the cursor, or deliveries
 * that are due. Merchants get slots in turn; the more a merchant has already, the later it gets another. Other
 * processes skip locked rows, so each gets different webhooks.
 */
export async function claimCursors(
  db: Queryable,
  claim: Lease & FreeSlots & { now: Date; latestAt: Date },
): Promise<Cursor[]> {
  const { owner, now, latestAt, milliseconds, quick, slow, perMerchant } = claim
  return db.query(claimNext, [owner, now, latestAt, milliseconds, quick, slow, perMerchant])
}

/** The number of a merchant's webhooks that wait for a slot. */
export type WaitingWebhooks = { merchantId: number; isSlow: boolean; count: number }

export async function countWaitingWebhooks(
  db: Queryable,
  { owner, now, latestAt }: { owner: string; now: Date; latestAt: Date },
): Promise<WaitingWebhooks[]> {
  return db.query(countWaiting, [owner, now, latestAt])
}

/** Returns the webhooks that still belong to the owner. */
export async function renewLeases(
  db: Queryable,
  webhookNos: readonly number[],
  lease: Lease,
): Promise<number[]> {
  return (await db.query(renew, [lease.owner, webhookNos, lease.milliseconds])).map(({ key }) => key)
}

export async function releaseCursors(
  db: Queryable,
  webhookNos: readonly number[],
  owner: string,
): Promise<void> {
  await db.query(release, [owner, webhookNos])
}

/** Records the position. Returns false, and changes nothing, if another process serves the webhook now. */
export async function advanceCursor(
  tx: Queryable,
  cursor: Health & { webhookNo: number; cursorSeq: number },
  owner: string,
): Promise<boolean> {
  const rows = await tx.query(advance, [
    owner,
    cursor.webhookNo,
    cursor.cursorSeq,
    cursor.failureCount,
    cursor.failingSince,
    cursor.heldUntil,
    cursor.probeCount,
    cursor.slowUntil,
  ])
  return rows.length > 0
}

/**
 * Ends a hold after many failures. A sender that is at work may hold it once more; the next probe then ends it. A
 * receiver with few failures that asked for a pause gets it.
 */
export async function endHold(db: Queryable, webhookNo: number): Promise<void> {
  await db.query(unhold, [webhookNo, webhookFailuresMax])
}

export async function resetHealth(tx: Queryable, webhookNo: number): Promise<void> {
  await tx.query(reset, [webhookNo])
}

export async function deleteCursor(tx: Queryable, webhookNo: number): Promise<void> {
  await tx.query(remove, [webhookNo])
}

export type WebhookProgress = Health & { webhookNo: number; cursorSeq: number; lag: number }

/** The progress of a webhook that was created with this cursor, at that moment. */
export function progressAtCreation({ webhookNo }: { webhookNo: number }, cursorSeq: number): WebhookProgress {
  return { webhookNo, cursorSeq, lag: 0, ...healthy }
}

/** For display. `lag` is the number of events in the log, of all types, that were not read yet. */
export async function readProgress(
  db: Queryable,
  webhookNos: readonly number[],
): Promise<Map<number, WebhookProgress>> {
  const rows = await db.query(progress, [webhookNos])
  return new Map(rows.map((row) => [row.webhookNo, row]))
}

/** The first event that a webhook of the merchant still has to send. The log keeps it and all later ones. */
export async function firstUnsentSeq(db: Queryable, merchantId: number): Promise<number | undefined> {
  const [row] = await db.query(unsent, [merchantId])
  return row === undefined || row.cursorSeq === null ? undefined : row.cursorSeq + 1
}

const healthColumns = `
  webhook_cursors.failure_count as "failureCount",
  webhook_cursors.failing_since as "failingSince",
  webhook_cursors.held_until as "heldUntil",
  webhook_cursors.probe_count as "probeCount",
  webhook_cursors.slow_until as "slowUntil"`

const insert = statement(`
insert into webhook_cursors (webhook_no, merchant_id, cursor_seq)
values ($1, $2, $3)`)

/**
 * Webhooks that could be served now. $1 is the owner, $2 the time, $3 the latest time to which a retry can be
 * postponed.
 */
const waiting = `
  select
    webhook_cursors.webhook_no,
    webhook_cursors.merchant_id,
    webhook_cursors.lease_until,
    coalesce(webhook_cursors.slow_until > $2, false) as is_slow,
    coalesce(event_streams.first_kept_seq, 1) as first_kept_seq
  from webhook_cursors
  join webhooks using (webhook_no)
  join merchants on merchants.merchant_id = webhooks.merchant_id
  left join event_streams on event_streams.merchant_id = webhook_cursors.merchant_id
  where webhooks.paused_at is null
  and webhooks.disabled_at is null
  and webhooks.deleted_at is null
  and merchants.suspended_at is null
  and ${isFree('webhook_cursors')}
  and (webhook_cursors.held_until is null or webhook_cursors.held_until <= $2)
  and (
    webhook_cursors.cursor_seq < event_streams.next_seq - 1
    or exists (
      select
      from webhook_deliveries
      where webhook_deliveries.webhook_no = webhook_cursors.webhook_no
      and webhook_deliveries.next_try_at <= $2
    )
    or exists (
      select
      from webhook_deliveries
      where webhook_deliveries.webhook_no = webhook_cursors.webhook_no
      and webhook_deliveries.next_try_at > $3
    )
  )`

// Within a merchant, ordered by lease_until: the webhook that was served longest ago comes first. `turn` counts the
// merchant's current slots, so merchants with the fewest come first. The free webhooks are checked again when they
// are locked, because another process may have claimed them meanwhile.
const claimNext = localStatement<Cursor>(`
with waiting as (${waiting}
),
served as (
  select merchant_id, coalesce(slow_until > $2, false) as is_slow, count(*) as slots
  from webhook_cursors
  where lease_owner = $1
  group by 1, 2
),
turns as (
  select
    waiting.*,
    coalesce(served.slots, 0) + row_number() over (
      partition by waiting.merchant_id, waiting.is_slow
      order by waiting.lease_until nulls first, waiting.webhook_no
    ) as turn
  from waiting
  left join served using (merchant_id, is_slow)
),
ranked as (
  select
    turns.*,
    row_number() over (
      partition by is_slow
      order by turn, lease_until nulls first, webhook_no
    ) as rank
  from turns
  where turn <= $7
),
free as (
  select webhook_cursors.webhook_no, ranked.first_kept_seq
  from ranked
  join webhook_cursors using (webhook_no)
  where ranked.rank <= case when ranked.is_slow then $6::int else $5::int end
  and (webhook_cursors.lease_owner is null or webhook_cursors.lease_until <= now())
  for update of webhook_cursors skip locked
)
update webhook_cursors
set lease_owner = $1, lease_until = now() + $4 * interval '1 millisecond'
from free
where webhook_cursors.webhook_no = free.webhook_no
returning
  webhook_cursors.webhook_no as "webhookNo",
  webhook_cursors.merchant_id as "merchantId",
  webhook_cursors.cursor_seq as "cursorSeq",
  free.first_kept_seq as "firstKeptSeq",
  ${healthColumns}`)

const countWaiting = statement<WaitingWebhooks>(`
select merchant_id as "merchantId", is_slow as "isSlow", count(*)::int as count
from (${waiting}
) as waiting
group by 1, 2`)

const renew = statement<{ key: number }>(`
update webhook_cursors
${renewOwn('webhook_no')}`)

const release = statement(`
update webhook_cursors
${releaseOwn('webhook_no')}`)

const advance = statement<{ webhookNo: number }>(`
update webhook_cursors
set cursor_seq = $3, failure_count = $4, failing_since = $5, held_until = $6, probe_count = $7, slow_until = $8
where webhook_no = $2
and lease_owner = $1
returning webhook_no as "webhookNo"`)

const reset = statement(`
update webhook_cursors
set failure_count = 0, failing_since = null, held_until = null, probe_count = 0, slow_until = null
where webhook_no = $1`)

const unhold = statement(`
${reset.text}
and failure_count >= $2`)

const remove = statement(`
delete from webhook_cursors
where webhook_no = $1`)

const progress = statement<WebhookProgress>(`
select
  webhook_cursors.webhook_no as "webhookNo",
  webhook_cursors.cursor_seq as "cursorSeq",
  greatest(coalesce(event_streams.next_seq, 1) - 1 - webhook_cursors.cursor_seq, 0) as lag,
  ${healthColumns}
from webhook_cursors
left join event_streams using (merchant_id)
where webhook_cursors.webhook_no = any($1::int[])`)

const unsent = statement<{ cursorSeq: number | null }>(`
select min(webhook_cursors.cursor_seq) as "cursorSeq"
from webhook_cursors
join webhooks using (webhook_no)
where webhooks.merchant_id = $1
and webhooks.deleted_at is null`)
