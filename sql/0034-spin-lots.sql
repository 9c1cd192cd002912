-- Spins that expire (docs/decisions/0071-spins-expire-by-lot.md). A lot is what is left of one grant whose spins expire.
-- All other spins of a balance never expire, and have no row here. A lot that is used up or has expired is deleted.
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
  spins_left int not null check (spins_left between 1 and amount),
  -- What archived entries took from it.
  archived_taken int not null default 0,
  source text collate "C" not null check (source in ('free', 'won', 'granted', 'carried')),
  primary key (shard, player_no, lot_no)
)
with (fillfactor = 80);

create index spin_lots_due_idx on spin_lots (merchant_id, due_at);

-- The earliest expiry of a player's lots, over all purses. Null for most players: grants and plays then need not look.
alter table players
  add column next_expiry timestamptz;

-- Of a grant: when its spins expire. Of an entry that takes spins: the lots that it took them from, each followed by how
-- many; the rest of the amount are spins that never expire.
alter table ledger_entries
  add column expires_at timestamptz,
  add column lots int[];

alter table archived_keys
  add column expires_at timestamptz;

alter table merchants
  add column spin_expiry_notice_hours int default 24 check (spin_expiry_notice_hours between 1 and 8760);

-- The lifetime of the campaign's spins; null for the merchant's.
alter table campaigns
  add column spin_lifetime_days int check (spin_lifetime_days between 1 and 3650);

-- Until now, the whole balance of a purse expired so many days after its last grant. Such a balance becomes one lot with that
-- date: it stays what it is, in its amount and its time.
insert into spin_lots (
  expires_at, due_at, player_no, shard, merchant_id, lot_no, purse_id, amount, spins_left, source
)
select
  last.granted_at + merchants.spin_lifetime_days * interval '24 hours',
  last.granted_at + (merchants.spin_lifetime_days - 1) * interval '24 hours',
  owned.player_no,
  owned.shard,
  merchants.merchant_id,
  last.grant_no,
  owned.purse_id,
  owned.balance,
  owned.balance,
  'carried'
from merchants
join (
  select merchant_id, shard, player_no, 0 as purse_id, balance
  from players
  union all
  select merchant_id, shard, player_no, purse_id, player_purses.balance
  from player_purses
  join players using (shard, player_no)
) as owned using (merchant_id)
cross join lateral (
  (
    select created_at as granted_at, entry_no as grant_no
    from ledger_entries
    where ledger_entries.shard = owned.shard
    and ledger_entries.player_no = owned.player_no
    and coalesce(ledger_entries.purse_id, 0) = owned.purse_id
    and amount > 0
    order by entry_no desc
    limit 1
  )
  union all
  select granted_at, grant_no
  from archived_players
  where archived_players.shard = owned.shard
  and archived_players.player_no = owned.player_no
  and owned.purse_id = 0
  and grant_no is not null
  order by grant_no desc
  limit 1
) as last
where merchants.spin_lifetime_days is not null
and owned.balance > 0;

update players
set next_expiry = earliest.expires_at
from (
  select shard, player_no, min(expires_at) as expires_at
  from spin_lots
  group by shard, player_no
) as earliest
where players.shard = earliest.shard
and players.player_no = earliest.player_no;

-- The walk over all players is gone. A server of the version before that still runs can't expire whole balances any more.
drop table spin_expiry_sweeps;
