import { type Queryable, statement } from '../db/database.ts'
import { webhookRowsTidiedMax } from '../limits.ts'

/** An event that waits for a retry, or was given up. */
export type Delivery = {
  webhookNo: number
  seq: number
  eventId: string
  eventType: string
  body: string
  tries: number
  createdAt: Date
  /** Null if it was given up. */
  nextTryAt: Date | null
  deadAt: Date | null
}

/** Inserts deliveries, or updates those that exist. */
export async function upsertDeliveries(tx: Queryable, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const sorted = deliveries.toSorted((a, b) => a.webhookNo - b.webhookNo || a.seq - b.seq)
  await tx.query(upsert, [
    sorted.map((one) => one.webhookNo),
    sorted.map((one) => one.seq),
    sorted.map((one) => one.eventId),
    sorted.map((one) => one.eventType),
    sorted.map((one) => one.body),
    sorted.map((one) => one.tries),
    sorted.map((one) => one.createdAt),
    sorted.map((one) => one.nextTryAt),
    sorted.map((one) => one.deadAt),
  ])
}

/** For deliveries that the receiver has accepted. */
export async function deleteDeliveries(
  tx: Queryable,
  webhookNo: number,
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length > 0) await tx.query(remove, [webhookNo, seqs])
}

/** Deliveries that are due, and those that were postponed for longer than is possible. */
export async function readDueDeliveries(
  db: Queryable,
  query: { webhookNo: number; now: Date; latestAt: Date; limit: number },
): Promise<Delivery[]> {
  return db.query(readDue, [query.webhookNo, query.now, query.limit, query.latestAt])
}

export async function listDeliveries(
  db: Queryable,
  query: { webhookNo: number; state: 'waiting' | 'dead'; after: number; limit: number },
): Promise<Delivery[]> {
  const sql = query.state === 'dead' ? listDead : listWaiting
  return db.query(sql, [query.webhookNo, query.after, query.limit])
}

/** The numbers of waiting deliveries and of those given up, counted up to a limit. */
export async function countDeliveries(
  db: Queryable,
  webhookNo: number,
  countMax: number,
): Promise<{ waiting: number; dead: number }> {
  const [counts] = await db.query(count, [webhookNo, countMax])
  return counts ?? { waiting: 0, dead: 0 }
}

/** The number of dead letters that a resend would queue, counted up to a limit. */
export async function countDead(
  db: Queryable,
  range: { webhookNo: number; fromSeq: number; toSeq: number; deadSince: Date | null; countMax: number },
): Promise<number> {
  const { webhookNo, fromSeq, toSeq, deadSince, countMax } = range
  const [row] = await db.query(countDeadInRange, [webhookNo, fromSeq, toSeq, deadSince, countMax])
  return row?.count ?? 0
}

/** Queues dead letters again, with all their attempts. Returns how many. */
export async function reviveDeliveries(
  db: Queryable,
  range: {
    webhookNo: number
    fromSeq: number
    toSeq: number
    deadSince: Date | null
    now: Date
    limit: number
  },
): Promise<{ seq: number }[]> {
  return db.query(revive, [
    range.webhookNo,
    range.fromSeq,
    range.toSeq,
    range.deadSince,
    range.now,
    range.limit,
  ])
}

/** Deletes a limited number of dead letters from before a time. */
export async function deleteOldDeliveries(db: Queryable, webhookNo: number, before: Date): Promise<number> {
  return (await db.query(removeOld, [webhookNo, before, webhookRowsTidiedMax])).length
}

/** Deletes a limited number of deliveries in any state. */
export async function deleteDeliveriesOf(db: Queryable, webhookNo: number): Promise<number> {
  return (await db.query(removeAny, [webhookNo, webhookRowsTidiedMax])).length
}

/**
 * Replaces a text in the next events that wait or were given up, and returns the position to continue from. An
 * attempt in flight sends the text that it read before.
 */
