-- What belongs to a merchant and changes rarely. On Citus these are reference tables, so they hold no counters.

create table merchants (
  merchant_id int generated always as identity primary key,
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name text not null check (char_length(name) between 1 and 200),
  strict_players boolean not null default false,
  grant_max int not null default 1000000 check (grant_max between 1 and 1000000),
  daily_grant_max int check (daily_grant_max between 1 and 1000000000),
  link_lifetime_seconds int not null default 86400 check (link_lifetime_seconds between 300 and 2592000),
  -- Game links from before this moment are revoked.
  links_valid_from timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null
);

create table service_tokens (
  token_id text collate "C" primary key,
  merchant_id int not null references merchants,
  name text not null check (char_length(name) between 1 and 200),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['spins', 'links', 'manage']),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

create index on service_tokens (merchant_id);

create table service_token_uses (
  token_id text collate "C" primary key references service_tokens,
  last_used_at timestamptz not null
);

create table signing_keys (
  key_id text collate "C" primary key,
  algorithm text not null check (algorithm = 'HS256'),
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz
);

create table revoked_links (
  merchant_id int not null references merchants,
  link_id text collate "C" not null,
  revoked_at timestamptz not null,
  primary key (merchant_id, link_id)
);

-- What belongs to a player. `shard` is a pure function of merchant and player (src/players/shard.ts) and comes first
-- in every key, so that these tables can be distributed by it. A player is known outside by merchant and player_id, and
-- inside by player_no: eight bytes in every ledger row and index instead of up to 512, and nothing personal in the ledger.
-- No foreign keys from here: each new row would lock its merchant's row, and nothing here is ever deleted anyway.
-- `wheelhouse audit` looks for rows without an owner.

create table players (
  player_no bigint generated always as identity,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  balance int not null default 0 check (balance between 0 and 1000000000),
  entry_count int not null default 0 check (entry_count >= 0),
  -- What the player was granted on one day, counted in days since 1970-01-01 (UTC), for the merchant's daily ceiling.
  granted_day int not null default 0,
  granted_day_total bigint not null default 0 check (granted_day_total >= 0),
  links_valid_from timestamptz,
  blocked_at timestamptz,
  player_id text collate "C" not null check (char_length(player_id) between 1 and 128),
  primary key (shard, merchant_id, player_id)
)
-- Balances change in place and no index holds a column that changes: with room on the page every update is a HOT one.
with (fillfactor = 70);

-- Append-only. `entry_no` counts a player's entries from 1 without a gap, and `balance_after` is their running sum.
-- The row is also the idempotency record: a repeated key finds it and is answered from it. It is found by `key_hash`
-- (src/players/ledger.ts), 16 bytes of player, kind and key. An index on these themselves would be three times as wide,
-- and would not be used: it shares its first columns with the primary key, which the planner took for as good; a player
-- with 5,000 entries then cost seconds.
create table ledger_entries (
  player_no bigint not null,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  entry_no int not null check (entry_no >= 1),
  amount int not null check (amount <> 0),
  balance_after int not null check (balance_after between 0 and 1000000000),
  kind text collate "C" not null,
  key_hash bytea not null check (octet_length(key_hash) = 16),
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  reason text check (char_length(reason) between 1 and 500),
  primary key (shard, player_no, entry_no),
  unique (shard, key_hash),
  check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0 and key = 'initial'
      else false
    end
  )
);

-- Not even the owner rewrites history. (A superuser still can; `wheelhouse audit` recomputes.)
revoke update, delete, truncate on ledger_entries from current_user;
