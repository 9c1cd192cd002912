-- Plays, and what became of the prizes.

-- Append-only. What the row does not say (label, prize, ticket, server seed) follows from the version and the seeds.
create table plays (
  player_no bigint not null,
  created_at timestamptz not null,
  claim_before timestamptz,
  shard int not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  play_no int not null,
  drawn smallint not null,
  segment smallint not null,
  won boolean not null,
  play_id uuid not null,
  player_seed bytea not null,
  seed_key_id text collate "C" not null,
  fallback_reason text collate "C",
  code text collate "C",
  -- The gates that a play met, for its proof.
  gates jsonb,
  -- Null is the campaign `main`.
  campaign_id int,
  primary key (player_no, play_no, shard),
  -- In the last call of a paced prize, a play that drew the fallback may get a prize.
  check (fallback_reason is not null or drawn = segment or gates is not null)
);

create unique index plays_by_id on plays (play_id, shard, player_no);

-- A merchant's plays, newest first. Plays of one batch have one time, so this index has few distinct keys and stays
-- small.
create index plays_time_idx on plays (merchant_id, created_at);

-- A code that a player shows is found at once, in any case.
create index plays_lower_code_idx on plays (merchant_id, lower(code)) where code is not null;

-- What was to be claimed by a time that has passed.
create index plays_claim_idx on plays (claim_before) where claim_before is not null;

create index plays_brin on plays using brin (created_at) with (pages_per_range = 32, autosummarize = on);

revoke update, delete, truncate on plays from current_user;

create table player_prizes (
  player_no bigint not null,
  shard int not null,
  wheel_id int not null,
  won int not null check (won >= 1),
  prize_id text collate "C" not null,
  primary key (shard, player_no, wheel_id, prize_id)
);

-- What became of a prize after it was won; a prize without a row here is open. Append-only. Odd steps put a prize into
-- the state `claimed`, even ones end it; the key sees to it that there is one of each. Step 1 is the claim. Steps 3, 5
-- … each take back the redemption before them.
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
  constraint prize_settlements_check1 check (state = 'cancelled' or not stock_returned),
  constraint prize_settlements_step_check check (
    case state
      when 'claimed' then step % 2 = 1
      when 'redeemed' then step % 2 = 0
      when 'cancelled' then step % 2 = 0
      when 'expired' then step = 2
      else false
    end
    and step >= 1
  )
);

create index prize_settlements_state_idx on prize_settlements (merchant_id, state, won_at, player_no, play_no);

create index prize_settlements_brin on prize_settlements
using brin (settled_at) with (pages_per_range = 32, autosummarize = on);

revoke update, delete, truncate on prize_settlements from current_user;

-- Plays of test merchants whose outcome was forced (docs/test-mode.md). The reference to a merchant with `is_test`
-- makes one for a live merchant impossible. A table of its own: live plays pay nothing for it.
create table forced_plays (
  shard int not null,
  player_no bigint not null,
  play_no int not null,
  merchant_id int not null,
  is_test boolean not null default true check (is_test),
  primary key (shard, player_no, play_no),
  foreign key (merchant_id, is_test) references merchants (merchant_id, is_test)
);

revoke update, delete, truncate on forced_plays from current_user;
