-- Tokens that may read events. Few rows: they are checked at once.
alter table service_tokens
  drop constraint service_tokens_scopes_check,
  add constraint service_tokens_scopes_check check (
    cardinality(scopes) > 0
    and scopes <@ array['spins', 'links', 'manage', 'events']
  );

-- Spins expire that many days after the player's last grant; null for never.
alter table merchants
  add column spin_lifetime_days int check (spin_lifetime_days between 1 and 3650);

-- One more kind of entry. The rows that are there fit; a later migration makes sure of it, without locking anybody out.
alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0 and key = 'initial'
      when 'play' then amount = -1
      when 'prize' then amount > 0
      when 'expiry' then amount < 0
      else false
    end
  ) not valid;

-- How far the search for expired spins has come in a merchant's players, in the order of their primary key. No index leads
-- to them: it would hold columns that change with every grant and play. The row is the lock under which one process
-- takes the next step.
create table spin_expiry_sweeps (
  merchant_id int primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The place of the shard in the list of shards, and the last player that was looked at in it.
  shard_place smallint not null default 0 check (shard_place between 0 and 64),
  after_player_id text collate "C" not null default ''
)
with (fillfactor = 50);
