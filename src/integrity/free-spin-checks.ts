/** The free spins in the ledger, with what their keys say: `free-<campaign>.<kind of period>-<number>`. */
const freeEntries = `
  select
    *,
    coalesce(campaign_id, 0) as campaign,
    substring(key from '^free-\\d+\\.(day|week|\\d+m)-\\d+$') as period_kind,
    substring(key from '^free-\\d+\\.(?:day|week|\\d+m)-(\\d+)$')::bigint as period
  from ledger_entries
  where kind = 'free'`

/** Each finds free spins that break a rule. */
export const freeSpinChecks = {
  'free spins name their campaign and period, and expire': `
select shard, player_no, entry_no, key, campaign_id, created_at, expires_at
from (${freeEntries}
) as entries
where period is null
or split_part(split_part(key, '-', 2), '.', 1) <> campaign::text
or expires_at is null
or expires_at <= created_at`,

  "a player's free spins are those of later and later periods": `
select shard, player_no, entry_no, key, period_before
from (
  select *, lag(period) over (partition by shard, player_no, campaign, period_kind order by entry_no) as period_before
  from (${freeEntries}
  ) as entries
) as periods
where period <= period_before`,

  'a player has collected last what the ledger says': `
select shard, player_no, campaign, states.kind, states.period, entries.period as entered, collected_at, created_at
from (
  select *, campaign_id as campaign
  from player_free_spins
) as states
full join (
  select distinct on (shard, player_no, campaign) shard, player_no, campaign, period_kind, period, created_at, merchant_id
  from (${freeEntries}
  ) as entries
  order by shard, player_no, campaign, entry_no desc
) as entries using (shard, player_no, campaign)
left join archived_players as archived using (shard, player_no)
where states.period is null
or (entries.period is null and archived.entry_no is null)
or (states.kind, states.period, states.collected_at, states.merchant_id)
  <> (entries.period_kind, entries.period, entries.created_at, entries.merchant_id)`,

  'a streak grows by one with each visit that collects, or begins anew': `
select shard, player_no, entry_no, streak, streak_before
from (
  select *, lag(streak) over (partition by shard, player_no, campaign order by entry_no) as streak_before
  from (${freeEntries}
  ) as entries
  join free_spin_terms using (shard, player_no, entry_no)
  where streak is not null
) as streaks
where streak not in (1, streak_before + 1)`,
}
