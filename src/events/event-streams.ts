import { type Queryable, statement } from '../db/database.ts'

/** How far a merchant's events are numbered, and from where on they are kept. */
export type EventStream = { merchantId: number; nextSeq: number; firstKeptSeq: number }

/** Streams that are not there yet begin at 1. */
export async function insertStreams(tx: Queryable, merchantIds: readonly number[]): Promise<void> {
  await tx.query(insertMissing, [merchantIds])
}

/** Locks those that nobody else has locked. A rival's are left to the rival. */
export async function lockFreeStreams(tx: Queryable, merchantIds: readonly number[]): Promise<EventStream[]> {
  return tx.query(lockFree, [merchantIds])
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

const advance = statement(`
update event_streams
set next_seq = new.next_seq
from unnest($1::int[], $2::bigint[]) as new (merchant_id, next_seq)
where event_streams.merchant_id = new.merchant_id`)

const read = statement<EventStream>(`
select ${streamColumns}
from event_streams
where merchant_id = any($1::int[])`)
