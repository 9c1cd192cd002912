-- Wheels. A draft changes; a version never does. `document` is what the merchant wrote, with stock and limits;
-- `published` is the part that players see, as the exact text whose SHA-256 is in every proof.

create table wheels (
  wheel_id int generated always as identity primary key,
  merchant_id int not null references merchants,
  slug text collate "C" not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  draft jsonb not null,
  draft_revision int not null default 1,
  published_version int,
  paused_at timestamptz,
  created_at timestamptz not null,
  unique (merchant_id, slug)
);

create table wheel_versions (
  wheel_id int not null references wheels,
  version int not null check (version >= 1),
  document jsonb not null,
  published text not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  published_at timestamptz not null,
  primary key (wheel_id, version)
);

create index on wheel_versions (sha256);

revoke update, delete, truncate on wheel_versions from current_user;

alter table merchants
  -- The wheel that game links open.
  add column wheel_id int references wheels,
  -- The origins that may show the game in a frame.
  add column embed_origins text[] not null default '{}';

-- Server seeds are derived from keys too; unlike the keys of links, an old one is needed for ever, to prove old plays.
alter table signing_keys
  add column purpose text not null default 'links' check (purpose in ('links', 'seeds'));

-- What limits a prize, for those that are limited. A play that gives one out locks its row last.
create table prize_stocks (
  merchant_id int not null,
  wheel_id int not null,
  prize_id text collate "C" not null,
  stock int check (stock >= 0),
  given int not null default 0 check (given >= 0),
  day int not null default 0,
  day_given int not null default 0 check (day_given >= 0),
  primary key (merchant_id, wheel_id, prize_id),
  check (given <= stock)
)
with (fillfactor = 50);

-- A pool hands its codes out in the order of `position`: the next one is number `taken` + 1. Rows of codes never change.
create table code_pools (
  merchant_id int not null references merchants,
  pool text collate "C" not null check (pool ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  uploaded int not null default 0 check (uploaded >= 0),
  taken int not null default 0 check (taken >= 0),
  created_at timestamptz not null,
  primary key (merchant_id, pool),
  check (taken <= uploaded)
)
with (fillfactor = 50);

create table pool_codes (
  merchant_id int not null,
  pool text collate "C" not null,
  position int not null check (position >= 1),
  code text collate "C" not null check (char_length(code) between 1 and 200),
  primary key (merchant_id, pool, position),
  unique (merchant_id, pool, code)
);

-- Plays.

alter table players
  add column play_count int not null default 0,
  add constraint players_play_count_check check (play_count >= 0) not valid;

create table player_prizes (
  player_no bigint not null,
  shard int not null,
  wheel_id int not null,
  won int not null check (won >= 1),
  prize_id text collate "C" not null,
  primary key (shard, player_no, wheel_id, prize_id)
);

-- Append-only. What the row does not say (label, prize, ticket, server seed) follows from the version and the seeds.
create table plays (
  player_no bigint not null,
  created_at timestamptz not null,
  claim_before timestamptz,
  shard int not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  play_no int not null check (play_no >= 1),
  drawn smallint not null check (drawn >= 0),
  segment smallint not null check (segment >= 0),
  won boolean not null,
  play_id uuid not null,
  player_seed bytea not null check (octet_length(player_seed) = 32),
  seed_key_id text collate "C" not null,
  fallback_reason text collate "C" check (
    fallback_reason in ('out_of_stock', 'out_of_stock_today', 'player_limit', 'not_winnable_now')
  ),
  code text collate "C",
  primary key (shard, player_no, play_no),
  -- Looked up by its first two columns alone, so that the planner can't prefer the primary key.
  unique (shard, play_id, player_no),
  check (fallback_reason is not null or drawn = segment)
);

revoke update, delete, truncate on plays from current_user;

-- A player's wins, newest first, without walking through everything that it lost.
create index on plays (shard, player_no, play_no) where won;

-- Two more kinds of entries. The rows that are there fit; 0003 makes sure of it, without locking anybody out meanwhile.
alter table ledger_entries
  drop constraint ledger_entries_check,
  add constraint ledger_entries_kind_check check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0 and key = 'initial'
      when 'play' then amount = -1
      when 'prize' then amount > 0
      else false
    end
  ) not valid;
