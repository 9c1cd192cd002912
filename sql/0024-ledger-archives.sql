-- Entries and plays of closed periods move into files, which stay part of the ledger
-- (docs/decisions/0060-closed-periods-move-into-files.md). What the game still needs of them stays here.

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

-- A key is known for ever: the answer to its repeat.
create table archived_keys (
  shard int not null,
  amount int not null,
  balance_after int not null,
  key_hash bytea not null,
  primary key (key_hash, shard)
);

revoke update, delete, truncate on archived_keys from current_user;

-- What a player carries forward: the entries and plays up to these numbers are in files.
create table archived_players (
  player_no bigint not null,
  -- The last entry that gave spins, by which spins expire.
  granted_at timestamptz,
  grant_no int,
  shard int not null,
  merchant_id int not null,
  entry_no int not null check (entry_no >= 1),
  play_no int not null check (play_no >= 0),
  balance int not null,
  primary key (shard, player_no)
);

-- The same number again, where grants see it: a player without it has no archived keys.
alter table players
  add column archived_entry_no int;
