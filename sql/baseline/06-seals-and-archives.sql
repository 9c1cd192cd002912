-- Seals over the ledger (decision 20). Both tables are append-only, and written by a worker behind the write path.

-- What a seal covers, player by player: the entries and plays after the player's part before, up to these numbers.
create table ledger_seal_parts (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  seal_no int not null check (seal_no >= 1),
  entry_no int not null check (entry_no >= 0),
  play_no int not null check (play_no >= 0),
  digest bytea not null check (octet_length(digest) = 32),
  primary key (shard, player_no, seal_no)
);

revoke update, delete, truncate on ledger_seal_parts from current_user;

-- A merchant's seals are a chain: each holds the hash of the one before in its own.
create table ledger_seals (
  merchant_id int not null,
  seal_no int not null check (seal_no >= 1),
  sealed_at timestamptz not null,
  entries bigint not null check (entries >= 0),
  plays bigint not null check (plays >= 0),
  -- Over the seal's parts, in the order of shard and player.
  parts_sha256 bytea not null check (octet_length(parts_sha256) = 32),
  -- Which key the hash was made with; null for none.
  key_id text collate "C" check (key_id ~ '^[0-9a-f]{16}$'),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (merchant_id, seal_no)
);

revoke update, delete, truncate on ledger_seals from current_user;

-- Entries and plays of closed periods move into files, which stay part of the ledger (decision 60). What the game still
-- needs of them stays here.

-- One row for each file. The seals that it covers follow those of the file before without a gap.
create table ledger_archives (
  merchant_id int not null,
  archive_no int not null check (archive_no >= 1),
  first_seal_no int not null check (first_seal_no >= 1),
  last_seal_no int not null,
  entries bigint not null check (entries >= 0),
  plays bigint not null check (plays >= 0),
  -- The spins that all its entries together gave.
  spins bigint not null,
  bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  archived_at timestamptz not null,
  -- When the last of its rows was removed from the database.
  removed_at timestamptz,
  primary key (merchant_id, archive_no),
  check (last_seal_no >= first_seal_no)
);

revoke update, delete, truncate on ledger_archives from current_user;
grant update (removed_at) on ledger_archives to current_user;

-- A key is known for ever: the answer to its repeat, and what the repeat is compared with.
create table archived_keys (
  shard int not null,
  amount int not null,
  balance_after int not null,
  key_hash bytea not null,
  expires_at timestamptz,
  campaign_id int,
  primary key (key_hash, shard)
);

revoke update, delete, truncate on archived_keys from current_user;

-- What a player carries forward: the entries and plays up to these numbers are in files.
create table archived_players (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  entry_no int not null check (entry_no >= 1),
  play_no int not null check (play_no >= 0),
  balance int not null,
  primary key (shard, player_no)
);

-- What a player carries forward in other purses than 0 (decision 69).
create table archived_purses (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  purse_id int not null check (purse_id >= 1),
  balance int not null,
  primary key (shard, player_no, purse_id)
);

-- What was left of a lot when its grant and what followed was archived. Lots without an `amount` were made of whole
-- balances by an upgrade from 0.2.0: no entry says that their spins expire.
create table carried_lots (
  expires_at timestamptz not null,
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  lot_no int not null,
  purse_id int not null,
  amount int,
  spins int not null,
  primary key (shard, player_no, lot_no)
);
