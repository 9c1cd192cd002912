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
  -- All people who have saved the draft since the last publication.
  draft_editors text[] not null default '{}',
  -- Whoever meets another person's save in the editor reads when it was made.
  draft_saved_at timestamptz,
  unique (merchant_id, slug)
);

alter table merchants add foreign key (wheel_id) references wheels;

create table wheel_versions (
  wheel_id int not null references wheels,
  version int not null check (version >= 1),
  document jsonb not null,
  published text not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  published_at timestamptz not null,
  primary key (wheel_id, version)
);

create index wheel_versions_sha256_idx on wheel_versions (sha256);

revoke update, delete, truncate on wheel_versions from current_user;

-- What each segment of a version is, without its document, which may hold pictures.
create table version_segments (
  wheel_id int not null,
  version int not null,
  segment smallint not null check (segment >= 0),
  prize_id text collate "C" not null,
  kind text collate "C" not null,
  label text not null,
  weight int not null,
  cost double precision,
  primary key (wheel_id, version, segment)
);

revoke update, delete, truncate on version_segments from current_user;

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

-- A pool hands its codes out in the order of `position`: the next one is number `taken` + 1. Rows of codes never
-- change.
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

-- Runs of paced prizes and of budgets ('*'). When units are released is in the published text of `version` and follows
-- from a key that is derived from the seed key; here is only how many were given and got back. A play that meets the
-- gate locks the row, as it locks a stock.
create table pace_runs (
  merchant_id int not null,
  wheel_id int not null,
  prize_id text collate "C" not null,
  run int not null check (run >= 1),
  -- The version that began the run.
  version int not null,
  seed_key_id text collate "C" not null,
  commitment text collate "C" not null unique,
  awards bigint not null default 0 check (awards >= 0),
  returned bigint not null default 0,
  entries bigint not null default 0,
  head text collate "C" not null,
  created_at timestamptz not null,
  -- The end of its last period, and when another version ended it before, if one did.
  ends_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, wheel_id, prize_id, run),
  check (returned >= 0 and returned <= awards)
)
with (fillfactor = 50);

-- Append-only: what a run gave and got back, in the order of its hash chain. `play` is SHA-256 of the play's id.
create table pace_entries (
  entry_no bigint not null,
  unit bigint not null,
  at timestamptz not null,
  merchant_id int not null,
  wheel_id int not null,
  run int not null,
  prize_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('award', 'return')),
  play text collate "C" not null,
  primary key (merchant_id, wheel_id, prize_id, run, entry_no)
);

revoke update, delete, truncate on pace_entries from current_user;
