-- What the management API reads and writes. The indexes are built under a lock that lets readers go on; with very many
-- plays that is a pause of seconds, once.

alter table merchants
  -- Days in reports are this zone's.
  add column time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 60);

-- `prizes` for a till that settles prizes and may do nothing else; `read` for what only looks.
alter table service_tokens
  drop constraint service_tokens_scopes_check,
  add constraint service_tokens_scopes_check check (
    cardinality(scopes) > 0
    and scopes <@ array['spins', 'links', 'manage', 'events', 'prizes', 'read']
  );

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
      when 'correction' then reason is not null
      else false
    end
  ) not valid;

alter table players
  -- From then on `player_id` is a random pseudonym.
  add column erased_at timestamptz;

-- From plays and entries, which know a player by number, back to its name. The shard is not in it: the planner would take
-- an index that has it, at any place, for a way to a player by its name, while it believes the table to be small.
create index players_by_number on players (player_no);

create index players_blocked_idx on players (merchant_id, player_id) where blocked_at is not null;

-- A merchant's plays, newest first. Plays of one batch have one time, so this index has few distinct keys and stays small.
create index plays_time_idx on plays (merchant_id, created_at);

-- A code that a player shows is found at once.
create index plays_code_idx on plays (merchant_id, code) where code is not null;

-- What was to be claimed by a time that has passed.
create index plays_claim_idx on plays (claim_before) where claim_before is not null;

-- For the counts below, which read everything once, in the order in which it was written: next to nothing to maintain.
create index plays_brin on plays using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index ledger_entries_brin on ledger_entries using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index players_brin on players using brin (created_at) with (pages_per_range = 32, autosummarize = on);

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

insert into version_segments (wheel_id, version, segment, prize_id, kind, label, weight, cost)
select
  wheel_id,
  version,
  place - 1,
  one ->> 'id',
  one -> 'prize' ->> 'kind',
  one ->> 'label',
  (one ->> 'weight')::int,
  (one ->> 'cost')::double precision
from wheel_versions
cross join jsonb_array_elements(document -> 'segments') with ordinality as segments (one, place);

revoke update, delete, truncate on version_segments from current_user;

-- What became of a prize after it was won; a prize without a row here is open. Append-only. A claim is the first step; being
-- redeemed, cancelled or expired is the last, and the key sees to it that there is only one of these.
create table prize_settlements (
  player_no bigint not null,
  won_at timestamptz not null,
  settled_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  play_no int not null,
  step smallint not null,
  stock_returned boolean not null default false,
  state text collate "C" not null,
  -- Who did it, as `token:acme-3f9c`.
  actor text not null check (char_length(actor) between 1 and 300),
  -- A repeat of the request that did it has the same key.
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  reason text check (char_length(reason) between 1 and 500),
  primary key (shard, player_no, play_no, step),
  check (
    case state
      when 'claimed' then step = 1
      when 'redeemed' then step = 2
      when 'cancelled' then step = 2
      when 'expired' then step = 2
      else false
    end
  ),
  check (state = 'cancelled' or not stock_returned)
);

create index prize_settlements_state_idx on prize_settlements (merchant_id, state, won_at, player_no, play_no);

create index prize_settlements_brin on prize_settlements using brin (settled_at) with (pages_per_range = 32, autosummarize = on);

revoke update, delete, truncate on prize_settlements from current_user;

-- The verdicts of a batch of grants, so that its repeat is answered alike. No player stands in it.
create table grant_batches (
  merchant_id int not null,
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  created_at timestamptz not null,
  grants_sha256 bytea not null check (octet_length(grants_sha256) = 32),
  verdicts jsonb not null,
  primary key (merchant_id, key)
);

revoke update, delete, truncate on grant_batches from current_user;

-- Who changed what. Append-only. A player stands here by number, so that to erase its name needs no change here.
create table audit_log (
  entry_no bigint generated always as identity,
  at timestamptz not null,
  merchant_id int not null,
  actor_kind text collate "C" not null check (actor_kind in ('token', 'staff', 'command', 'worker')),
  actor_id text not null check (char_length(actor_id) between 1 and 200),
  actor_name text,
  action text collate "C" not null,
  subject_kind text collate "C" not null,
  subject text,
  shard int,
  player_no bigint,
  before jsonb,
  after jsonb,
  request_id text,
  primary key (merchant_id, entry_no),
  check ((subject_kind = 'player') = (player_no is not null)),
  check ((shard is null) = (player_no is null)),
  check ((subject is null) = (player_no is not null))
);

revoke update, delete, truncate on audit_log from current_user;

-- Counts for reports, by quarters of an hour: every time zone's days are made of those. A worker adds to them.
create table activity_counts (
  quarter timestamptz not null,
  merchant_id int not null,
  -- A kind of ledger entry, or `player` for new players.
  kind text collate "C" not null,
  count bigint not null,
  spins bigint not null,
  primary key (merchant_id, quarter, kind)
);

create table play_counts (
  quarter timestamptz not null,
  plays bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  primary key (merchant_id, quarter, wheel_id, wheel_version, drawn, segment)
);

create table settlement_counts (
  quarter timestamptz not null,
  settlements bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  primary key (merchant_id, quarter, wheel_id, wheel_version, segment, state)
);

-- How far work that goes on in the background has come. The row is also the lock that lets one process do it.
create table work_positions (
  work text collate "C" primary key,
  position timestamptz not null
);
