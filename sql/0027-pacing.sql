-- Runs of paced prizes and of budgets ('*'). When units are released is in the published text of `version` and follows
-- from a key that is derived from the seed key; here is only how many were given and got back. A play that meets the gate
-- locks the row, as it locks a stock.
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
  returned bigint not null default 0 check (returned >= 0 and returned <= awards),
  entries bigint not null default 0,
  head text collate "C" not null,
  created_at timestamptz not null,
  -- The end of its last period, and when another version ended it before, if one did.
  ends_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, wheel_id, prize_id, run)
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

-- The gates that a play met, for its proof. In the last call, a play that drew the fallback may get a prize.
alter table plays
  add column gates jsonb,
  drop constraint plays_check,
  add constraint plays_check check (fallback_reason is not null or drawn = segment or gates is not null) not valid;
