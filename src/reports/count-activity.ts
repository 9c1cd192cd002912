import { numberIn } from '../campaign-ref.ts'
import { allInOrder, type Database, localStatement, type Queryable, statement } from '../db/database.ts'
import { activityStepMs } from '../limits.ts'
import { closeDays, reopenDays } from './close-days.ts'
import {
  countAgainFrom,
  type CountedMerchant,
  countNext,
  type Interval,
  merchantsAhead,
  whose,
} from './next-interval.ts'

/**
 * Counts the next interval of entries, players, plays and settlements, and returns whether there is more. A test
 * merchant whose clock is ahead is counted apart. `now` is the real time.
 */
export async function countActivity(
  db: Database,
  now: Date,
  stepMs = activityStepMs,
  of?: CountedMerchant,
): Promise<boolean> {
  return countNext(db, { work: 'counts', now, stepMs, of }, count)
}

/** Counts everything from a given time again. Returns false if another process is counting. */
export async function recountActivity(db: Database, moment: Date): Promise<boolean> {
  return countAgainFrom(db, { work: 'counts', moment }, async (tx, start) => {
    for (const forget of [forgetActivity, forgetPlays, forgetSettlements]) await tx.query(forget, [start])
    await reopenDays(tx, start)
  })
}

async function count(tx: Queryable, { from, to, merchantId }: Interval): Promise<void> {
  const interval = [from, to, merchantId]
  await allInOrder([
    tx.query(countEntries, interval),
    tx.query(countPlayers, interval),
    tx.query(countPlays, interval),
    tx.query(countSettlements, interval),
    tx.query(countHolds, interval),
  ])
  await closeDays(tx, to, merchantId)
}

const quarter = (column: string) => `date_bin('15 minutes', ${column}, timestamptz '2000-01-01 00:00:00Z')`

const countEntries = statement(`
insert into activity_counts (merchant_id, quarter, kind, count, spins)
select merchant_id, ${quarter('created_at')}, kind, count(*), sum(amount)
from ledger_entries
where created_at >= $1
and created_at < $2${whose('ledger_entries')}
group by 1, 2, 3
on conflict (merchant_id, quarter, kind) do update
set count = activity_counts.count + excluded.count, spins = activity_counts.spins + excluded.spins`)

const countPlayers = statement(`
insert into activity_counts (merchant_id, quarter, kind, count, spins)
select merchant_id, ${quarter('created_at')}, 'player', count(*), 0
from players
where created_at >= $1
and created_at < $2${whose('players')}
group by 1, 2
on conflict (merchant_id, quarter, kind) do update
set count = activity_counts.count + excluded.count`)

const countPlays = statement(`
insert into play_counts (merchant_id, quarter, campaign_id, wheel_id, wheel_version, drawn, segment, plays)
select
  merchant_id,
  ${quarter('created_at')},
  ${numberIn('campaign_id')},
  wheel_id,
  wheel_version,
  drawn,
  segment,
  count(*)
from plays
where created_at >= $1
and created_at < $2${whose('plays')}
group by 1, 2, 3, 4, 5, 6, 7
on conflict (merchant_id, quarter, campaign_id, wheel_id, wheel_version, drawn, segment) do update
set plays = play_counts.plays + excluded.plays`)

const countSettlements = statement(`
insert into settlement_counts (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state, settlements)
select
  prize_settlements.merchant_id,
  ${quarter('settled_at')},
  ${numberIn('campaign_id')},
  wheel_id,
  wheel_version,
  segment,
  case when state = 'claimed' and step > 1 then 'reversed' else state end,
  count(*)
from prize_settlements
join plays using (shard, player_no, play_no)
where settled_at >= $1
and settled_at < $2${whose('plays')}
group by 1, 2, 3, 4, 5, 6, 7
on conflict (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state) do update
set settlements = settlement_counts.settlements + excluded.settlements`)

const countHolds = statement(`
insert into settlement_counts (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state, settlements)
select
  plays.merchant_id,
  ${quarter('held_at')},
  ${numberIn('campaign_id')},
  wheel_id,
  wheel_version,
  segment,
  'held',
  count(*)
from prize_holds
join plays using (shard, player_no, play_no)
where held_at >= $1
and held_at < $2${whose('plays')}
group by 1, 2, 3, 4, 5, 6, 7
on conflict (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state) do update
set settlements = settlement_counts.settlements + excluded.settlements`)

const forgetActivity = localStatement(`
delete from activity_counts
where quarter >= $1
and merchant_id not in (${merchantsAhead})`)

const forgetPlays = localStatement(`
delete from play_counts
where quarter >= $1
and merchant_id not in (${merchantsAhead})`)

const forgetSettlements = localStatement(`
delete from settlement_counts
where quarter >= $1
and merchant_id not in (${merchantsAhead})`)
