import { fallbackReasons } from '../fairness/fallback-reasons.ts'

/** Every play that gave its drawn prize, with the published segment, and whether the prize returned to its stock. */
const wonSegments = `
    select
      plays.*,
      document -> 'segments' -> plays.segment::int as segment_given,
      prize_settlements.play_no is not null as was_returned
    from plays
    join wheel_versions on wheel_versions.wheel_id = plays.wheel_id and version = wheel_version
    left join prize_settlements
      on prize_settlements.shard = plays.shard
      and prize_settlements.player_no = plays.player_no
      and prize_settlements.play_no = plays.play_no
      and stock_returned
    where fallback_reason is null`

/** Plays that are not archived. Of those that are, prizes are still here. */
const livePlays = `
  select plays.*
  from plays
  left join archived_players as archived using (shard, player_no)
  where plays.play_no > coalesce(archived.play_no, 0)`

/** Each finds rows that break a rule of the ledger, or of what depends on it. */
export const ledgerChecks = {
  "a player's balance is the sum of its entries, and its count their number": `
select
  players.merchant_id,
  player_id,
  players.balance,
  coalesce(archived.balance, 0) + coalesce(sum, 0) as sum_of_entries,
  entry_count,
  coalesce(archived.entry_no, 0) + coalesce(count, 0) as entries
from players
left join archived_players as archived using (shard, player_no)
left join (
  select shard, player_no, sum(amount) filter (where purse_id is null), count(*)
  from ledger_entries
  group by shard, player_no
) as sums using (shard, player_no)
where players.balance <> coalesce(archived.balance, 0) + coalesce(sum, 0)
or entry_count <> coalesce(archived.entry_no, 0) + coalesce(count, 0)`,

  'no balance is below zero or above the limit': `
select merchant_id, player_id, balance
from players
where balance < 0
or balance > 1000000000`,

  'entries are numbered from one without a gap, and each balance is the previous one of its purse plus the amount': `
select shard, player_no, purse_id, entry_no, amount, balance_after, no_before, balance_before
from (
  select
    entry.*,
    coalesce(lag(entry.entry_no) over own, archived.entry_no, 0) as no_before,
    coalesce(
      lag(balance_after) over (partition by shard, player_no, purse_id order by entry.entry_no),
      case when purse_id is null then archived.balance else archived_purses.balance end,
      0
    ) as balance_before
  from ledger_entries as entry
  left join archived_players as archived using (shard, player_no)
  left join archived_purses using (shard, player_no, purse_id)
  window own as (partition by shard, player_no order by entry.entry_no)
) as steps
where entry_no <> no_before + 1
or balance_after <> balance_before + amount
or balance_after < 0`,

  'amounts, names, keys, reasons and counts are within their limits': `
select shard, player_no, entry_no
from ledger_entries
where amount = 0
or octet_length(key_hash) <> 16
or (key_hash is null and kind <> 'play')
or octet_length(key) not between 1 and 255
or char_length(reason) not between 1 and 500
union all
select shard, player_no, null
from players
where granted_day_total < 0
or char_length(player_id) not between 1 and 128
union all
select shard, player_no, null
from plays
where play_no < 1
or drawn < 0
or segment < 0
or octet_length(player_seed) <> 32
or fallback_reason not in (${fallbackReasons.map((reason) => `'${reason}'`).join(', ')})
union all
select shard, null, null
from event_pages
where event_count not between 1 and 10000`,

  'no idempotency key has had two effects': `
select shard, player_no, kind, key, count(*)
from ledger_entries
group by shard, player_no, kind, key
having count(*) > 1`,

  "every entry is found by its player's name": `
select shard, player_no, entry_no
from ledger_entries
join players using (shard, player_no)
where erased_at is null
and key_hash <> substring(
  sha256(convert_to(
    kind || chr(10) || ledger_entries.merchant_id || chr(10) || key || chr(10) || player_id, 'UTF8'
  )) from 1 for 16
)
and (
  kind not in ('initial', 'free', 'expiry')
  or key_hash <> substring(
    sha256(convert_to(
      kind || chr(10) || ledger_entries.merchant_id || chr(10) || key || '/' || player_no || chr(10) || player_id, 'UTF8'
    )) from 1 for 16
  )
)`,

  'every entry belongs to a player of the same merchant': `
select shard, player_no, entry_no, ledger_entries.merchant_id
from ledger_entries
left join players using (shard, player_no)
where players.player_no is null
or players.merchant_id <> ledger_entries.merchant_id`,

  'every player belongs to a merchant': `
select merchant_id, player_id
from players
left join merchants using (merchant_id)
where merchants.merchant_id is null`,

  'every player is in the shard of its id': `
select merchant_id, player_id, shard
from players
where shard <> ($1::int[])[(get_byte(sha256(convert_to(merchant_id || ':' || player_id, 'UTF8')), 0) & 63) + 1]`,

  "a player's plays count up from one without a gap, to its play count": `
select players.merchant_id, player_id, play_count, plays, last_no
from players
left join archived_players as archived using (shard, player_no)
left join (
  select shard, player_no, count(*) as plays, max(play_no) as last_no
  from (${livePlays}) as live
  group by shard, player_no
) as counted using (shard, player_no)
where play_count <> coalesce(archived.play_no, 0) + coalesce(plays, 0)
or play_count <> coalesce(last_no, archived.play_no, 0)`,

  'every play has spent one spin, and every spent spin has a play': `
select shard, player_no, play_no, play_id, key
from (${livePlays}) as live
full join (
  select
    shard,
    player_no,
    coalesce(archived.play_no, 0)
      + row_number() over (partition by shard, player_no order by entry.entry_no)::int as play_no,
    campaign_id as spent_campaign,
    key,
    key_hash
  from ledger_entries as entry
  left join archived_players as archived using (shard, player_no)
  where kind = 'play'
) as spent using (shard, player_no, play_no)
where play_id is null
or key is null
or campaign_id is distinct from spent_campaign
or key <> case when key_hash is null then play_no::text else play_id::text end`,

  'the count of each limited prize equals its wins minus its returns, and is within its stock': `
select merchant_id, wheel_id, prize_id, stock, given, won
from prize_stocks
full join (
  select merchant_id, wheel_id, segment_given ->> 'id' as prize_id, count(*) filter (where not was_returned) as won
  from (${wonSegments}) as wins
  where segment_given ? 'stock'
  or segment_given ? 'stockPerDay'
  group by 1, 2, 3
) as counted using (merchant_id, wheel_id, prize_id)
where coalesce(given, 0) <> coalesce(won, 0)
or given > stock`,

  'every run of a paced prize has given what its entries say, in their order': `
select merchant_id, wheel_id, prize_id, run, awards, returned, entries, given, given_back, entered
from pace_runs
full join (
  select
    merchant_id,
    wheel_id,
    prize_id,
    run,
    coalesce(max(unit) filter (where kind = 'award'), 0) as given,
    coalesce(max(unit) filter (where kind = 'return'), 0) as given_back,
    count(*) as entered,
    max(entry_no) as last_no
  from pace_entries
  group by 1, 2, 3, 4
) as sums using (merchant_id, wheel_id, prize_id, run)
where coalesce(awards, 0) <> coalesce(given, 0)
or coalesce(returned, 0) <> coalesce(given_back, 0)
or coalesce(entries, 0) <> coalesce(entered, 0)
or entered <> last_no`,

  'every award of a paced prize went to a play that met a gate': `
select pace_entries.merchant_id, pace_entries.wheel_id, prize_id, run, entry_no, play
from pace_entries
left join (
  select merchant_id, encode(sha256(convert_to(play_id::text, 'UTF8')), 'hex') as play
  from plays
  where gates is not null
  and won
) as winners using (merchant_id, play)
where winners.play is null`,

  'every code taken from a pool was won once, and that of a refused prize was given back': `
select merchant_id, pool, taken, kept, different
from code_pools
full join (
  select
    wins.merchant_id,
    segment_given -> 'prize' ->> 'pool' as pool,
    count(*) filter (where decision is distinct from 'refused') as kept,
    count(distinct coalesce(wins.code, prize_holds.code)) as different
  from (${wonSegments}) as wins
  left join prize_holds
    on prize_holds.shard = wins.shard
    and prize_holds.player_no = wins.player_no
    and prize_holds.play_no = wins.play_no
  where segment_given -> 'prize' ? 'pool'
  group by 1, 2
) as counted using (merchant_id, pool)
where coalesce(taken, 0) <> coalesce(kept, 0)
or kept <> different`,

  'a held prize waits for staff, and only what they released is settled; only held prizes are refused': `
select shard, player_no, play_no, decision, state
from prize_holds
full join (
  select distinct on (shard, player_no, play_no) shard, player_no, play_no, state
  from prize_settlements
  order by shard, player_no, play_no, step
) as first using (shard, player_no, play_no)
left join plays using (shard, player_no, play_no)
where (decision is null and held_at is not null and state is not null)
or (decision = 'released' and state = 'refused')
or (decision = 'refused' and state is distinct from 'refused')
or (held_at is null and state = 'refused')
or (held_at is not null and (plays.won is not true or plays.created_at <> held_at or plays.code is not null))`,

  'extra spins come only from the plays that won them, in their campaign': `
select coalesce(wins.shard, given.shard) as shard, coalesce(wins.player_no, given.player_no) as player_no, play_id, key, amount
from (
  select all_wins.*
  from (${wonSegments}) as all_wins
  left join archived_players as archived using (shard, player_no)
  where segment_given -> 'prize' ? 'spins'
  and all_wins.play_no > coalesce(archived.play_no, 0)
) as wins
full join (
  select *
  from ledger_entries
  where kind = 'prize'
) as given on given.shard = wins.shard and given.player_no = wins.player_no and given.key = wins.play_id::text
where wins.play_id is null
or given.key is null
or given.campaign_id is distinct from wins.campaign_id
or amount <> (segment_given -> 'prize' ->> 'spins')::int`,

  'an expiry removed all spins of the purse, or what was left of one lot': `
select shard, player_no, entry_no, key, amount, balance_after, lots
from ledger_entries
where kind = 'expiry'
and case
  when lots is null then balance_after <> 0
  else key <> 'lot-' || lots[1] or lots[2] <> -amount or cardinality(lots) <> 2
end`,

  'events in the log are numbered without a gap': `
with streams as materialized (
  select merchant_id, first_kept_seq, next_seq
  from event_streams
), numbered as materialized (
  select merchant_id, first_seq, event_count
  from event_pages
  left join streams using (merchant_id)
  where first_seq >= coalesce(first_kept_seq, 1)
)
select merchant_id, first_kept_seq, next_seq, first_seq, event_count, seq_due
from streams
full join (
  select
    *,
    lag(first_seq + event_count) over own as seq_due,
    first_seq = max(first_seq) over (partition by merchant_id) as is_last
  from numbered
  window own as (partition by merchant_id order by first_seq)
) as pages using (merchant_id)
where next_seq is null
or first_seq <> coalesce(seq_due, first_kept_seq)
or (is_last and first_seq + event_count <> next_seq)
or (first_seq is null and first_kept_seq <> next_seq)`,

  'only won prizes are settled, with the merchant and time of their play': `
select prize_settlements.shard, prize_settlements.player_no, prize_settlements.play_no, state
from prize_settlements
left join plays using (shard, player_no, play_no)
where plays.won is not true
or plays.merchant_id <> prize_settlements.merchant_id
or plays.created_at <> won_at`,

  'no prize is claimed or settled after its final settlement, unless a redemption was taken back': `
select shard, player_no, play_no, step, state, state_before
from (
  select
    *,
    lag(step) over own as step_before,
    lag(state) over own as state_before,
    lag(settled_at) over own as settled_before
  from prize_settlements
  window own as (partition by shard, player_no, play_no order by step)
) as steps
where settled_at < settled_before
or (state = 'expired' and step_before is not null)
or (step > 2 and step_before is distinct from step - 1)
or (step > 2 and state = 'claimed' and state_before <> 'redeemed')`,

  'no player number appears twice': `
select shard, player_no, count(*)
from players
group by shard, player_no
having count(*) > 1`,
}
