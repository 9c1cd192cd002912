-- Campaigns (docs/decisions/0051-campaigns-and-purses.md). A campaign is what a game link opens: a wheel, a purse, dates.
-- Every merchant has the campaign `main`: its purse is players.balance and its wheel is merchants.wheel_id. It has a row
-- here only once its name, dates or texts were changed. A null campaign_id below means `main`.

create table campaigns (
  campaign_id int generated always as identity primary key,
  merchant_id int not null references merchants,
  slug text collate "C" not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name text not null check (char_length(name) between 1 and 80),
  wheel_id int references wheels,
  -- The number of the campaign that the purse was made for. Campaigns may share one; 0 is players.balance.
  purse_id int not null check (purse_id >= 0),
  priority int not null default 0 check (priority between -1000 and 1000),
  opens_at timestamptz,
  closes_at timestamptz,
  texts jsonb not null default '{}',
  revision int not null default 1,
  paused_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  unique (merchant_id, slug),
  check (closes_at > opens_at),
  check ((slug = 'main') = (wheel_id is null)),
  check (slug <> 'main' or (purse_id = 0 and archived_at is null))
);

-- With such a token, the two merchant operations mean this campaign.
alter table service_tokens
  add column campaign_id int references campaigns;

-- Balances of purses other than 0. A row changes only under the lock on its player's row.
create table player_purses (
  player_no bigint not null,
  shard int not null,
  purse_id int not null check (purse_id >= 1),
  balance int not null check (balance between 0 and 1000000000),
  -- The day of the last grant to this purse, as in players.
  granted_day int not null default 0,
  primary key (shard, player_no, purse_id)
)
with (fillfactor = 70);

-- `balance_after` is the balance of the entry's purse; null is purse 0. `entry_no` counts over all purses. A campaign may
-- use the purse of another one, so the entry has both. The key of initial spins contains the campaign, which the audit
-- checks; a later migration validates the constraint, without locking anybody out.
alter table ledger_entries
  add column purse_id int,
  add column campaign_id int,
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0
      when 'play' then amount = -1
      when 'prize' then amount > 0
      when 'expiry' then amount < 0
      when 'correction' then reason is not null
      else false
    end
  ) not valid;

alter table plays
  add column campaign_id int;

-- Links made with an idempotency key, so that a repeat gets the same link. Rows of expired links are deleted by later ones.
create table link_keys (
  created_at timestamptz not null,
  expires_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  link_id uuid not null,
  key_hash bytea not null check (octet_length(key_hash) = 16),
  -- What was asked for: another request under the same key is refused.
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  primary key (key_hash, shard)
);

create index link_keys_expiry_idx on link_keys (expires_at);
