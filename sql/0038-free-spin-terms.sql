-- The audit computes free spins again (docs/decisions/0075-the-audit-recomputes-free-spins.md). For that, every rule that a
-- campaign has had is kept. 0 is the campaign `main`.
create table free_spin_rules (
  since timestamptz not null,
  merchant_id int not null,
  campaign_id int not null check (campaign_id >= 0),
  rule jsonb not null,
  primary key (merchant_id, campaign_id, since)
);

insert into free_spin_rules (since, merchant_id, campaign_id, rule)
select
  (free_spins ->> 'since')::timestamptz,
  merchant_id,
  case slug when 'main' then 0 else campaign_id end,
  free_spins
from campaigns
where free_spins is not null;

-- By what an entry of kind `free` was computed, beside its period, which is in its key.
create table free_spin_terms (
  rule_since timestamptz not null,
  player_no bigint not null,
  shard int not null,
  entry_no int not null,
  -- Null for a period that was saved up: it has no extra spins.
  streak int check (streak >= 1),
  -- Null once the player was erased.
  time_zone text collate "C",
  primary key (shard, player_no, entry_no)
);

-- Of 0035-free-spins.sql. Nobody is locked out meanwhile.
alter table ledger_entries
  validate constraint ledger_entries_kind_check;
