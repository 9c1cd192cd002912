import { type Database, type Queryable, statement } from '../db/database.ts'
import { movePosition, takePosition, type Work } from '../db/work-positions.ts'
import { activityLagMs } from '../limits.ts'

export type Interval = { from: Date; to: Date }

/**
 * Counts the next interval, of `stepMs` at most, and returns whether there is more. Each interval is counted once: the counts and the position
 * change in one transaction. If several processes call it at once, one does the work.
 *
 * Rows carry the time at which their transaction began, and appear when it commits. So counting stays behind the clock,
 * and behind the oldest transaction that is still writing.
 */
export async function countNext(
  db: Database,
  { work, now, stepMs }: { work: Work; now: Date; stepMs: number },
  count: (tx: Queryable, interval: Interval) => Promise<void>,
): Promise<boolean> {
  return db.longTransaction(async (tx) => {
    const [first] = await tx.query(readFirst)
    const start = first?.since ?? now
    const from = await takePosition(tx, work, quarterOf(new Date(start.getTime() - dayMs)))
    if (from === undefined) return false
    const [writer] = await tx.query(readOldestWriter)
    const safe = Math.min(now.getTime(), writer?.since?.getTime() ?? Infinity) - activityLagMs
    const to = new Date(Math.min(from.getTime() + stepMs, safe))
    if (to <= from) return false
    await count(tx, { from, to })
    await movePosition(tx, work, to)
    return to.getTime() < safe
  })
}

/**
 * Moves the work back to a given time, for rows whose time had been counted already. `forget` deletes the counts from there
 * on. Returns false if another process is counting.
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

const dayMs = 86_400_000
const quarterMs = 15 * 60 * 1000

function quarterOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs)
}

const readFirst = statement<{ since: Date | null }>(`
select min(created_at) as since
from merchants`)

const readOldestWriter = statement<{ since: Date | null }>(`
select min(xact_start) as since
from pg_stat_activity
where datname = current_database()
and backend_xid is not null
and pid <> pg_backend_pid()`)
