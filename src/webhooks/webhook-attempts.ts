import { type Queryable, statement } from '../db/database.ts'
import { webhookRowsTidiedMax } from '../limits.ts'
import type { Answer } from './sending/answers.ts'

/** One attempt to deliver an event, with its result. */
export type Attempt = Pick<Answer, 'status' | 'fault' | 'tookMs' | 'excerpt' | 'headers'> & {
  webhookNo: number
  /** Null for a test. */
  seq: number | null
  eventId: string
  eventType: string
  at: Date
}

export async function insertAttempts(tx: Queryable, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  await tx.query(insert, [
    attempts.map((one) => one.webhookNo),
    attempts.map((one) => one.seq),
    attempts.map((one) => one.eventId),
    attempts.map((one) => one.eventType),
    attempts.map((one) => one.at),
    attempts.map((one) => one.tookMs),
    attempts.map((one) => one.status),
    attempts.map((one) => one.fault),
    attempts.map((one) => one.excerpt),
    attempts.map((one) => JSON.stringify(one.headers)),
  ])
}

/** Newest first, of one event or of all. */
export async function listAttempts(
  db: Queryable,
  query: { webhookNo: number; seq: number | undefined; before: number; limit: number },
): Promise<(Attempt & { attemptNo: number })[]> {
  const { webhookNo, seq, before, limit } = query
  const rows =
    seq === undefined
      ? await db.query(list, [webhookNo, before, limit])
      : await db.query(listOfEvent, [webhookNo, seq, before, limit])
  // Attempts from before the column was added have no headers.
  return rows.map((row) => ({ ...row, headers: JSON.parse(row.headers ?? '{}') as Attempt['headers'] }))
}

/**
 * Deletes a limited number of attempts from before a time. A webhook's attempts are numbered in the order in which
 * they are recorded.
 */
export async function deleteOldAttempts(db: Queryable, webhookNo: number, before: Date): Promise<number> {
  return (await db.query(removeOld, [webhookNo, before, webhookRowsTidiedMax])).length
}

const insert = statement(`
insert into webhook_attempts (
  webhook_no, seq, event_id, event_type, attempted_at, took_ms, status, fault, excerpt, headers
)
select *
from unnest(
  $1::int[], $2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::text[],
  $10::text[]
)`)

const columns = `
  attempt_no as "attemptNo",
  webhook_no as "webhookNo",
  seq,
  event_id as "eventId",
  event_type as "eventType",
  attempted_at as at,
  took_ms as "tookMs",
  status,
  fault,
  excerpt,
  headers`

type AttemptRow = Omit<Attempt, 'headers'> & { attemptNo: number; headers: string | null }

const list = statement<AttemptRow>(`
select ${columns}
from webhook_attempts
where webhook_no = $1
and attempt_no < $2
order by attempt_no desc
limit $3`)

const listOfEvent = statement<AttemptRow>(`
select ${columns}
from webhook_attempts
where webhook_no = $1
and seq = $2
and attempt_no < $3
order by seq desc, attempt_no desc
limit $4`)

const removeOld = statement<{ attemptNo: number }>(`
delete from webhook_attempts
where webhook_no = $1
and attempt_no = any(
  array(
    select attempt_no
    from webhook_attempts
    where webhook_no = $1
    order by attempt_no
    limit $3
  )
)
and attempted_at < $2
returning attempt_no as "attemptNo"`)
