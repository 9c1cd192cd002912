import { type Database, type Queryable, statement } from '../db/database.ts'
import { movePosition, readPosition, takePosition, type Work } from '../db/work-positions.ts'
import { activityLagMs } from '../limits.ts'
import { type Clocked, timeOf } from '../test-clock.ts'

/** `merchantId`: only of this test merchant; null for all merchants whose clock shows the real time. */
export type Interval = { from: Date; to: Date; merchantId: number | null }

/** A test merchant whose clock is ahead, and whose activity is counted by it. */
export type CountedMerchant = Clocked & { merchantId: number }

export const merchantsAhead = `
  select merchant_id
  from merchants
  where clock_ahead_ms > 0`

/** Whose rows are counted: those of the test merchant `$3`, or of all whose clock shows the real time if it is null. */
export const whose = (table: string) => `
and case
  when $3::int is null then ${table}.merchant_id not in (${merchantsAhead})
  else ${table}.merchant_id = $3
end`

/**
 * Counts the next interval, of `stepMs` at most, and returns whether there is more. Each interval is counted
 * once: counts and position change in one transaction. If several processes call it at once, one does the work.
 *
 * Rows carry the time at which their transaction began, and appear when it commits. So counting stays behind the clock,
 * and behind the oldest transaction that is still writing.
 */
export async function countNext(
  db: Database,
  {
    work,
    now,
    stepMs,
    of,
  }: { work: 'counts' | 'visits'; now: Date; stepMs: number; of?: CountedMerchant | undefined },
  count: (tx: Queryable, interval: Interval) => Promise<void>,
): Promise<boolean> {
  return db.longTransaction(async (tx) => {
    const [first] = await tx.query(readFirst)
    const start = first?.since ?? now
    const shared = await takePosition(tx, work, quarterOf(new Date(start.getTime() - dayMs)))
    if (shared === undefined) return false
    // A merchant whose clock was set just now is counted together with the others up to here.
    const position = positionName(work, of)
    const from = of === undefined ? shared : await takePosition(tx, position, shared)
    if (from === undefined) return false
    const [writer] = await tx.query(tx.isCluster === true ? readOldestOfCluster : readOldestWriter)
    const written = new Date(Math.min(now.getTime(), writer?.since?.getTime() ?? Infinity) - activityLagMs)
    const safe = timeOf(of ?? {}, written).getTime()
    const to = new Date(Math.min(from.getTime() + stepMs, safe))
    if (to <= from) return false
    await count(tx, { from, to, merchantId: of?.merchantId ?? null })
    await movePosition(tx, position, to)
    return to.getTime() < safe
  })
}

/**
 * Moves the work back to a given time, for rows whose time had been counted already. `forget` deletes the counts from
 * there on. Returns false if another process is counting.
 */
export async function countAgainFrom(
  db: Database,
  { work, moment }: { work: Work; moment: Date },
  forget: (tx: Queryable, start: Date) => Promise<void>,
): Promise<boolean> {
  return db.longTransaction(async (tx) => {
    const start = quarterOf(moment)
    const position = await takePosition(tx, work, start)
    if (position === undefined) return false
    if (position <= start) return true
    await forget(tx, start)
    await movePosition(tx, work, start)
    return true
  })
}

/** How far the activity of a merchant is counted. */
export async function readCounted(
  db: Queryable,
  work: 'counts' | 'visits',
  merchant: Clocked & { merchantId: number },
): Promise<Date | undefined> {
  return readPosition(db, positionName(work, (merchant.clockAheadMs ?? 0) > 0 ? merchant : undefined))
}

function positionName(work: 'counts' | 'visits', of: { merchantId: number } | undefined): Work {
  return of === undefined ? work : `${work} of ${of.merchantId}`
}

const dayMs = 86_400_000
const quarterMs = 15 * 60 * 1000

function quarterOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs)
}

const readFirst = statement<{ since: Date | null }>(`
select min(created_at) as since
from merchants`)

const oldestWriterIn = (sessions: string, notOurs: string) =>
  statement<{ since: Date | null }>(`
select min(xact_start) as since
from ${sessions}
where datname = current_database()
and backend_xid is not null
and ${notOurs}`)

const readOldestWriter = oldestWriterIn('pg_stat_activity', 'pid <> pg_backend_pid()')
// A transaction that writes only on workers has no id on the coordinator. All its sessions share one global pid.
const readOldestOfCluster = oldestWriterIn('citus_stat_activity', 'global_pid <> citus_backend_gpid()')