export async function replaceInDeliveries(
  db: Queryable,
  order: { webhookNo: number; afterSeq: number; lastSeq: number; from: string; to: string },
): Promise<number | undefined> {
  const { webhookNo, afterSeq, lastSeq, from, to } = order
  const [step] = await db.query(replaceText, [webhookNo, afterSeq, lastSeq, from, to, webhookRowsTidiedMax])
  return step?.next ?? undefined
}

const columns = `
  webhook_no as "webhookNo",
  seq,
  event_id as "eventId",
  event_type as "eventType",
  body,
  tries,
  created_at as "createdAt",
  next_try_at as "nextTryAt",
  dead_at as "deadAt"`

const upsert = statement(`
insert into webhook_deliveries (webhook_no, seq, event_id, event_type, body, tries, created_at, next_try_at, dead_at)
select *
from unnest(
  $1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::int[], $7::timestamptz[], $8::timestamptz[],
  $9::timestamptz[]
)
on conflict (webhook_no, seq) do update
set tries = excluded.tries, next_try_at = excluded.next_try_at, dead_at = excluded.dead_at`)

const remove = statement(`
delete from webhook_deliveries
where webhook_no = $1
and seq = any($2::bigint[])`)

// In two parts: with `or` between them, the index would not give the order.
const readDue = statement<Delivery>(`
(
  select ${columns}
  from webhook_deliveries
  where webhook_no = $1
  and next_try_at <= $2
  order by next_try_at, seq
  limit $3
)
union all
(
  select ${columns}
  from webhook_deliveries
  where webhook_no = $1
  and next_try_at > $4
  order by next_try_at, seq
  limit $3
)
limit $3`)

const listDead = statement<Delivery>(`
select ${columns}
from webhook_deliveries
where webhook_no = $1
and seq > $2
and dead_at is not null
order by seq
limit $3`)

const listWaiting = statement<Delivery>(`
select ${columns}
from webhook_deliveries
where webhook_no = $1
and seq > $2
and next_try_at is not null
order by seq
limit $3`)

const count = statement<{ waiting: number; dead: number }>(`
select
  (
    select count(*)
    from (
      select
      from webhook_deliveries
      where webhook_no = $1
      and next_try_at is not null
      limit $2
    ) as counted
  ) as waiting,
  (
    select count(*)
    from (
      select
      from webhook_deliveries
      where webhook_no = $1
      and dead_at is not null
      limit $2
    ) as counted
  ) as dead`)

const countDeadInRange = statement<{ count: number }>(`
select count(*)::int as count
from (
  select
  from webhook_deliveries
  where webhook_no = $1
  and seq between $2 and $3
  and dead_at is not null
  and ($4::timestamptz is null or dead_at >= $4)
  limit $5
) as counted`)

const revive = statement<{ seq: number }>(`
update webhook_deliveries
set tries = 0, next_try_at = $5, dead_at = null
where webhook_no = $1
and seq = any(
  array(
    select seq
    from webhook_deliveries
    where webhook_no = $1
    and seq between $2 and $3
    and dead_at is not null
    and ($4::timestamptz is null or dead_at >= $4)
    order by seq
    limit $6
  )
)
and dead_at is not null
returning seq`)

const removeOld = statement<{ seq: number }>(`
delete from webhook_deliveries
where webhook_no = $1
and seq = any(
  array(
    select seq
    from webhook_deliveries
    where webhook_no = $1
    and dead_at < $2
    limit $3
  )
)
and dead_at < $2
returning seq`)

const removeAny = statement<{ seq: number }>(`
delete from webhook_deliveries
where webhook_no = $1
and seq = any(
  array(
    select seq
    from webhook_deliveries
    where webhook_no = $1
    limit $2
  )
)
returning seq`)

const replaceText = statement<{ next: number | null }>(`
with stretch as materialized (
  select seq
  from webhook_deliveries
  where webhook_no = $1
  and seq > $2
  and seq <= $3
  order by seq
  limit $6
),
changed as (
  update webhook_deliveries
  set body = replace(body, $4, $5)
  from stretch
  where webhook_no = $1
  and webhook_deliveries.seq = stretch.seq
  and position($4 in body) > 0
)
select max(seq) as next
from stretch`)
