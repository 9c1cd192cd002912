import { type Queryable, statement } from '../db/database.ts'

/** An order to send events again, with its progress. */
export type Resend = {
  resendId: string
  merchantId: number
  webhookNo: number
  onlyDead: boolean
  fromSeq: number
  toSeq: number
  since: Date | null
  /** The actual end, if the webhook's cursor had not reached `toSeq`. */
  lastSeq: number
  /** The first event that was not read yet. */
  nextSeq: number
  queued: number
  key: string | null
  createdAt: Date
  finishedAt: Date | null
}

/** Returns false, and writes nothing, if the webhook already has a resend with this key. */
export async function insertResend(tx: Queryable, resend: Resend): Promise<boolean> {
  const rows = await tx.query(insert, [
    resend.resendId,
    resend.merchantId,
    resend.webhookNo,
    resend.onlyDead,
    resend.fromSeq,
    resend.toSeq,
    resend.since,
    resend.lastSeq,
    resend.nextSeq,
    resend.key,
    resend.createdAt,
  ])
  return rows.length > 0
}

export async function findResend(
  db: Queryable,
  webhookNo: number,
  resendId: string,
): Promise<Resend | undefined> {
  const [resend] = await db.query(find, [webhookNo, resendId])
  return resend
}

export async function findResendByKey(
  db: Queryable,
  webhookNo: number,
  key: string,
): Promise<Resend | undefined> {
  const [resend] = await db.query(findByKey, [webhookNo, key])
  return resend
}

/** Newest first. */
export async function listResends(db: Queryable, webhookNo: number, limit: number): Promise<Resend[]> {
  return db.query(list, [webhookNo, limit])
}

export async function countUnfinishedResends(db: Queryable, webhookNo: number): Promise<number> {
  const [row] = await db.query(countUnfinished, [webhookNo])
  return row?.count ?? 0
}

/** Locks the unfinished resend whose last step is longest ago. Other processes skip it. */
export async function lockNextResend(tx: Queryable): Promise<Resend | undefined> {
  const [resend] = await tx.query(lockNext)
  return resend
}

export async function advanceResend(
  tx: Queryable,
  resend: Pick<Resend, 'resendId' | 'nextSeq' | 'queued' | 'finishedAt'>,
  now: Date,
): Promise<void> {
  await tx.query(advance, [resend.resendId, resend.nextSeq, resend.queued, resend.finishedAt, now])
}

/** Deletes resends of a webhook that were finished before a time. */
export async function deleteOldResends(db: Queryable, webhookNo: number, before: Date): Promise<void> {
  await db.query(removeOld, [webhookNo, before])
}

export async function deleteResendsOf(tx: Queryable, webhookNo: number): Promise<void> {
  await tx.query(removeAll, [webhookNo])
}

const columns = `
  webhook_resends.resend_id as "resendId",
  webhook_resends.merchant_id as "merchantId",
  webhook_resends.webhook_no as "webhookNo",
  webhook_resends.only_dead as "onlyDead",
  webhook_resends.from_seq as "fromSeq",
  webhook_resends.to_seq as "toSeq",
  webhook_resends.since,
  webhook_resends.last_seq as "lastSeq",
  webhook_resends.next_seq as "nextSeq",
  webhook_resends.queued,
  webhook_resends.key,
  webhook_resends.created_at as "createdAt",
  webhook_resends.finished_at as "finishedAt"`

const insert = statement<{ resendId: string }>(`
insert into webhook_resends (
  resend_id, merchant_id, webhook_no, only_dead, from_seq, to_seq, since, last_seq, next_seq, key, created_at
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (webhook_no, key) do nothing
returning resend_id as "resendId"`)

const find = statement<Resend>(`
select ${columns}
from webhook_resends
where webhook_no = $1
and resend_id = $2`)

const findByKey = statement<Resend>(`
select ${columns}
from webhook_resends
where webhook_no = $1
and key = $2`)

const list = statement<Resend>(`
select ${columns}
from webhook_resends
where webhook_no = $1
order by created_at desc, resend_id
limit $2`)

const countUnfinished = statement<{ count: number }>(`
select count(*)::int as count
from webhook_resends
where webhook_no = $1
and finished_at is null`)

const lockNext = statement<Resend>(`
select ${columns}
from webhook_resends
where finished_at is null
order by stepped_at nulls first
limit 1
for update skip locked`)

const advance = statement(`
update webhook_resends
set next_seq = $2, queued = $3, finished_at = $4, stepped_at = $5
where resend_id = $1`)

const removeOld = statement(`
delete from webhook_resends
where webhook_no = $1
and finished_at < $2`)

const removeAll = statement(`
delete from webhook_resends
where webhook_no = $1`)
