-- Players and the ledger of their spins. `shard` is a pure function of merchant and player (`shardOf`) and is in every
-- key, so that these tables can be distributed by it. A player is known outside by merchant and player_id, and inside
-- by player_no: eight bytes in every ledger row and index instead of up to 512, and nothing personal in the ledger. No
-- foreign keys from here: each new row would lock its merchant's row, and players are never deleted anyway. `wheelhouse
-- audit` looks for rows without an owner.
--
-- Few checks, because PostgreSQL reads the text of every check anew for every statement: more of them took a quarter of
-- the time of a grant (decision 26). The program checks the rest before it writes, and `wheelhouse audit` afterwards.
-- What keeps spins from coming out of nothing stays: the bounds of `balance` and `balance_after`, and what each kind of
-- entry may do.

create table players (
  player_no bigint generated always as identity,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  balance int not null default 0 check (balance between 0 and 1000000000),
  entry_count int not null default 0,
  -- What the player was granted on one day, counted in days since 1970-01-01 (UTC), for the merchant's daily ceiling.
  granted_day int not null default 0,
  granted_day_total bigint not null default 0,
  links_valid_from timestamptz,
  blocked_at timestamptz,
  player_id text collate "C" not null,
  play_count int not null default 0,
  -- From then on `player_id` is a random pseudonym.
  erased_at timestamptz,
  -- The last entry that is in a file (06-seals-and-archives.sql). A player without it has no archived keys.
  archived_entry_no int,
  -- The earliest expiry of a player's lots, over all purses. Null for most players: grants and plays need not look.
  next_expiry timestamptz,
  primary key (shard, merchant_id, player_id)
)
-- Balances change in place and no index holds a column that changes: with room on the page every update is a HOT one.
with (fillfactor = 70);

-- From plays and entries, which know a player by number, back to its name. The shard is not in it: the planner would
-- take an index that has it, at any place, for a way to a player by its name, while it believes the table to be small.
create index players_by_number on players (player_no);

create index players_blocked_idx on players (merchant_id, player_id) where blocked_at is not null;

-- For the counts of reports (10-reports.sql), which read everything once, in the order in which it was written: next to
-- nothing to maintain.
create index players_brin on players using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- Append-only. `entry_no` counts a player's entries from 1 without a gap, over all purses, and `balance_after` is the
-- running sum of the entry's purse. The row is also the idempotency record: a repeated key finds it and is answered
-- from it. It is found by `key_hash` (`keyHash`), 16 bytes of player, kind and key. An index on these themselves would
-- be three times as wide, and would not be used: it shares its first columns with the primary key, which the planner
-- took for as good; a player with 5,000 entries then cost seconds.
create table ledger_entries (
  player_no bigint not null,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  entry_no int not null,
  amount int not null,
  balance_after int not null check (balance_after between 0 and 1000000000),
  kind text collate "C" not null,
  -- Null for the debit of a play, which is found by the number of the play (decision 42).
  key_hash bytea,
  key text collate "C" not null,
  reason text,
  -- The author of an entry made by hand, as `staff:anna@example.com`. Null for merchants' systems, players and workers.
  origin text,
  -- Null is purse 0, players.balance, and the campaign `main`. A campaign may use the purse of another one, so the
  -- entry has both.
  purse_id int,
  campaign_id int,
  -- Of a grant: when its spins expire. Of an entry that takes spins: the lots that it took them from, each followed by
  -- how many; the rest of the amount are spins that never expire.
  expires_at timestamptz,
  lots int[],
  -- A shard before a player's number would be padded to eight bytes: 36 bytes for each index entry instead of 28.
  primary key (player_no, entry_no, shard),
  -- The key of initial spins contains the campaign, which the audit checks.
  constraint ledger_entries_kind_check check (
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
  )
);

-- Rows are looked up by what is unique in them, first in the index and alone: while a table is small or its statistics
-- say so, the planner takes any index that begins with the shard for as good, and then reads a whole shard for every
-- row. Debits of plays have no key hash, and would take an entry each all the same.
create unique index ledger_entries_by_key on ledger_entries (key_hash, shard) where key_hash is not null;

create index ledger_entries_brin on ledger_entries
using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- Not even the owner rewrites history. (A superuser still can; `wheelhouse audit` recomputes.)
revoke update, delete, truncate on ledger_entries from current_user;

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

-- Spins that expire (decision 71). A lot is what is left of one grant whose spins expire. All other spins of a balance
-- never expire, and have no row here. A lot that is used up or has expired is deleted.
create table spin_lots (
  expires_at timestamptz not null,
  -- When the lot needs attention next: before its expiry for the event that announces it, and then at its expiry.
  due_at timestamptz not null,
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  -- The number of the entry that granted the spins.
  lot_no int not null,
  purse_id int not null check (purse_id >= 0),
  amount int not null,
  spins_left int not null,
  source text collate "C" not null check (source in ('free', 'won', 'granted', 'carried')),
  primary key (shard, player_no, lot_no),
  check (spins_left between 1 and amount)
)
with (fillfactor = 80);

create index spin_lots_due_idx on spin_lots (merchant_id, due_at);

-- What each player has collected last in a campaign, and its streak. Players who have never collected have no row. A
-- row changes only under the lock on its player's row. 0 is the campaign `main`.
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
  best_streak int not null,
  kind text collate "C" not null,
  time_zone text collate "C" not null,
  primary key (shard, player_no, campaign_id),
  check (best_streak >= streak)
)
with (fillfactor = 70);

create index player_free_spins_campaign_idx on player_free_spins (merchant_id, campaign_id);

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

-- The verdicts of a batch of grants, so that its repeat is answered alike. No player stands in it.
create table grant_batches (
  merchant_id int not null,
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  created_at timestamptz not null,
  grants_sha256 bytea not null check (octet_length(grants_sha256) = 32),
  verdicts jsonb not null,
  primary key (merchant_id, key)
);

revoke update, delete, truncate on grant_batches from current_user;

-- Links made with an idempotency key, so that a repeat gets the same link. Rows of expired links are deleted by later
-- ones.
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

-- The ids of erased players, as keyed hashes (decision 93). They tell a new player's first visit whether an erased
-- player of the same id has collected free spins already.
create table erased_ids (
  player_no bigint not null,
  shard int not null,
  id_hash bytea not null check (octet_length(id_hash) = 32),
  primary key (shard, id_hash, player_no)
);

-- One row: the key of these hashes. The first erasure creates it.
create table erasure_key (
  secret bytea not null check (octet_length(secret) = 32),
  is_only boolean primary key default true check (is_only)
);
