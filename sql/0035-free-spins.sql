-- Free spins that come back (docs/decisions/0073-free-spins-are-collected-lazily.md). The rule of a campaign, or null.
alter table campaigns
  add column free_spins jsonb;

-- What each player has collected last in a campaign, and its streak. Players who have never collected have no row. A row
-- changes only under the lock on its player's row. 0 is the campaign `main`.
create table player_free_spins (
  collected_at timestamptz not null,
  period_ends_at timestamptz not null,
  -- When the time zone changed last.
  zone_changed_at timestamptz,
  player_no bigint not null,
  -- Numbers count from 1970. Those of different kinds can't be compared.
  period bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null check (campaign_id >= 0),
  streak int not null check (streak >= 1),
  best_streak int not null check (best_streak >= streak),
  kind text collate "C" not null,
  time_zone text collate "C" not null,
  primary key (shard, player_no, campaign_id)
)
with (fillfactor = 70);

create index player_free_spins_campaign_idx on player_free_spins (merchant_id, campaign_id);

-- Times in which players could not play. They break no streak. Null: all merchants, all campaigns, all wheels.
create table interruptions (
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  merchant_id int,
  campaign_id int,
  wheel_id int,
  check (ends_at >= starts_at)
);

create index interruptions_idx on interruptions (merchant_id, ends_at);

-- One row: when a server was alive last. A gap is an outage.
create table signs_of_life (
  alive_at timestamptz not null,
  is_only boolean primary key default true check (is_only)
);

-- A later migration validates it, without locking anybody out.
alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0
      when 'play' then amount = -1
      when 'prize' then amount > 0
      when 'free' then amount > 0
      when 'expiry' then amount < 0
      when 'correction' then reason is not null
      else false
    end
  ) not valid;
