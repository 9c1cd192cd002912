import { type Queryable, statement } from '../db/database.ts'
import { webhookFaultAttemptsMax, webhookRowsTidiedMax } from '../limits.ts'
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

/**
 * `place` is the attempt's place in the list of all attempts; `attemptNo` counts those of one event, which are still
 * there: 1, 2, 3.
 */
export type NumberedAttempt = Attempt & { place: number; attemptNo: number }

/** Newest first, of one event or of all, before a place. */
export async function listAttempts(
  db: Queryable,
  query: { webhookNo: number; seq: number | undefined; before: number; limit: number },
): Promise<NumberedAttempt[]> {
  const { webhookNo, seq, before, limit } = query
  const rows =
    seq === undefined
      ? await db.query(list, [webhookNo, before, limit])
      : await db.query(listOfEvent, [webhookNo, seq, before, limit])
  // Attempts from before the column was added have no headers.
  return rows.map((row) => ({ ...row, headers: JSON.parse(row.headers ?? '{}') as Attempt['headers'] }))
}

/** The newest failure among the last attempts of a webhook. */
export type LastFault = Pick<Attempt, 'at' | 'status' | 'fault'>

export async function readLastFaults(
  db: Queryable,
  webhookNos: readonly number[],
): Promise<Map<number, LastFault>> {
  const rows = await db.query(lastFaults, [webhookNos, webhookFaultAttemptsMax])
  return new Map(rows.map(({ webhookNo, ...failed }) => [webhookNo, failed]))
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
  attempt_no as place,
  (
    select greatest(count(*), 1)::int
    from webhook_attempts as own
    where own.webhook_no = webhook_attempts.webhook_no
    and own.seq = webhook_attempts.seq
    and own.attempt_no <= webhook_attempts.attempt_no
  ) as "attemptNo",
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

type AttemptRow = Omit<NumberedAttempt, 'headers'> & { headers: string | null }

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

const lastFaults = statement<LastFault & { webhookNo: number }>(`
select wanted.webhook_no as "webhookNo", failed.attempted_at as at, failed.status, failed.fault
from unnest($1::int[]) as wanted (webhook_no)
cross join lateral (
  select recent.*
  from (
    select attempt_no, attempted_at, status, fault
    from webhook_attempts
    where webhook_attempts.webhook_no = wanted.webhook_no
    order by attempt_no desc
    limit $2
  ) as recent
  where recent.fault is not null
  or recent.status not between 200 and 299
  order by recent.attempt_no desc
  limit 1
) as failed`)

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
