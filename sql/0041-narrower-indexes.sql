-- An entry of these indexes takes 28 bytes instead of 36: a shard before a player's number is padded to eight bytes. The
-- indexes may have been built beforehand, without a lock (docs/backup.md, "Large tables").
create unique index if not exists plays_by_player on plays (player_no, play_no, shard);
alter table plays drop constraint plays_pkey;
alter table plays add constraint plays_pkey primary key using index plays_by_player;

create unique index if not exists ledger_entries_by_player on ledger_entries (player_no, entry_no, shard);
alter table ledger_entries drop constraint ledger_entries_pkey;
alter table ledger_entries add constraint ledger_entries_pkey primary key using index ledger_entries_by_player;

-- Debits of plays have no key hash, and took an entry each all the same.
create unique index if not exists ledger_entries_by_hash on ledger_entries (key_hash, shard) where key_hash is not null;
do $$
begin
  if exists (select from pg_index where indexrelid = 'ledger_entries_by_hash'::regclass and not indisvalid) then
    raise 'The index ledger_entries_by_hash is not valid. Drop it, and migrate again.';
  end if;
end
$$;
drop index ledger_entries_by_key;
alter index ledger_entries_by_hash rename to ledger_entries_by_key;
