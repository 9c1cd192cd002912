-- Seals over the ledger (docs/decisions/0020-seals-behind-the-write-path.md). Both tables are append-only, and written by a
-- worker behind the write path (src/audit/seal-ledger.ts).

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
