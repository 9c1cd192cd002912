import { type Queryable, statement } from '../db/database.ts'

/** A player's id that is still to be removed from events. */
export type EventErasure = {
  erasureNo: number
  merchantId: number
  shard: number
  playerId: string
  pseudonym: string
  lastPageNo: number
  afterSeq: number
  lastSeq: number
  erasedAt: Date
}

/**
 * Called by the transaction that renames the player, after it has locked it. The player's events are on pages with
 * smaller numbers than the one drawn here; those of a new player with the same id will be on pages with greater ones.
 * (On a cluster these numbers are times, and this holds as far as the clocks of its machines agree.)
 */
export async function insertErasure(
  tx: Queryable,
  erasure: Pick<EventErasure, 'merchantId' | 'shard' | 'playerId' | 'pseudonym' | 'erasedAt'>,
): Promise<void> {
  const { merchantId, shard, playerId, pseudonym, erasedAt } = erasure
  await tx.query(insert, [merchantId, shard, playerId, pseudonym, erasedAt])
}

/** Takes an erasure that is due, for this process alone until `leaseUntil`. */
export async function leaseErasure(
  db: Queryable,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<EventErasure | undefined> {
  const [erasure] = await db.query(lease, [now, leaseUntil])
  return erasure
}

export async function noteErasure(
  tx: Queryable,
  erasure: Pick<EventErasure, 'erasureNo' | 'afterSeq' | 'lastSeq'>,
  nextAt: Date,
): Promise<void> {
  await tx.query(note, [erasure.erasureNo, erasure.afterSeq, erasure.lastSeq, nextAt])
}

export async function deleteErasure(db: Queryable, erasureNo: number): Promise<void> {
  await db.query(remove, [erasureNo])
}

const insert = statement(`
insert into event_erasures (merchant_id, shard, player_id, pseudonym, erased_at, next_at, last_page_no)
values ($1, $2, $3, $4, $5, $5, nextval('event_page_numbers'))`)

const lease = statement<EventErasure>(`
update event_erasures
set next_at = $2
where erasure_no = (
  select erasure_no
  from event_erasures
  where next_at <= $1
  order by next_at
  limit 1
  for update skip locked
)
returning
  erasure_no as "erasureNo",
  merchant_id as "merchantId",
  shard,
  player_id as "playerId",
  pseudonym,
  last_page_no as "lastPageNo",
  after_seq as "afterSeq",
  last_seq as "lastSeq",
  erased_at as "erasedAt"`)

const note = statement(`
update event_erasures
set after_seq = $2, last_seq = $3, next_at = $4
where erasure_no = $1`)

const remove = statement(`
delete from event_erasures
where erasure_no = $1`)
