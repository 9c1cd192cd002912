import { type Database, type Queryable, statement } from '../db/database.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { eventPagesExpiredMax, eventPartitionLockMs, eventPartitionsPerRetention } from '../limits.ts'

/** A part of the log's table that holds the pages of a time. The default one holds pages of all other times. */
type EventPartition = { name: string; from: Date; to: Date }

const dayMs = 86_400_000

/** How much time a partition of a log with this retention covers, in ms: whole days. */
export function partitionWidthMs(retentionDays: number): number {
  return Math.ceil(retentionDays / eventPartitionsPerRetention) * dayMs
}

/** The partitions with bounds, oldest first. The first one has no lower bound. */
export async function readPartitions(db: Queryable): Promise<EventPartition[]> {
  const rows = await db.query(readBounds)
  const partitions = rows.map(({ name, bounds }) => {
    const [, from, to] = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/.exec(bounds) ?? []
    return { name, from: timeOf(from), to: timeOf(to) }
  })
  return partitions.toSorted((one, other) => one.to.getTime() - other.to.getTime())
}

/**
 * For how long there are partitions for coming events, and how long ago the oldest one should have been dropped at the
 * latest: after twice the retention, for which webhooks may hold events back.
 */
export function partitionState(
  partitions: readonly EventPartition[],
  retentionDays: number,
): { aheadMs: number; overdueMs: number } {
  const now = Date.now()
  const lastTo = partitions.at(-1)?.to.getTime() ?? now
  const firstTo = partitions[0]?.to.getTime() ?? now
  return {
    aheadMs: Math.max(0, lastTo - now),
    overdueMs: Math.max(0, now - firstTo - 2 * retentionDays * dayMs),
  }
}

/**
 * Adds partitions until the next two widths of time are covered. A time of which the default partition has pages
 * already is left to it. Attaching waits for no writer, only for statements that use the default partition.
 */
export async function addPartitions(
  db: Database,
  { now, widthMs }: { now: Date; widthMs: number },
): Promise<void> {
  const covered = (await readPartitions(db)).at(-1)?.to ?? now
  let from = Math.ceil(Math.max(covered.getTime(), now.getTime()) / dayMs) * dayMs
  for (; from < now.getTime() + 2 * widthMs; from += widthMs) {
    const [start, end] = [new Date(from), new Date(from + widthMs)]
    const name = `event_pages_${start.toISOString().slice(0, 10).replaceAll('-', '')}`
    await change(db, (tx) => addPartition(tx, { name, from: start, to: end }))
  }
}

async function addPartition(tx: Queryable, { name, from, to }: EventPartition): Promise<void> {
  const [found] = await tx.query(findPages, [idAt(from), idAt(to)])
  if (found !== undefined || (await exists(tx, name))) return
  const bounds = `for values from ('${idAt(from)}') to ('${idAt(to)}')`
  // With the same setting as in sql/baseline/07-events.sql. One by one: Citus sends each text to the workers as it is.
  await tx.query(
    statement(`create table ${name} (like event_pages including defaults) with (toast_tuple_target = 128)`),
  )
  await tx.query(statement(`alter table event_pages attach partition ${name} ${bounds}`))
  // At the end: Citus makes the partition's shards when it is attached, and forgets what was revoked before.
  await tx.query(statement(`revoke update, delete, truncate on ${name} from current_user`))
}

/** Drops the partitions that ended before a time and have no event that is still kept. */
export async function dropPartitions(db: Database, before: Date): Promise<void> {
  for (const { name, to } of await readPartitions(db))
    if (to <= before) await change(db, (tx) => dropPartition(tx, name))
}

/**
 * For a moment this locks the whole log, and every write waits. The lock comes with detaching: `lock table` needs a
 * privilege that we don't have before PostgreSQL 17.
 */
async function dropPartition(tx: Queryable, name: string): Promise<void> {
  if (!(await exists(tx, name)) || (await isInUse(tx, name))) return
  await tx.query(statement(`alter table event_pages detach partition ${name}`))
  if (await isInUse(tx, name)) throw new PartitionInUse()
  await tx.query(statement(`drop table ${name}`))
}

/** Events came while the lock was waited for. The transaction is rolled back. */
class PartitionInUse extends Error {}

/** If a long transaction (an audit, a backup) uses the log, it gives up quickly; the next round tries again. */
async function change(db: Database, work: (tx: Queryable) => Promise<void>): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await tx.query(lockForChange)
      await work(tx)
    })
  } catch (error) {
    const isBusy = error instanceof DatabaseFailure && error.fault === 'busy'
    if (!isBusy && !(error instanceof PartitionInUse)) throw error
  }
}

async function exists(tx: Queryable, name: string): Promise<boolean> {
  return (await readPartitions(tx)).some((partition) => partition.name === name)
}

/** Whether a page of the partition has no number yet, or an event that can still be read. */
async function isInUse(db: Queryable, name: string): Promise<boolean> {
  const kept = db.isCluster === true ? keptOnShards(name) : keptByStream(name)
  const [found] = await db.query(
    statement<{ isInUse: boolean }>(`
select
  exists (select 1 from ${name} where first_seq is null)
  or exists (${kept}
  ) as "isInUse"`),
  )
  return found?.isInUse ?? true
}

const keptByStream = (partition: string) => `
    select
    from event_streams
    cross join lateral (
      select
      from ${partition} as page
      where page.merchant_id = event_streams.merchant_id
      and page.first_seq >= event_streams.first_kept_seq
      limit 1
    ) as kept`

// Citus refuses the limit, and rows without a column.
const keptOnShards = (partition: string) => `
    select 1
    from event_streams
    join ${partition} as page using (merchant_id)
    where page.first_seq >= event_streams.first_kept_seq`

/** Deletes pages in the default partition that can't be read any more. */
export async function deleteDefaultPages(db: Queryable): Promise<void> {
  for (;;) {
    const deleted = await db.query(deleteDefault, [eventPagesExpiredMax])
    if (deleted.length < eventPagesExpiredMax) return
  }
}

/** The smallest page id of a time: ids are UUIDs of version 7, which begin with milliseconds. */
function idAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time at which a bound begins. */
function timeOf(bound = ''): Date {
  return bound.startsWith("'")
    ? new Date(parseInt(bound.slice(1).replaceAll('-', '').slice(0, 12), 16))
    : new Date(0)
}

// One process at a time, and none waits long for a table.
const lockForChange = statement(`
set local lock_timeout = ${eventPartitionLockMs};
select pg_advisory_xact_lock(7437003)`)

const readBounds = statement<{ name: string; bounds: string }>(`
select relname::text as name, pg_get_expr(relpartbound, pg_class.oid) as bounds
from pg_inherits
join pg_class on pg_class.oid = inhrelid
where inhparent = 'event_pages'::regclass
and pg_get_expr(relpartbound, pg_class.oid) <> 'DEFAULT'`)

const findPages = statement(`
select
from event_pages_default
where page_id >= $1::uuid
and page_id < $2::uuid
limit 1`)

const deleteDefault = statement(`
delete from event_pages_default
where (page_id, shard) in (
  select page_id, shard
  from event_streams
  join event_pages_default using (merchant_id)
  where event_pages_default.first_seq < event_streams.first_kept_seq
  limit $1
)
returning 1`)
