-- Merchants with campaigns have archives too (docs/decisions/0069-archives-carry-purses-and-lots.md).

-- What a player carries forward in other purses than 0, whose balance is in archived_players.
create table archived_purses (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  purse_id int not null check (purse_id >= 1),
  balance int not null,
  primary key (shard, player_no, purse_id)
);

-- What was left of a lot when its grant and what followed was archived. Lots that 0034 made of whole balances are here from
-- the beginning: no entry says that their spins expire. They have no `amount`.
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

insert into carried_lots (expires_at, player_no, shard, merchant_id, lot_no, purse_id, amount, spins)
select
  expires_at,
  player_no,
  shard,
  spin_lots.merchant_id,
  lot_no,
  purse_id,
  case when source <> 'carried' then amount end,
  amount - archived_taken
from spin_lots
left join archived_players using (shard, player_no)
where source = 'carried'
or lot_no <= archived_players.entry_no;

alter table spin_lots
  drop column archived_taken;

-- Spins expire by lot now, and no longer by the last grant.
alter table archived_players
  drop column grant_no,
  drop column granted_at;

-- The campaign is part of what a repeated key is compared with. So far, only merchants without campaigns had archives.
alter table archived_keys
  add column campaign_id int;
