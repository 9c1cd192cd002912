-- The ids of erased players, as keyed hashes (docs/decisions/0093-an-erased-id-gets-nothing-twice.md). They tell a new
-- player's first visit whether an erased player of the same id has collected free spins already.
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
