import { type Queryable, statement } from '../db/database.ts'
import type { Clocked } from '../test-clock.ts'

/** The next number of a merchant's events, and the first number that is still kept. */
export type EventStream = { merchantId: number; nextSeq: number; firstKeptSeq: number }

/** Creates missing streams, which begin at 1. */
export async function insertStreams(tx: Queryable, merchantIds: readonly number[]): Promise<void> {
  await tx.query(insertMissing, [merchantIds])
}

/** Locks streams that no other process has locked, and skips the others. */
export async function lockFreeStreams(tx: Queryable, merchantIds: readonly number[]): Promise<EventStream[]> {
  return tx.query(lockFree, [merchantIds])
}

/** Locks a stream, waiting for another process if need be, and returns the first number that is kept. */
export async function lockStream(tx: Queryable, merchantId: number): Promise<number> {
  const [stream] = await tx.query(lockOne, [merchantId])
  return stream?.firstKeptSeq ?? 1
}

export async function advanceStreams(
  tx: Queryable,
  streams: readonly Pick<EventStream, 'merchantId' | 'nextSeq'>[],
): Promise<void> {
  await tx.query(advance, [
    streams.map((stream) => stream.merchantId),
    streams.map((stream) => stream.nextSeq),
  ])
}

export async function readStreams(db: Queryable, merchantIds: readonly number[]): Promise<EventStream[]> {
  return db.query(read, [merchantIds])
}

/** Merchants with numbered events that have not expired yet, and their clocks. */
export async function readMerchantsWithEvents(db: Queryable): Promise<(Clocked & { merchantId: number })[]> {
  return db.query(readWithEvents)
}

/** Records that all events before this number have expired. */
export async function keepStreamFrom(
  tx: Queryable,
  stream: Pick<EventStream, 'merchantId' | 'firstKeptSeq'>,
): Promise<void> {
  await tx.query(keepFrom, [stream.merchantId, stream.firstKeptSeq])
}

const insertMissing = statement(`
insert into event_streams (merchant_id)
select merchant_id
from unnest($1::int[]) as wanted (merchant_id)
where not exists (
  select from event_streams
  where event_streams.merchant_id = wanted.merchant_id
)
order by merchant_id
on conflict do nothing`)

const streamColumns = `
  merchant_id as "merchantId",
  next_seq as "nextSeq",
  first_kept_seq as "firstKeptSeq"`

const lockFree = statement<EventStream>(`
select ${streamColumns}
from event_streams
where merchant_id = any($1::int[])
order by merchant_id
for update skip locked`)

const lockOne = statement<{ firstKeptSeq: number }>(`
select first_kept_seq as "firstKeptSeq"
from event_streams
where merchant_id = $1
for update`)

const advance = statement(`
update event_streams
set next_seq = new.next_seq
from unnest($1::int[], $2::bigint[]) as new (merchant_id, next_seq)
where event_streams.merchant_id = new.merchant_id`)

const read = statement<EventStream>(`
select ${streamColumns}
from event_streams
where merchant_id = any($1::int[])`)

const readWithEvents = statement<Clocked & { merchantId: number }>(`
select merchant_id as "merchantId", clock_ahead_ms as "clockAheadMs"
from event_streams
left join merchants using (merchant_id)
where first_kept_seq < next_seq
order by merchant_id`)

const keepFrom = statement(`
update event_streams
set first_kept_seq = $2
where merchant_id = $1`)
