-- Links for a whole list of players. No token is stored: it is signed whenever the file is downloaded.

create table link_lists (
  created_at timestamptz not null,
  -- The end of all its links. The list is deleted after it.
  expires_at timestamptz not null,
  -- When the last link was made or refused.
  finished_at timestamptz,
  deleted_at timestamptz,
  list_id uuid not null,
  merchant_id int not null references merchants (merchant_id),
  players int not null check (players >= 1),
  -- Null until it is finished.
  made int,
  refused int,
  -- `main`, the id of another campaign, or `*` for the lobby.
  campaign text collate "C" not null,
  language text collate "C",
  created_by text not null,
  primary key (merchant_id, list_id)
);

create index link_lists_unfinished_idx on link_lists (merchant_id) where finished_at is null;

create table link_list_players (
  -- The player of the link, once it is made.
  player_no bigint,
  link_id uuid not null,
  list_id uuid not null,
  shard int not null,
  merchant_id int not null,
  -- In the order of the request.
  place int not null,
  player_id text collate "C" not null,
  -- Why there is no link.
  refusal text collate "C",
  -- By player first, for erasure.
  primary key (player_id, merchant_id, list_id, shard)
);

create index link_list_players_place_idx on link_list_players (merchant_id, list_id, place);

create index link_list_players_unmade_idx on link_list_players (merchant_id, list_id, shard)
  where player_no is null and refusal is null;
