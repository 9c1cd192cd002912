-- Rows are looked up by what is unique in them, first in the index and alone: while a table is small or its statistics say
-- so, the planner takes any index that begins with the shard for as good, and then reads a whole shard for every row.

create unique index ledger_entries_by_key on ledger_entries (key_hash, shard);
alter table ledger_entries drop constraint ledger_entries_shard_key_hash_key;

create unique index plays_by_id on plays (play_id, shard, player_no);
alter table plays drop constraint plays_shard_play_id_player_no_key;
