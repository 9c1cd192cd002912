import { allInOrder, type Database, type Queryable, statement } from '../db/database.ts'
import { movePosition, takePosition } from '../db/work-positions.ts'
import { activityLagMs, activityStepMs } from '../limits.ts'

/**
 * Counts the next interval of activity and returns whether there is more. Each interval is counted once: the counts and
 * the position change in one transaction. If several processes call it at once, one does the work.
 *
 * Rows carry the time at which their transaction began, and appear when it commits. So counting stays behind the clock,
 * and behind the oldest transaction that is still writing.
 */
export async function countActivity(db: Database, now: Date): Promise<boolean> {
  return db.longTransaction(async (tx) => {
    const [first] = await tx.query(readFirst)
    const start = first?.since ?? now
    const from = await takePosition(tx, 'counts', quarterOf(new Date(start.getTime() - dayMs)))
    if (from === undefined) return false
    const [writer] = await tx.query(readOldestWriter)
    const safe = Math.min(now.getTime(), writer?.since?.getTime() ?? Infinity) - activityLagMs
    const to = new Date(Math.min(from.getTime() + activityStepMs, safe))
    if (to <= from) return false
    await count(tx, from, to)
    await movePosition(tx, 'counts', to)
    return to.getTime() < safe
  })
}

/**
 * Counts everything from a given time again, for rows whose time had been counted already. Returns false if another
 * process is counting.
 */
export async function recountFrom(db: Database, moment: Date): Promise<boolean> {
  return db.longTransaction(async (tx) => {
    const start = quarterOf(moment)
    const position = await takePosition(tx, 'counts', start)
    if (position === undefined) return false
    if (position <= start) return true
    for (const forget of [forgetActivity, forgetPlays, forgetSettlements]) await tx.query(forget, [start])
    await movePosition(tx, 'counts', start)
    return true
  })
}

const dayMs = 86_400_000
const quarterMs = 15 * 60 * 1000

function quarterOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs)
}

async function count(tx: Queryable, from: Date, to: Date): Promise<void> {
  const stretch = [from, to]
  await allInOrder([
    tx.query(countEntries, stretch),
    tx.query(countPlayers, stretch),
    tx.query(countPlays, stretch),
    tx.query(countSettlements, stretch),
  ])
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

const quarter = (column: string) => `date_bin('15 minutes', ${column}, timestamptz '2000-01-01 00:00:00Z')`

const countEntries = statement(`
insert into activity_counts (merchant_id, quarter, kind, count, spins)
select merchant_id, ${quarter('created_at')}, kind, count(*), sum(amount)
from ledger_entries
where created_at >= $1
and created_at < $2
group by 1, 2, 3
on conflict (merchant_id, quarter, kind) do update
set count = activity_counts.count + excluded.count, spins = activity_counts.spins + excluded.spins`)

const countPlayers = statement(`
insert into activity_counts (merchant_id, quarter, kind, count, spins)
select merchant_id, ${quarter('created_at')}, 'player', count(*), 0
from players
where created_at >= $1
and created_at < $2
group by 1, 2
on conflict (merchant_id, quarter, kind) do update
set count = activity_counts.count + excluded.count`)

const countPlays = statement(`
insert into play_counts (merchant_id, quarter, wheel_id, wheel_version, drawn, segment, plays)
select merchant_id, ${quarter('created_at')}, wheel_id, wheel_version, drawn, segment, count(*)
from plays
where created_at >= $1
and created_at < $2
group by 1, 2, 3, 4, 5, 6
on conflict (merchant_id, quarter, wheel_id, wheel_version, drawn, segment) do update
set plays = play_counts.plays + excluded.plays`)

const countSettlements = statement(`
insert into settlement_counts (merchant_id, quarter, wheel_id, wheel_version, segment, state, settlements)
select
  prize_settlements.merchant_id,
  ${quarter('settled_at')},
  wheel_id,
  wheel_version,
  segment,
  case when state = 'claimed' and step > 1 then 'reversed' else state end,
  count(*)
from prize_settlements
join plays using (shard, player_no, play_no)
where settled_at >= $1
and settled_at < $2
group by 1, 2, 3, 4, 5, 6
on conflict (merchant_id, quarter, wheel_id, wheel_version, segment, state) do update
set settlements = settlement_counts.settlements + excluded.settlements`)

const forgetActivity = statement(`
delete from activity_counts
where quarter >= $1`)

const forgetPlays = statement(`
delete from play_counts
where quarter >= $1`)

const forgetSettlements = statement(`
delete from settlement_counts
where quarter >= $1`)
