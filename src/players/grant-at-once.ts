import { randomUUIDv7 } from 'node:crypto'
import { type Connection, statement } from '../db/database.ts'
import { DatabaseFailure } from '../db/database-fault.ts'
import { bytesArray } from '../db/parameters.ts'
import { balanceMax, eventsPerPageMax } from '../limits.ts'
import { spinsGranted } from './account-events.ts'
import type { KeyedGrant } from './grant-spins.ts'
import { dayNumber } from './ledger.ts'

/**
 * Carries out grants, each for another player, in one statement that is its own transaction: half of the round trips, and
 * half of the driver's time. Answers with the new balances in the order given, or with nothing if something stands against
 * one of them; then nothing is done, and `decideGrants` is to say what it is.
 *
 * It locks and writes in one statement, whose snapshot is older than its locks. That is no harm: it reads nothing but
 * what it locks, and whether a key was used before is told by the unique index, which knows no snapshots.
 */
export async function grantAtOnce(
  connection: Connection,
  grants: readonly KeyedGrant[],
  now: Date,
): Promise<number[] | undefined> {
  const pages = pagesOf(grants)
  const stories = grants.map((grant) => storyOf(grant, now))
  const columns = [
    now,
    dayNumber(now),
    grants.map((grant) => grant.shard),
    grants.map((grant) => grant.merchantId),
    grants.map((grant) => grant.playerId),
    grants.map((grant) => grant.amount),
    grants.map((grant) => grant.dailyMax),
    bytesArray(grants.map((grant) => grant.keyHash)),
    grants.map((grant) => grant.key),
    grants.map((grant) => grant.reason),
    stories.map((story) => story.before).join('\n'),
    stories.map((story) => story.after).join('\n'),
    pages.places,
    Array.from({ length: pages.count }, () => randomUUIDv7()),
  ]
  try {
    const [done] = await connection.commitOne(grantAll, columns)
    return done?.may === true ? done.balances.split(',').map(Number) : undefined
  } catch (error) {
    if (error instanceof DatabaseFailure && error.isDuplicate) return undefined
    throw error
  }
}

/** On which page of its merchant's each grant is told. */
function pagesOf(grants: readonly KeyedGrant[]): { places: number[]; count: number } {
  const open = new Map<number, { page: number; left: number }>()
  let count = 0
  const places = grants.map(({ merchantId }) => {
    let own = open.get(merchantId)
    if (own === undefined || own.left === 0)
      open.set(merchantId, (own = { page: ++count, left: eventsPerPageMax }))
    own.left--
    return own.page
  })
  return { places, count }
}

/**
 * The event's text around its two balances, which only the database knows. Within a value there is no quote without a
 * backslash, so that they are found in one place, and no line break.
 */
function storyOf(grant: KeyedGrant, now: Date): { before: string; after: string } {
  const { type, at, data } = spinsGranted({ ...grant, balanceAfter: grant.amount }, grant, now)
  const text = JSON.stringify([type, at.getTime(), data])
  const balances = `"oldBalance":0,"newBalance":${grant.amount}`
  const place = text.indexOf(balances)
  return { before: text.slice(0, place), after: text.slice(place + balances.length) }
}

// The rows are locked in the order of `wanted`, all of them before `verdict` is there, and nothing is written before that.
export const grantAll = statement<{ may: boolean; balances: string }>(`
with locked as materialized (
  select
    wanted.*,
    player_no,
    entry_count + 1 as entry_no,
    balance,
    balance + amount as balance_after,
    play_count,
    greatest(granted_day, $2::int) as day,
    case when granted_day < $2::int then 0 else granted_day_total end + amount as day_total,
    blocked_at is not null as is_blocked
  from (
    select *
    from unnest(
      $3::int[], $4::int[], $5::text[], $6::int[], $7::int[], $8::bytea[], $9::text[], $10::text[],
      string_to_array($11, e'\\n'), string_to_array($12, e'\\n'), $13::int[]
    ) with ordinality as wanted (
      shard, merchant_id, player_id, amount, day_max, key_hash, key, reason, told_before, told_after, page, place
    )
    order by shard, merchant_id, player_id collate "C"
  ) as wanted
  cross join lateral (
    select player_no, entry_count, balance, play_count, granted_day, granted_day_total, blocked_at
    from players
    where players.shard = wanted.shard
    and players.merchant_id = wanted.merchant_id
    and players.player_id = wanted.player_id
    for update
  ) as player
),
verdict as materialized (
  select
    count(*) = cardinality($5::text[])
    and bool_and(not is_blocked and balance_after <= ${balanceMax} and (day_max is null or day_total <= day_max)) as may
  from locked
),
entered as (
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at
  )
  select
    shard, player_no, merchant_id, entry_no, 'grant', amount, balance_after, key_hash, key, reason, $1::timestamptz
  from locked
  where (select may from verdict)
),
told as (
  insert into event_pages (shard, merchant_id, page_id, event_count, body, created_at)
  select
    min(shard),
    merchant_id,
    ($14::uuid[])[page],
    count(*),
    '[' || string_agg(
      concat(told_before, '"oldBalance":', balance, ',"newBalance":', balance_after, told_after), ',' order by place
    ) || ']',
    $1::timestamptz
  from locked
  where (select may from verdict)
  group by page, merchant_id
  order by page
),
changed as (
  insert into players (
    shard, merchant_id, player_id, player_no, balance, entry_count, play_count, granted_day, granted_day_total, created_at
  )
  overriding system value
  select
    shard, merchant_id, player_id, player_no, balance_after, entry_no, play_count, day, day_total, $1::timestamptz
  from locked
  where (select may from verdict)
  on conflict (shard, merchant_id, player_id) do update
  set
    balance = excluded.balance,
    entry_count = excluded.entry_count,
    granted_day = excluded.granted_day,
    granted_day_total = excluded.granted_day_total
)
select (select may from verdict), string_agg(balance_after::text, ',' order by place) as balances
from locked`)
