import { localStatement, type Queryable, statement } from '../db/database.ts'
import { isFree, releaseOwn, renewOwn } from '../leases/lease-statements.ts'
import type { Lease } from '../leases/leased-work.ts'
import { merchantTime } from '../test-clock.ts'

type FreeMailCursor = { merchantId: number; isHeld: boolean; isMarketingHeld: boolean }

/** The position of a merchant's mails in its event log, and how many were sent in this hour. */
export type MailCursor = {
  merchantId: number
  cursorSeq: number
  firstKeptSeq: number
  isPlanning: boolean
  isStopped: boolean
  hourStartedAt: Date | null
  hourCount: number
}

/** Every merchant that mails something has a row. */
export async function ensureMailCursor(tx: Queryable, merchantId: number): Promise<void> {
  await tx.query(ensure, [merchantId])
}

/** From now on, events lead to mails, or no longer do. */
export async function setPlanning(tx: Queryable, merchantId: number, isPlanning: boolean): Promise<void> {
  await ensureMailCursor(tx, merchantId)
  await tx.query(plan, [merchantId, isPlanning])
}

/** Stops all messages of a merchant, or goes on. */
export async function setStopped(tx: Queryable, merchantId: number, stoppedAt: Date | null): Promise<void> {
  await ensureMailCursor(tx, merchantId)
  await tx.query(stop, [merchantId, stoppedAt])
}

/**
 * Whether a person has stopped the messages of a merchant just now, or suspended the merchant. Only that stops mail to
 * its staff.
 */
export async function isStoppedNow(
  db: Queryable,
  merchantId: number,
  to: 'players' | 'staff',
): Promise<boolean> {
  return (await db.query(stoppedNow, [merchantId, to === 'players'])).length > 0
}

export async function readStoppedAt(db: Queryable, merchantId: number): Promise<Date | null> {
  const [row] = await db.query(readStop, [merchantId])
  return row?.stoppedAt ?? null
}

/** Merchants that no process serves, and what they may not send now: anything to players, or marketing. */
export async function listFreeMailCursors(
  db: Queryable,
  owner: string,
  now: Date,
): Promise<FreeMailCursor[]> {
  return db.query(listFree, [owner, now])
}

/**
 * Claims merchants that no process serves and that have events to plan from, or mail that is due. Those that were
 * served longest ago come first.
 */
export async function claimMailCursors(
  db: Queryable,
  claim: Lease & { due: readonly number[]; limit: number },
): Promise<MailCursor[]> {
  const { owner, milliseconds, due, limit } = claim
  return db.query(claimNext, [owner, milliseconds, due, limit])
}

export async function renewMailLeases(
  db: Queryable,
  merchantIds: readonly number[],
  lease: Lease,
): Promise<number[]> {
  return (await db.query(renew, [lease.owner, merchantIds, lease.milliseconds])).map(({ key }) => key)
}

export async function releaseMailCursors(
  db: Queryable,
  merchantIds: readonly number[],
  owner: string,
): Promise<void> {
  await db.query(release, [owner, merchantIds])
}

/** False, and nothing is changed, if another process serves the merchant now. */
export async function advanceMailCursor(
  tx: Queryable,
  { merchantId, cursorSeq }: { merchantId: number; cursorSeq: number },
  owner: string,
): Promise<boolean> {
  return (await tx.query(advance, [owner, merchantId, cursorSeq])).length === 1
}

export async function noteMailHour(
  db: Queryable,
  hour: Pick<MailCursor, 'merchantId' | 'hourStartedAt' | 'hourCount'> & {
    heldUntil: Date | null
    marketingHeldUntil: Date | null
  },
  owner: string,
): Promise<void> {
  const { merchantId, hourStartedAt, hourCount, heldUntil, marketingHeldUntil } = hour
  await db.query(noteHour, [merchantId, hourStartedAt, hourCount, heldUntil, marketingHeldUntil, owner])
}

/** The first event that was not planned from yet. The log keeps it and all later ones. */
export async function firstUnplannedSeq(db: Queryable, merchantId: number): Promise<number | undefined> {
  const [row] = await db.query(unplanned, [merchantId])
  return row === undefined ? undefined : row.cursorSeq + 1
}

const ensure = statement(`
insert into mail_cursors (merchant_id, cursor_seq)
select $1, 0
where not exists (
  select from mail_cursors
  where merchant_id = $1
)
on conflict do nothing`)

// What happened before is not told about.
const plan = statement(`
update mail_cursors
set
  is_planning = $2,
  cursor_seq = case
    when is_planning then cursor_seq
    else coalesce((select next_seq - 1 from event_streams where event_streams.merchant_id = $1), 0)
  end
where merchant_id = $1
and is_planning <> $2`)

const stop = statement(`
update mail_cursors
set stopped_at = $2
where merchant_id = $1`)

const stoppedNow = statement(`
select
from mail_cursors
join merchants on merchants.merchant_id = mail_cursors.merchant_id
where mail_cursors.merchant_id = $1
and (($2 and stopped_at is not null) or merchants.suspended_at is not null)`)

const readStop = statement<{ stoppedAt: Date | null }>(`
select stopped_at as "stoppedAt"
from mail_cursors
where merchant_id = $1`)

const isPast = (column: string) => `coalesce(${column} <= ${merchantTime('$2')}, true)`

const listFree = localStatement<FreeMailCursor>(`
select
  mail_cursors.merchant_id as "merchantId",
  stopped_at is not null or not ${isPast('held_until')} as "isHeld",
  not ${isPast('marketing_held_until')} as "isMarketingHeld"
from mail_cursors
join merchants on merchants.merchant_id = mail_cursors.merchant_id
where merchants.suspended_at is null
and ${isFree('mail_cursors')}`)

const claimNext = localStatement<MailCursor>(`
with waiting as (
  select mail_cursors.merchant_id, coalesce(event_streams.first_kept_seq, 1) as first_kept_seq
  from mail_cursors
  join merchants on merchants.merchant_id = mail_cursors.merchant_id
  left join event_streams on event_streams.merchant_id = mail_cursors.merchant_id
  where merchants.suspended_at is null
  and ${isFree('mail_cursors')}
  and (
    (mail_cursors.is_planning and mail_cursors.cursor_seq < event_streams.next_seq - 1)
    or mail_cursors.merchant_id = any($3::int[])
  )
  order by mail_cursors.lease_until nulls first, mail_cursors.merchant_id
  limit $4
  for update of mail_cursors skip locked
)
update mail_cursors
set lease_owner = $1, lease_until = now() + $2 * interval '1 millisecond'
from waiting
where mail_cursors.merchant_id = waiting.merchant_id
returning
  mail_cursors.merchant_id as "merchantId",
  cursor_seq as "cursorSeq",
  waiting.first_kept_seq as "firstKeptSeq",
  is_planning as "isPlanning",
  stopped_at is not null as "isStopped",
  hour_started_at as "hourStartedAt",
  hour_count as "hourCount"`)

const renew = statement<{ key: number }>(`
update mail_cursors
${renewOwn('merchant_id')}`)

const release = statement(`
update mail_cursors
${releaseOwn('merchant_id')}`)

const advance = statement<{ merchantId: number }>(`
update mail_cursors
set cursor_seq = $3
where merchant_id = $2
and lease_owner = $1
returning merchant_id as "merchantId"`)

const noteHour = statement(`
update mail_cursors
set hour_started_at = $2, hour_count = $3, held_until = $4, marketing_held_until = $5
where merchant_id = $1
and lease_owner = $6`)

const unplanned = statement<{ cursorSeq: number }>(`
select cursor_seq as "cursorSeq"
from mail_cursors
where merchant_id = $1
and is_planning`)
