-- All tables, for reading. `npm run schema` writes this file, and nothing runs it.

-- baseline/01-merchants.sql -------------------------------------------------------------------------------------

create table merchants (
  merchant_id int not null generated always as identity primary key,
  slug text collate "C" not null unique,
  name text not null check (char_length(name) >= 1 and char_length(name) <= 200),
  strict_players boolean not null default false,
  grant_max int not null default 1000000 check (grant_max >= 1 and grant_max <= 1000000),
  daily_grant_max int check (daily_grant_max >= 1 and daily_grant_max <= 1000000000),
  link_lifetime_seconds int not null default 86400 check (link_lifetime_seconds >= 300 and link_lifetime_seconds <= 2592000),
  -- Game links from before this moment are revoked.
  links_valid_from timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null,
  -- The wheel of the campaign `main`. It refers to `wheels` (02-wheels.sql).
  wheel_id int references wheels(wheel_id),
  -- The origins that may show the game in a frame.
  embed_origins text[] not null default '{}'::text[],
  -- Spins expire that many days after they were granted; null for never.
  spin_lifetime_days int check (spin_lifetime_days >= 1 and spin_lifetime_days <= 3650),
  -- Days in reports are this zone's.
  time_zone text not null default 'UTC' check (char_length(time_zone) >= 1 and char_length(time_zone) <= 60),
  -- The spins that a person with the role support may give in one day, in the merchant's time zone.
  support_daily_grant_max int not null default 100 check (support_daily_grant_max >= 0 and support_daily_grant_max <= 1000000),
  -- How long after it a redemption can be taken back; 0 for never.
  redemption_reversal_hours int not null default 24 check (redemption_reversal_hours >= 0 and redemption_reversal_hours <= 720),
  -- The live merchant that this one is a test merchant of (decision 70). A test merchant is like any other, with
  -- players, ledger, stock, events, webhooks and tokens of its own.
  test_of int references merchants(merchant_id),
  -- How far its clock is ahead of the real time. Only test merchants have a clock.
  clock_ahead_ms bigint check (clock_ahead_ms >= 0),
  -- Since when a reset has replaced it. Its rows stay, but nobody reaches them any more.
  replaced_at timestamptz,
  is_test boolean not null generated always as (test_of is not null) stored,
  -- How long before spins expire an event announces it; null for never.
  spin_expiry_notice_hours int default 24 check (spin_expiry_notice_hours >= 1 and spin_expiry_notice_hours <= 8760),
  -- A live merchant may have several test merchants in use at once: one without a name, and others with a name.
  test_name text check (test_name ~ '^[a-z0-9][a-z0-9-]{0,19}$'),
  -- Of the costs of prizes and of budgets, as in ISO 4217; null while none is chosen. It changes only what is shown.
  currency text check (currency ~ '^[A-Z]{3}$'),
  constraint merchants_merchant_id_is_test_key unique (merchant_id, is_test),
  constraint merchants_check check ((test_of is null) = (clock_ahead_ms is null)),
  constraint merchants_check1 check (test_of is not null or replaced_at is null),
  constraint merchants_check2 check (test_of is not null or test_name is null),
  constraint merchants_slug_check check (
  case
      when test_of is null then slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'
      when replaced_at is null then slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?$'
      else slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?\.[0-9]+$'
  end)
);
create unique index merchants_test_of_idx on merchants (test_of, coalesce(test_name, '')) where replaced_at is null;

create table service_tokens (
  token_id text collate "C" not null primary key,
  merchant_id int not null references merchants(merchant_id),
  name text not null check (char_length(name) >= 1 and char_length(name) <= 200),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  -- `prizes` is for a till that settles prizes and may do nothing else; `read` for what only looks.
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['spins', 'links', 'manage', 'events', 'prizes', 'read']),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- With such a token, the two merchant operations mean this campaign. It refers to `campaigns` (03-campaigns.sql).
  campaign_id int references campaigns(campaign_id)
);
create index service_tokens_merchant_id_idx on service_tokens (merchant_id);

create table service_token_uses (
  token_id text collate "C" not null primary key references service_tokens(token_id),
  last_used_at timestamptz not null
);

-- The keys that game links are signed with, and those that server seeds are derived from. An old key of seeds is needed
-- for ever, to prove old plays.
create table signing_keys (
  key_id text collate "C" not null primary key,
  algorithm text not null check (algorithm = 'HS256'),
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz,
  purpose text not null default 'links' check (purpose = any (array['links', 'seeds', 'addresses', 'answers']))
);

create table revoked_links (
  merchant_id int not null references merchants(merchant_id),
  link_id text collate "C" not null,
  revoked_at timestamptz not null,
  constraint revoked_links_pkey primary key (merchant_id, link_id)
);

-- baseline/02-wheels.sql ----------------------------------------------------------------------------------------

create table wheels (
  wheel_id int not null generated always as identity primary key,
  merchant_id int not null references merchants(merchant_id),
  slug text collate "C" not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  draft jsonb not null,
  draft_revision int not null default 1,
  published_version int,
  paused_at timestamptz,
  created_at timestamptz not null,
  -- All people who have saved the draft since the last publication.
  draft_editors text[] not null default '{}'::text[],
  -- Whoever meets another person's save in the editor reads when it was made.
  draft_saved_at timestamptz,
  constraint wheels_merchant_id_slug_key unique (merchant_id, slug)
);

create table wheel_versions (
  wheel_id int not null references wheels(wheel_id),
  version int not null check (version >= 1),
  document jsonb not null,
  published text not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  published_at timestamptz not null,
  constraint wheel_versions_pkey primary key (wheel_id, version)
);
create index wheel_versions_sha256_idx on wheel_versions (sha256);
revoke delete, truncate, update on wheel_versions from current_user;

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
  constraint version_segments_pkey primary key (wheel_id, version, segment)
);
revoke delete, truncate, update on version_segments from current_user;

-- What limits a prize, for those that are limited. A play that gives one out locks its row last.
create table prize_stocks (
  merchant_id int not null,
  wheel_id int not null,
  prize_id text collate "C" not null,
  stock int check (stock >= 0),
  given int not null default 0 check (given >= 0),
  day int not null default 0,
  day_given int not null default 0 check (day_given >= 0),
  constraint prize_stocks_pkey primary key (merchant_id, wheel_id, prize_id),
  constraint prize_stocks_check check (given <= stock)
)
with (fillfactor=50);

-- A pool hands its codes out in the order of `position`: the next one is number `taken` + 1. Rows of codes never
-- change.
create table code_pools (
  merchant_id int not null references merchants(merchant_id),
  pool text collate "C" not null check (pool ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  uploaded int not null default 0 check (uploaded >= 0),
  taken int not null default 0 check (taken >= 0),
  created_at timestamptz not null,
  constraint code_pools_pkey primary key (merchant_id, pool),
  constraint code_pools_check check (taken <= uploaded)
)
with (fillfactor=50);

create table pool_codes (
  merchant_id int not null,
  pool text collate "C" not null,
  "position" int not null check ("position" >= 1),
  code text collate "C" not null check (char_length(code) >= 1 and char_length(code) <= 200),
  constraint pool_codes_pkey primary key (merchant_id, pool, "position"),
  constraint pool_codes_merchant_id_pool_code_key unique (merchant_id, pool, code)
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
  constraint pace_runs_pkey primary key (merchant_id, wheel_id, prize_id, run),
  constraint pace_runs_check check (returned >= 0 and returned <= awards)
)
with (fillfactor=50);

-- Append-only: what a run gave and got back, in the order of its hash chain. `play` is SHA-256 of the play's id.
create table pace_entries (
  entry_no bigint not null,
  unit bigint not null,
  at timestamptz not null,
  merchant_id int not null,
  wheel_id int not null,
  run int not null,
  prize_id text collate "C" not null,
  kind text collate "C" not null check (kind = any (array['award', 'return'])),
  play text collate "C" not null,
  constraint pace_entries_pkey primary key (merchant_id, wheel_id, prize_id, run, entry_no)
);
revoke delete, truncate, update on pace_entries from current_user;

-- baseline/03-campaigns.sql -------------------------------------------------------------------------------------

create table campaigns (
  campaign_id int not null generated always as identity primary key,
  merchant_id int not null references merchants(merchant_id),
  slug text collate "C" not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name text not null check (char_length(name) >= 1 and char_length(name) <= 80),
  wheel_id int references wheels(wheel_id),
  -- The number of the campaign that the purse was made for. Campaigns may share one; 0 is players.balance.
  purse_id int not null check (purse_id >= 0),
  priority int not null default 0 check (priority >= '-1000'::int and priority <= 1000),
  opens_at timestamptz,
  closes_at timestamptz,
  texts jsonb not null default '{}'::jsonb,
  revision int not null default 1,
  paused_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  -- The dates whose passing was told in an event.
  opening_told timestamptz,
  closing_told timestamptz,
  -- The lifetime of the campaign's spins; null for the merchant's.
  spin_lifetime_days int check (spin_lifetime_days >= 1 and spin_lifetime_days <= 3650),
  -- The rule of free spins that come back, or null (decision 73).
  free_spins jsonb,
  constraint campaigns_merchant_id_slug_key unique (merchant_id, slug),
  constraint campaigns_check check (closes_at > opens_at),
  constraint campaigns_check1 check ((slug = 'main') = (wheel_id is null)),
  constraint campaigns_check2 check (slug <> 'main' or purse_id = 0 and archived_at is null)
);
create index campaigns_closing_idx on campaigns (closes_at) where archived_at is null and closes_at is distinct from closing_told;
create index campaigns_opening_idx on campaigns (opens_at) where archived_at is null and opens_at is distinct from opening_told;

-- Every rule of free spins that a campaign has had: the audit computes free spins again (decision 75). 0 is the
-- campaign `main`.
create table free_spin_rules (
  since timestamptz not null,
  merchant_id int not null,
  campaign_id int not null check (campaign_id >= 0),
  rule jsonb not null,
  constraint free_spin_rules_pkey primary key (merchant_id, campaign_id, since)
);

-- Changes that happen later, by the person who scheduled them (decision 66). A row changes only under the lock on its
-- subject: the row of the wheel, or of the campaign's merchant. It is deleted when the change is made; a change that
-- failed keeps its row until somebody has seen it.
create table scheduled_changes (
  at timestamptz not null,
  scheduled_at timestamptz not null,
  failed_at timestamptz,
  merchant_id int not null references merchants(merchant_id),
  kind text collate "C" not null check (kind = any (array['publication', 'campaign_wheel'])),
  -- The id of the wheel or campaign.
  subject text collate "C" not null,
  -- The frozen document of a publication, or the id of a campaign's next wheel.
  change_order jsonb not null,
  errors jsonb not null default '[]'::jsonb,
  actor_kind text collate "C" not null,
  actor_id text not null,
  actor_name text,
  request_id text,
  constraint scheduled_changes_pkey primary key (merchant_id, kind, subject)
);
create index scheduled_changes_due_idx on scheduled_changes (at) where failed_at is null;

-- Times in which players could not play. They break no streak. Null: all merchants, all campaigns, all wheels.
create table interruptions (
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  merchant_id int,
  campaign_id int,
  wheel_id int,
  constraint interruptions_check check (ends_at >= starts_at)
);
create index interruptions_idx on interruptions (merchant_id, ends_at);

-- baseline/04-players.sql ---------------------------------------------------------------------------------------

create table players (
  player_no bigint not null generated always as identity,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  balance int not null default 0 check (balance >= 0 and balance <= 1000000000),
  entry_count int not null default 0,
  -- What the player was granted on one day, counted in days since 1970-01-01 (UTC), for the merchant's daily ceiling.
  granted_day int not null default 0,
  granted_day_total bigint not null default 0,
  links_valid_from timestamptz,
  blocked_at timestamptz,
  player_id text collate "C" not null,
  play_count int not null default 0,
  -- From then on `player_id` is a random pseudonym.
  erased_at timestamptz,
  -- The last entry that is in a file (06-seals-and-archives.sql). A player without it has no archived keys.
  archived_entry_no int,
  -- The earliest expiry of a player's lots, over all purses. Null for most players: grants and plays need not look.
  next_expiry timestamptz,
  constraint players_pkey primary key (shard, merchant_id, player_id)
)
with (fillfactor=70);
create index players_blocked_idx on players (merchant_id, player_id) where blocked_at is not null;
-- For the counts of reports (10-reports.sql), which read everything once, in the order in which it was written: next to
-- nothing to maintain.
create index players_brin on players using brin (created_at) with (pages_per_range='32', autosummarize='on');
-- From plays and entries, which know a player by number, back to its name. The shard is not in it: the planner would
-- take an index that has it, at any place, for a way to a player by its name, while it believes the table to be small.
create index players_by_number on players (player_no);

-- Append-only. `entry_no` counts a player's entries from 1 without a gap, over all purses, and `balance_after` is the
-- running sum of the entry's purse. The row is also the idempotency record: a repeated key finds it and is answered
-- from it. It is found by `key_hash` (`keyHash`), 16 bytes of player, kind and key. An index on these themselves would
-- be three times as wide, and would not be used: it shares its first columns with the primary key, which the planner
-- took for as good; a player with 5,000 entries then cost seconds.
create table ledger_entries (
  player_no bigint not null,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  entry_no int not null,
  amount int not null,
  balance_after int not null check (balance_after >= 0 and balance_after <= 1000000000),
  kind text collate "C" not null,
  -- Null for the debit of a play, which is found by the number of the play (decision 42).
  key_hash bytea,
  key text collate "C" not null,
  reason text,
  -- The author of an entry made by hand, as `staff:anna@example.com`. Null for merchants' systems, players and workers.
  origin text,
  -- Null is purse 0, players.balance, and the campaign `main`. A campaign may use the purse of another one, so the
  -- entry has both.
  purse_id int,
  campaign_id int,
  -- Of a grant: when its spins expire. Of an entry that takes spins: the lots that it took them from, each followed by
  -- how many; the rest of the amount are spins that never expire.
  expires_at timestamptz,
  lots int[],
  constraint ledger_entries_pkey primary key (player_no, entry_no, shard),
  constraint ledger_entries_kind_check check (
  case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0
      when 'play' then amount = '-1'::int
      when 'prize' then amount > 0
      when 'free' then amount > 0
      when 'entry' then amount > 0
      when 'expiry' then amount < 0
      when 'correction' then reason is not null
      else false
  end)
);
create index ledger_entries_brin on ledger_entries using brin (created_at) with (pages_per_range='32', autosummarize='on');
-- Rows are looked up by what is unique in them, first in the index and alone: while a table is small or its statistics
-- say so, the planner takes any index that begins with the shard for as good, and then reads a whole shard for every
-- row. Debits of plays have no key hash, and would take an entry each all the same.
create unique index ledger_entries_by_key on ledger_entries (key_hash, shard) where key_hash is not null;
revoke delete, truncate, update on ledger_entries from current_user;

-- Balances of purses other than 0. A row changes only under the lock on its player's row.
create table player_purses (
  player_no bigint not null,
  shard int not null,
  purse_id int not null check (purse_id >= 1),
  balance int not null check (balance >= 0 and balance <= 1000000000),
  -- The day of the last grant to this purse, as in players.
  granted_day int not null default 0,
  constraint player_purses_pkey primary key (shard, player_no, purse_id)
)
with (fillfactor=70);

-- Spins that expire (decision 71). A lot is what is left of one grant whose spins expire. All other spins of a balance
-- never expire, and have no row here. A lot that is used up or has expired is deleted.
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
  spins_left int not null,
  source text collate "C" not null check (source = any (array['free', 'won', 'granted', 'carried'])),
  constraint spin_lots_pkey primary key (shard, player_no, lot_no),
  constraint spin_lots_check check (spins_left >= 1 and spins_left <= amount)
)
with (fillfactor=80);
create index spin_lots_due_idx on spin_lots (merchant_id, due_at);

-- What each player has collected last in a campaign, and its streak. Players who have never collected have no row. A
-- row changes only under the lock on its player's row. 0 is the campaign `main`.
create table player_free_spins (
  collected_at timestamptz not null,
  period_ends_at timestamptz not null,
  -- When the time zone changed last.
  zone_changed_at timestamptz,
  player_no bigint not null,
  -- Numbers count from 1970. Those of different kinds can't be compared.
  period bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null check (campaign_id >= 0),
  streak int not null check (streak >= 1),
  best_streak int not null,
  kind text collate "C" not null,
  time_zone text collate "C" not null,
  constraint player_free_spins_pkey primary key (shard, player_no, campaign_id),
  constraint player_free_spins_check check (best_streak >= streak)
)
with (fillfactor=70);
create index player_free_spins_campaign_idx on player_free_spins (merchant_id, campaign_id);

-- By what an entry of kind `free` was computed, beside its period, which is in its key.
create table free_spin_terms (
  rule_since timestamptz not null,
  player_no bigint not null,
  shard int not null,
  entry_no int not null,
  -- Null for a period that was saved up: it has no extra spins.
  streak int check (streak >= 1),
  -- Null once the player was erased.
  time_zone text collate "C",
  constraint free_spin_terms_pkey primary key (shard, player_no, entry_no)
);

-- The verdicts of a batch of grants, so that its repeat is answered alike. No player stands in it.
create table grant_batches (
  merchant_id int not null,
  key text collate "C" not null check (octet_length(key) >= 1 and octet_length(key) <= 255),
  created_at timestamptz not null,
  grants_sha256 bytea not null check (octet_length(grants_sha256) = 32),
  verdicts jsonb not null,
  constraint grant_batches_pkey primary key (merchant_id, key)
);
revoke delete, truncate, update on grant_batches from current_user;

-- Links made with an idempotency key, so that a repeat gets the same link. Rows of expired links are deleted by later
-- ones.
create table link_keys (
  created_at timestamptz not null,
  expires_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  link_id uuid not null,
  key_hash bytea not null check (octet_length(key_hash) = 16),
  -- What was asked for: another request under the same key is refused.
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  constraint link_keys_pkey primary key (key_hash, shard)
);
create index link_keys_expiry_idx on link_keys (expires_at);

-- The ids of erased players, as keyed hashes (decision 93). They tell a new player's first visit whether an erased
-- player of the same id has collected free spins already.
create table erased_ids (
  player_no bigint not null,
  shard int not null,
  id_hash bytea not null check (octet_length(id_hash) = 32),
  constraint erased_ids_pkey primary key (shard, id_hash, player_no)
);

-- One row: the key of these hashes. The first erasure creates it.
create table erasure_key (
  secret bytea not null check (octet_length(secret) = 32),
  is_only boolean not null default true primary key check (is_only)
);

-- baseline/05-plays.sql -----------------------------------------------------------------------------------------

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
  constraint plays_pkey primary key (player_no, play_no, shard),
  constraint plays_check check (fallback_reason is not null or drawn = segment or gates is not null)
);
create index plays_brin on plays using brin (created_at) with (pages_per_range='32', autosummarize='on');
-- What was to be claimed by a time that has passed.
create index plays_claim_idx on plays (claim_before) where claim_before is not null;
-- A code that a player shows is found at once, in any case.
create index plays_lower_code_idx on plays (merchant_id, lower(code)) where code is not null;
-- A merchant's plays, newest first. Plays of one batch have one time, so this index has few distinct keys and stays
-- small.
create index plays_time_idx on plays (merchant_id, created_at);
create unique index plays_by_id on plays (play_id, shard, player_no);
revoke delete, truncate, update on plays from current_user;

create table player_prizes (
  player_no bigint not null,
  shard int not null,
  wheel_id int not null,
  won int not null check (won >= 1),
  prize_id text collate "C" not null,
  constraint player_prizes_pkey primary key (shard, player_no, wheel_id, prize_id)
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
  actor text not null check (char_length(actor) >= 1 and char_length(actor) <= 300),
  -- A repeat of the request that did it has the same key.
  key text collate "C" not null check (octet_length(key) >= 1 and octet_length(key) <= 255),
  reason text check (char_length(reason) >= 1 and char_length(reason) <= 500),
  constraint prize_settlements_pkey primary key (shard, player_no, play_no, step),
  constraint prize_settlements_check1 check ((state = any (array['cancelled', 'refused'])) or not stock_returned),
  constraint prize_settlements_step_check check (
  case state
      when 'claimed' then (step::int % 2) = 1
      when 'redeemed' then (step::int % 2) = 0
      when 'cancelled' then (step::int % 2) = 0
      when 'expired' then step = 2
      when 'refused' then step = 2
      else false
  end and step >= 1)
);
create index prize_settlements_brin on prize_settlements using brin (settled_at) with (pages_per_range='32', autosummarize='on');
create index prize_settlements_state_idx on prize_settlements (merchant_id, state, won_at, player_no, play_no);
revoke delete, truncate, update on prize_settlements from current_user;

-- Plays of test merchants whose outcome was forced (docs/test-mode.md). The reference to a merchant with `is_test`
-- makes one for a live merchant impossible. A table of its own: live plays pay nothing for it.
create table forced_plays (
  shard int not null,
  player_no bigint not null,
  play_no int not null,
  merchant_id int not null,
  is_test boolean not null default true check (is_test),
  constraint forced_plays_pkey primary key (shard, player_no, play_no),
  constraint forced_plays_merchant_id_is_test_fkey foreign key (merchant_id, is_test) references merchants(merchant_id, is_test)
);
revoke delete, truncate, update on forced_plays from current_user;

-- baseline/06-seals-and-archives.sql ----------------------------------------------------------------------------

-- What a seal covers, player by player: the entries and plays after the player's part before, up to these numbers.
create table ledger_seal_parts (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  seal_no int not null check (seal_no >= 1),
  entry_no int not null check (entry_no >= 0),
  play_no int not null check (play_no >= 0),
  digest bytea not null check (octet_length(digest) = 32),
  constraint ledger_seal_parts_pkey primary key (shard, player_no, seal_no)
);
revoke delete, truncate, update on ledger_seal_parts from current_user;

-- A merchant's seals are a chain: each holds the hash of the one before in its own.
create table ledger_seals (
  merchant_id int not null,
  seal_no int not null check (seal_no >= 1),
  sealed_at timestamptz not null,
  entries bigint not null check (entries >= 0),
  plays bigint not null check (plays >= 0),
  -- Over the seal's parts, in the order of shard and player.
  parts_sha256 bytea not null check (octet_length(parts_sha256) = 32),
  -- Which key the hash was made with; null for none.
  key_id text collate "C" check (key_id ~ '^[0-9a-f]{16}$'),
  hash bytea not null check (octet_length(hash) = 32),
  constraint ledger_seals_pkey primary key (merchant_id, seal_no)
);
revoke delete, truncate, update on ledger_seals from current_user;

-- One row for each file. The seals that it covers follow those of the file before without a gap.
create table ledger_archives (
  merchant_id int not null,
  archive_no int not null check (archive_no >= 1),
  first_seal_no int not null check (first_seal_no >= 1),
  last_seal_no int not null,
  entries bigint not null check (entries >= 0),
  plays bigint not null check (plays >= 0),
  -- The spins that all its entries together gave.
  spins bigint not null,
  bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  archived_at timestamptz not null,
  -- When the last of its rows was removed from the database.
  removed_at timestamptz,
  constraint ledger_archives_pkey primary key (merchant_id, archive_no),
  constraint ledger_archives_check check (last_seal_no >= first_seal_no)
);
revoke delete, truncate, update on ledger_archives from current_user;
grant update (removed_at) on ledger_archives to current_user;

-- A key is known for ever: the answer to its repeat, and what the repeat is compared with.
create table archived_keys (
  shard int not null,
  amount int not null,
  balance_after int not null,
  key_hash bytea not null,
  expires_at timestamptz,
  campaign_id int,
  constraint archived_keys_pkey primary key (key_hash, shard)
);
revoke delete, truncate, update on archived_keys from current_user;

-- What a player carries forward: the entries and plays up to these numbers are in files.
create table archived_players (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  entry_no int not null check (entry_no >= 1),
  play_no int not null check (play_no >= 0),
  balance int not null,
  constraint archived_players_pkey primary key (shard, player_no)
);

-- What a player carries forward in other purses than 0 (decision 69).
create table archived_purses (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  purse_id int not null check (purse_id >= 1),
  balance int not null,
  constraint archived_purses_pkey primary key (shard, player_no, purse_id)
);

-- What was left of a lot when its grant and what followed was archived. Lots without an `amount` were made of whole
-- balances by an upgrade from 0.2.0: no entry says that their spins expire.
create table carried_lots (
  expires_at timestamptz not null,
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  lot_no int not null,
  purse_id int not null,
  amount int,
  spins int not null,
  constraint carried_lots_pkey primary key (shard, player_no, lot_no)
);

-- baseline/07-events.sql ----------------------------------------------------------------------------------------

-- Partitioned by time, so that old events are dropped instead of deleted (decision 53). Pages are found by their id,
-- which leads to their partition.
create table event_pages (
  -- Taken while the players' rows are locked: a player's later event stands on a page with a greater number. A sequence
  -- of its own: partitions can't share an identity column before PostgreSQL 17.
  page_no bigint not null default nextval('event_page_numbers'),
  -- The number of the page's first event among its merchant's; null until the sequencer has come by.
  first_seq bigint,
  created_at timestamptz not null,
  -- That of one of its players; 0 where no player is concerned.
  shard int not null,
  merchant_id int not null,
  event_count int not null,
  -- Made by the program, and in every event's id: a database that was restored never uses one again. It begins with its
  -- time. A page that was committed without its answer coming back is recognised when the same work is done again.
  page_id uuid not null,
  -- A JSON array of [type, time in ms, data]. Text, because nothing here looks inside.
  body text not null,
  constraint event_pages_pkey primary key (page_id, shard)
)
partition by range (page_id);
create sequence event_page_numbers owned by event_pages.page_no;
-- Not unique, since it lacks the shard; the lock on the stream's row sees to that, and `wheelhouse audit` looks.
create index event_pages_by_seq on event_pages (merchant_id, first_seq) where first_seq is not null;
-- Pages without numbers: few, and the sequencer reads no more of them than this.
create index event_pages_unnumbered on event_pages (page_no) include (merchant_id, event_count) where first_seq is null;
revoke delete, truncate, update on event_pages from current_user;
grant update (body, first_seq) on event_pages to current_user;

-- For pages of a time that has no partition, because a clock is wrong: they must never stop the change that they
-- describe.
create table event_pages_default partition of event_pages default
with (toast_tuple_target=128);
revoke truncate, update on event_pages_default from current_user;

-- A merchant's events are numbered 1, 2, 3 … The row is the lock under which they get their numbers.
create table event_streams (
  merchant_id int not null primary key,
  next_seq bigint not null default 1 check (next_seq >= 1),
  -- Events before this one are deleted.
  first_kept_seq bigint not null default 1,
  constraint event_streams_check check (first_kept_seq >= 1 and first_kept_seq <= next_seq)
)
with (fillfactor=50);

-- Ids of erased players that are still to be removed from events (decision 30). The row itself contains the id, so it
-- is deleted when the work is done.
create table event_erasures (
  erasure_no bigint not null generated always as identity primary key,
  erased_at timestamptz not null,
  -- Not due before this time. It is also a lease, so that one process works on it.
  next_at timestamptz not null,
  merchant_id int not null,
  shard int not null,
  -- Later pages may belong to a new player with the same id.
  last_page_no bigint not null,
  -- Events up to this number were checked.
  after_seq bigint not null default 0,
  -- The last event of the player on a page up to `last_page_no`.
  last_seq bigint not null default 0,
  player_id text collate "C" not null,
  pseudonym text collate "C" not null
);

-- Tickets for the live stream: each admits one connection, on behalf of the service token that requested it.
create table event_tickets (
  ticket_sha256 bytea not null primary key check (octet_length(ticket_sha256) = 32),
  merchant_id int not null,
  token_id text collate "C" not null,
  expires_at timestamptz not null
);
create index event_tickets_expires_at_idx on event_tickets (expires_at);

-- baseline/08-webhooks.sql --------------------------------------------------------------------------------------

create table webhooks (
  webhook_no int not null generated always as identity primary key,
  webhook_id text collate "C" not null unique check (webhook_id ~ '^wh_[0-9a-f]{16}$'),
  merchant_id int not null references merchants(merchant_id),
  url text not null check (char_length(url) >= 1 and char_length(url) <= 2000),
  description text not null check (char_length(description) <= 200),
  -- The types of events to send; null for all.
  types text[] check (cardinality(types) > 0),
  -- Needed to sign with, so not a hash. After a rotation the one before signs too, for a while.
  secret text not null check (secret ~~ 'whsec\_%'),
  previous_secret text check (previous_secret ~~ 'whsec\_%'),
  previous_secret_until timestamptz,
  paused_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text collate "C" check (disabled_reason = any (array['gone', 'failing'])),
  -- Gone for everybody; its rows elsewhere are deleted bit by bit, and it last.
  deleted_at timestamptz,
  created_at timestamptz not null,
  -- The idempotency key of the request that created a webhook, a hash of its content, its author, and the cursor with
  -- which it was created: a repeat gets the first answer.
  creation_key text collate "C" check (octet_length(creation_key) >= 1 and octet_length(creation_key) <= 255),
  creation_sha256 bytea,
  creation_actor text,
  creation_seq bigint,
  constraint webhooks_check check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhooks_check1 check ((disabled_at is null) = (disabled_reason is null))
);
create index webhooks_merchant_id_idx on webhooks (merchant_id);
create unique index webhooks_merchant_id_creation_key_idx on webhooks (merchant_id, creation_key) where deleted_at is null;

-- What changes with every batch that is sent, apart from what people set.
create table webhook_cursors (
  webhook_no int not null primary key references webhooks(webhook_no),
  merchant_id int not null,
  -- Every event up to this one was taken by the receiver, or stands in webhook_deliveries.
  cursor_seq bigint not null check (cursor_seq >= 0),
  -- The process that sends for this webhook, and until when nobody else may.
  lease_owner uuid,
  lease_until timestamptz,
  -- Failures since the last success, and when the first of them was.
  failure_count int not null default 0 check (failure_count >= 0),
  failing_since timestamptz,
  -- Nothing is sent before this: the receiver asked for time, or keeps failing and is probed now and then.
  held_until timestamptz,
  probe_count int not null default 0 check (probe_count >= 0),
  -- A receiver that took long to answer counts as slow until this time. Slow webhooks have their own slots, so that
  -- they don't occupy those of the others.
  slow_until timestamptz
)
with (fillfactor=50);

-- Events that were not taken at the first try, or are to be sent again: waiting for their next try, or given up. They
-- hold their whole text, so that they can be sent for as long as they stand here, however short the log is kept.
create table webhook_deliveries (
  seq bigint not null check (seq >= 1),
  created_at timestamptz not null,
  next_try_at timestamptz,
  dead_at timestamptz,
  webhook_no int not null,
  tries int not null check (tries >= 0),
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  body text not null,
  constraint webhook_deliveries_pkey primary key (webhook_no, seq),
  constraint webhook_deliveries_check check ((next_try_at is null) <> (dead_at is null))
);
create index webhook_deliveries_webhook_no_dead_at_idx on webhook_deliveries (webhook_no, dead_at) where dead_at is not null;
create index webhook_deliveries_webhook_no_next_try_at_seq_idx on webhook_deliveries (webhook_no, next_try_at, seq) where next_try_at is not null;

-- Every attempt, for people to look at. `seq` is null for a test.
create table webhook_attempts (
  attempt_no bigint not null generated always as identity,
  seq bigint,
  attempted_at timestamptz not null,
  webhook_no int not null,
  took_ms int not null check (took_ms >= 0),
  status int check (status >= 100 and status <= 999),
  fault text collate "C" check (fault = any (array['blocked', 'dns', 'refused', 'tls', 'timeout', 'reset', 'protocol'])),
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  excerpt text check (char_length(excerpt) <= 1024),
  -- The headers of the answer that help to find a fault, as a JSON object.
  headers text check (char_length(headers) <= 2000),
  constraint webhook_attempts_pkey primary key (webhook_no, attempt_no),
  constraint webhook_attempts_check check ((status is null) <> (fault is null))
);
create index webhook_attempts_webhook_no_seq_attempt_no_idx on webhook_attempts (webhook_no, seq, attempt_no);

-- Orders to send events again, carried out in steps in the background. A step queues deliveries and moves `next_seq`
-- in one transaction, so each event is queued once, by any process and after any crash.
create table webhook_resends (
  resend_id text collate "C" not null primary key check (resend_id ~ '^rs_[0-9a-f]{16}$'),
  merchant_id int not null,
  webhook_no int not null,
  -- Only events that were given up; otherwise all events still in the log.
  only_dead boolean not null,
  from_seq bigint not null check (from_seq >= 1),
  to_seq bigint not null,
  since timestamptz,
  -- The actual end: events after the cursor at that time are sent anyway.
  last_seq bigint not null,
  -- The first event that was not read yet.
  next_seq bigint not null,
  queued int not null default 0 check (queued >= 0),
  -- The idempotency key of the request.
  key text collate "C" check (octet_length(key) >= 1 and octet_length(key) <= 255),
  created_at timestamptz not null,
  stepped_at timestamptz,
  finished_at timestamptz,
  constraint webhook_resends_webhook_no_key_key unique (webhook_no, key)
);
create index webhook_resends_stepped_at_idx on webhook_resends (stepped_at nulls first) where finished_at is null;
create index webhook_resends_webhook_no_created_at_idx on webhook_resends (webhook_no, created_at);

-- Test events that commands have ordered. A server sends them, with its own settings, and leaves the result.
create table webhook_tests (
  test_id uuid not null primary key,
  webhook_no int not null,
  ordered_at timestamptz not null,
  taken_at timestamptz,
  -- JSON, once the test was sent.
  result text
);
create index webhook_tests_ordered_at_idx on webhook_tests (ordered_at) where taken_at is null;

-- baseline/09-staff.sql -----------------------------------------------------------------------------------------

create table staff (
  staff_id int not null generated always as identity primary key,
  -- Folded to lower case by the program, so that one person has one account.
  email text collate "C" not null unique check (char_length(email) >= 3 and char_length(email) <= 254),
  name text not null check (char_length(name) >= 1 and char_length(name) <= 100),
  -- argon2id with its parameters, as a PHC string.
  password_hash text collate "C" not null,
  totp_secret text collate "C",
  -- The last 30-second step that was used: no code works twice.
  totp_last_step bigint not null default 0,
  is_operator boolean not null default false,
  created_at timestamptz not null,
  -- The owner id that an authenticator stores with a passkey. It is random, because authenticators show it to anyone
  -- who holds them.
  passkey_handle uuid not null default gen_random_uuid(),
  -- Whether the address was proven (decision 94): by a link that only its mailbox got.
  email_proven_at timestamptz
);

create table staff_roles (
  staff_id int not null references staff(staff_id) on delete cascade,
  merchant_id int not null references merchants(merchant_id),
  role text not null check (role = any (array['owner', 'editor', 'support', 'viewer'])),
  created_at timestamptz not null,
  constraint staff_roles_pkey primary key (staff_id, merchant_id)
);
create index staff_roles_merchant_id_idx on staff_roles (merchant_id);

-- A link that works once: it makes an account, adds a role to one, or resets a password. The role is given when the
-- link is used, not when it is made: whoever holds a link gets what this link promises and nothing else.
create table staff_invitations (
  invitation_id uuid not null primary key,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- Null: whoever uses it says who they are. Only the first start makes such a link.
  email text collate "C",
  merchant_id int references merchants(merchant_id),
  role text check (role = any (array['owner', 'editor', 'support', 'viewer'])),
  makes_operator boolean not null default false,
  resets_staff_id int references staff(staff_id) on delete cascade,
  made_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  is_mailed boolean not null default false,
  constraint staff_invitations_check check ((merchant_id is null) = (role is null)),
  constraint staff_invitations_check1 check (resets_staff_id is null or merchant_id is null and not makes_operator)
);
create index staff_invitations_merchant_id_idx on staff_invitations (merchant_id);
create index staff_invitations_resets_staff_id_idx on staff_invitations (resets_staff_id);

create table staff_sessions (
  session_id uuid not null primary key,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  staff_id int not null references staff(staff_id) on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  browser text not null
);
create index staff_sessions_staff_id_idx on staff_sessions (staff_id);

-- Browsers in which a person has signed in before: what strangers fail at elsewhere does not hold them up there.
create table staff_browsers (
  staff_id int not null references staff(staff_id) on delete cascade,
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  last_used_at timestamptz not null,
  constraint staff_browsers_pkey primary key (staff_id, token_sha256)
);

-- Failed attempts to sign in, by account and by where they came from. There need not be such an account.
create table sign_in_failures (
  account text collate "C" not null,
  source text collate "C" not null,
  failures int not null check (failures >= 1),
  last_failed_at timestamptz not null,
  constraint sign_in_failures_pkey primary key (account, source)
);
create index sign_in_failures_last_failed_at_idx on sign_in_failures (last_failed_at);

-- Failed attempts from one network, for all accounts together: the level of a leaky bucket.
create table sign_in_networks (
  network text collate "C" not null primary key,
  level double precision not null check (level >= 0::double precision),
  counted_at timestamptz not null
);
create index sign_in_networks_counted_at_idx on sign_in_networks (counted_at);

create table staff_passkeys (
  passkey_id uuid not null primary key,
  staff_id int not null references staff(staff_id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) >= 1 and octet_length(credential_id) <= 1023),
  public_key bytea not null,
  name text not null check (char_length(name) >= 1 and char_length(name) <= 100),
  -- Grows with each use, if the authenticator counts. A copied key would fall behind.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  aaguid uuid not null,
  -- Whether the provider may sync the key to other devices, and whether it has.
  is_synced boolean not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index staff_passkeys_staff_id_idx on staff_passkeys (staff_id);

-- Challenges that a passkey has to sign. A row is deleted by its first use.
create table staff_challenges (
  challenge_sha256 bytea not null primary key check (octet_length(challenge_sha256) = 32),
  purpose text not null check (purpose = any (array['register', 'sign_in', 'second_factor'])),
  -- Null if the passkey itself identifies the person.
  staff_id int references staff(staff_id) on delete cascade,
  expires_at timestamptz not null,
  constraint staff_challenges_check check ((staff_id is null) = (purpose = 'sign_in'))
);
create index staff_challenges_expires_at_idx on staff_challenges (expires_at);
create index staff_challenges_staff_id_idx on staff_challenges (staff_id);

-- Each code replaces the second factor once. Used ones stay, so that the total is known.
create table staff_recovery_codes (
  staff_id int not null references staff(staff_id) on delete cascade,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  used_at timestamptz,
  constraint staff_recovery_codes_pkey primary key (staff_id, code_sha256)
);

-- The spins that a person has given in one day, counted in days since 1970-01-01 in the merchant's time zone (decision
-- 29). The row is also the lock for giving more; it is taken before any player is locked.
create table staff_grants (
  merchant_id int not null,
  staff text collate "C" not null,
  day int not null,
  spins bigint not null check (spins >= 0),
  constraint staff_grants_pkey primary key (merchant_id, staff)
)
with (fillfactor=50);

-- Who changed what. Append-only. A player stands here by number, so that to erase its name needs no change here.
create table audit_log (
  entry_no bigint not null generated always as identity,
  at timestamptz not null,
  merchant_id int not null,
  actor_kind text collate "C" not null check (actor_kind = any (array['token', 'staff', 'command', 'worker'])),
  actor_id text not null check (char_length(actor_id) >= 1 and char_length(actor_id) <= 200),
  actor_name text,
  action text collate "C" not null,
  subject_kind text collate "C" not null,
  subject text,
  shard int,
  player_no bigint,
  before jsonb,
  after jsonb,
  request_id text,
  constraint audit_log_pkey primary key (merchant_id, entry_no),
  constraint audit_log_check check ((subject_kind = 'player') = (player_no is not null)),
  constraint audit_log_check1 check ((shard is null) = (player_no is null)),
  constraint audit_log_check2 check ((subject is null) = (player_no is not null))
);
revoke delete, truncate, update on audit_log from current_user;

-- baseline/10-reports.sql ---------------------------------------------------------------------------------------

create table activity_counts (
  quarter timestamptz not null,
  merchant_id int not null,
  -- A kind of ledger entry, or `player` for new players.
  kind text collate "C" not null,
  count bigint not null,
  spins bigint not null,
  constraint activity_counts_pkey primary key (merchant_id, quarter, kind)
);

create table play_counts (
  quarter timestamptz not null,
  plays bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  campaign_id int not null default 0,
  constraint play_counts_pkey primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_counts (
  quarter timestamptz not null,
  settlements bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  campaign_id int not null default 0,
  constraint settlement_counts_pkey primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state)
);

create table closed_days (
  merchant_id int not null primary key,
  until date not null,
  time_zone text not null
);

create table activity_days (
  count bigint not null,
  spins bigint not null,
  day date not null,
  merchant_id int not null,
  kind text collate "C" not null,
  constraint activity_days_pkey primary key (merchant_id, day, kind)
);

create table play_days (
  plays bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  campaign_id int not null default 0,
  constraint play_days_pkey primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_days (
  settlements bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  campaign_id int not null default 0,
  constraint settlement_days_pkey primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, segment, state)
);

-- The figures of a closed day, by campaign and wheel. A year of a merchant with 50 campaigns is 18,000 rows; by version
-- and segment it is 110,000, each of which needs its segment's kind and cost.
create table campaign_days (
  plays bigint not null,
  wins bigint not null,
  fallbacks bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  cancelled bigint not null,
  expired bigint not null,
  reversed bigint not null,
  cost double precision not null,
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  held bigint not null default 0,
  refused bigint not null default 0,
  constraint campaign_days_pkey primary key (merchant_id, day, campaign_id, wheel_id)
);

create table play_months (
  plays bigint not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  constraint play_months_pkey primary key (merchant_id, month, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_months (
  settlements bigint not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  constraint settlement_months_pkey primary key (merchant_id, month, campaign_id, wheel_id, wheel_version, segment, state)
);

create table campaign_months (
  plays bigint not null,
  wins bigint not null,
  fallbacks bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  cancelled bigint not null,
  expired bigint not null,
  reversed bigint not null,
  cost double precision not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  held bigint not null default 0,
  refused bigint not null default 0,
  constraint campaign_months_pkey primary key (merchant_id, month, campaign_id, wheel_id)
);

-- A player at a wheel on one day of the merchant's time zone. `stage` is how far the visit came:
-- 1 opened, 2 played, 3 won a prize, 4 claimed it, 5 redeemed it.
create table visits (
  player_no bigint not null,
  day date not null,
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  stage smallint not null check (stage >= 1 and stage <= 5),
  campaign_id int not null default 0,
  constraint visits_pkey primary key (shard, player_no, campaign_id, wheel_id, day)
)
with (fillfactor=90);

-- How many visits came to each stage or beyond it. One row instead of one for each stage.
create table visit_days (
  opened bigint not null,
  played bigint not null,
  won bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  constraint visit_days_pkey primary key (merchant_id, day, campaign_id, wheel_id)
)
with (fillfactor=90);

-- The first and the newest week in which a player played a wheel. A week is the date of its Monday.
create table player_weeks (
  player_no bigint not null,
  first_week date not null,
  last_week date not null,
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  campaign_id int not null,
  constraint player_weeks_pkey primary key (shard, player_no, campaign_id, wheel_id),
  constraint player_weeks_check check (last_week >= first_week)
)
with (fillfactor=90);

-- How many of the players whose first week was `first_week` played in `week`.
create table cohort_counts (
  players bigint not null,
  first_week date not null,
  week date not null,
  merchant_id int not null,
  wheel_id int not null,
  campaign_id int not null,
  constraint cohort_counts_pkey primary key (merchant_id, campaign_id, wheel_id, first_week, week),
  constraint cohort_counts_check check (week >= first_week)
);

-- baseline/11-operation.sql -------------------------------------------------------------------------------------

-- How far work that goes on in the background has come. The row is also the lock that lets one process do it.
create table work_positions (
  work text collate "C" not null primary key,
  "position" timestamptz not null
);

-- One row: when a server was alive last. A gap is an outage.
create table signs_of_life (
  alive_at timestamptz not null,
  is_only boolean not null default true primary key check (is_only),
  -- Its addresses, for the links that commands print.
  public_url text,
  game_url text
);

-- The last requests of each merchant, for the list in the console and the API. The newest of a kind are kept.
create table recent_requests (
  merchant_id int not null,
  is_refused boolean not null,
  request_no bigint not null generated always as identity,
  noted_at timestamptz not null,
  -- JSON.
  request text not null,
  constraint recent_requests_pkey primary key (merchant_id, is_refused, request_no)
);
create index recent_requests_noted_at_idx on recent_requests (noted_at);

-- 0050-entries.sql ----------------------------------------------------------------------------------------------

-- The entry of a campaign, as it is now. Fields and terms are in the version.
create table entry_settings (
  changed_at timestamptz not null,
  merchant_id int not null references merchants(merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  version int not null check (version >= 1),
  revision int not null check (revision >= 1),
  settings jsonb not null,
  constraint entry_settings_pkey primary key (merchant_id, campaign_id)
);

-- Append-only: what visitors were asked, under which terms.
create table entry_forms (
  created_at timestamptz not null,
  merchant_id int not null references merchants(merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  version int not null check (version >= 1),
  fields jsonb not null,
  terms jsonb not null,
  terms_sha256 text collate "C" not null,
  -- Why it replaced the version before, if entries had been made under that one.
  reason text,
  actor text not null,
  closes_at timestamptz,
  constraint entry_forms_pkey primary key (merchant_id, campaign_id, version)
);
revoke delete, truncate, update on entry_forms from current_user;

-- Append-only: the texts that people agreed to, by their hash.
create table entry_texts (
  sha256 text collate "C" not null primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null
);
revoke delete, truncate, update on entry_texts from current_user;

-- One row for each campaign, changed last in the transaction of an entry.
create table entry_counts (
  merchant_id int not null,
  campaign_id int not null,
  entered int not null default 0 check (entered >= 0),
  verified int not null default 0,
  constraint entry_counts_pkey primary key (merchant_id, campaign_id),
  constraint entry_counts_check check (verified >= 0 and verified <= entered)
)
with (fillfactor=50);

-- Which visitor has an address, by keyed hashes: one row for every live key, so that two entries during a rotation
-- meet.
-- The player of an erased visitor is null: no mail goes to the address any more.
create table address_keys (
  created_at timestamptz not null,
  merchant_id int not null,
  fold_version int not null,
  key_id text collate "C" not null,
  hash bytea not null check (octet_length(hash) = 32),
  player_id text collate "C",
  constraint address_keys_pkey primary key (merchant_id, key_id, hash)
);
create index address_keys_player_idx on address_keys (merchant_id, player_id) where player_id is not null;

create table visitor_entries (
  player_no bigint not null,
  entered_at timestamptz not null,
  -- When a code proved the address.
  verified_at timestamptz,
  entry_id uuid not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  language text collate "C" not null,
  after_win_at timestamptz,
  constraint visitor_entries_pkey primary key (player_no, campaign_id, shard)
);
create index visitor_entries_time_idx on visitor_entries (merchant_id, campaign_id, entered_at, entry_id);

-- The answers to a form, encrypted: the key of each row is itself encrypted by a key of `signing_keys`.
create table entry_answers (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  key_id text collate "C" not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  changed_at timestamptz,
  constraint entry_answers_pkey primary key (player_no, campaign_id, shard)
);
create index entry_answers_campaign_idx on entry_answers (merchant_id, campaign_id);

create table entry_consents (
  player_no bigint not null,
  given_at timestamptz not null,
  -- When a code proved the address.
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  field text collate "C" not null,
  purpose text collate "C" not null check (purpose = any (array['marketing', 'other'])),
  language text collate "C" not null,
  text_sha256 text collate "C" not null,
  constraint entry_consents_pkey primary key (player_no, campaign_id, field, given_at, shard)
);
create index entry_consents_withdrawn_idx on entry_consents (merchant_id, withdrawn_at) where withdrawn_at is not null;

-- The idempotency keys of submissions. Only their hashes are stored; the request is hashed with the key itself.
create table entry_requests (
  created_at timestamptz not null,
  merchant_id int not null,
  campaign_id int not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  -- The visitor who entered, or the session that waits for a code.
  player_id text collate "C",
  session_id uuid,
  constraint entry_requests_pkey primary key (merchant_id, campaign_id, key_hash)
);
create index entry_requests_created_idx on entry_requests (created_at);

-- Submissions that wait for the code in the mail. Gone an hour later.
create table entry_sessions (
  session_id uuid not null primary key,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  code_expires_at timestamptz not null,
  resend_at timestamptz not null,
  -- When the mail is to be sent; null once it was.
  mail_due_at timestamptz,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  attempts_left int not null check (attempts_left >= 0),
  mail_tries int not null default 0,
  language text collate "C" not null,
  key_id text collate "C" not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  wrapped_key bytea not null,
  -- Address and answers.
  sealed bytea not null,
  -- The code, until it is mailed; at a test merchant for as long as it is valid.
  sealed_code bytea,
  -- The visitor, once the code was typed.
  player_id text collate "C"
);
create index entry_sessions_ends_idx on entry_sessions (ends_at);
create index entry_sessions_mail_idx on entry_sessions (mail_due_at) where mail_due_at is not null;

-- How often something was done in an hour or a day. What is counted is hashed.
create table entry_budgets (
  ends_at timestamptz not null,
  merchant_id int not null,
  used int not null,
  counted text collate "C" not null,
  subject bytea not null,
  constraint entry_budgets_pkey primary key (merchant_id, counted, subject, ends_at)
)
with (fillfactor=70);
create index entry_budgets_ends_idx on entry_budgets (ends_at);

-- Solutions that were used. Another use is a replay.
create table spent_challenges (
  expires_at timestamptz not null,
  nonce text collate "C" not null primary key
);
create index spent_challenges_expires_idx on spent_challenges (expires_at);

-- What happened at the entry of a campaign on a day (UTC): pages opened, and refusals by their code.
create table entry_days (
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  happened text collate "C" not null,
  count int not null check (count >= 1),
  constraint entry_days_pkey primary key (merchant_id, campaign_id, day, happened)
)
with (fillfactor=50);

-- 0053-link-lists.sql -------------------------------------------------------------------------------------------

create table link_lists (
  created_at timestamptz not null,
  -- The end of all its links. The list is deleted after it.
  expires_at timestamptz not null,
  -- When the last link was made or refused.
  finished_at timestamptz,
  deleted_at timestamptz,
  list_id uuid not null,
  merchant_id int not null references merchants(merchant_id),
  players int not null check (players >= 1),
  -- Null until it is finished.
  made int,
  refused int,
  -- `main`, the id of another campaign, or `*` for the lobby.
  campaign text collate "C" not null,
  language text collate "C",
  created_by text not null,
  constraint link_lists_pkey primary key (merchant_id, list_id)
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
  constraint link_list_players_pkey primary key (player_id, merchant_id, list_id, shard)
);
create index link_list_players_place_idx on link_list_players (merchant_id, list_id, place);
create index link_list_players_unmade_idx on link_list_players (merchant_id, list_id, shard) where player_no is null and refusal is null;

-- 0054-mails.sql ------------------------------------------------------------------------------------------------

-- One row for each mail. What it says is made when it is sent; what it is about is in `data`.
create table mails (
  mail_id uuid not null,
  planned_at timestamptz not null,
  -- From then on it is of no use, and is dropped.
  expires_at timestamptz not null,
  -- When it is sent or, in `sending`, counts as unknown: a process has died. Null once it is settled.
  due_at timestamptz,
  settled_at timestamptz,
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  tries int not null default 0,
  -- How often nobody knows whether it has arrived.
  unknowns int not null default 0,
  kind text collate "C" not null,
  state text collate "C" not null check (state = any (array['planned', 'sending', 'sent', 'refused', 'unknown', 'dropped'])),
  -- The event and its recipient. One cause has one mail of a kind.
  cause text collate "C" not null,
  -- The verdict on the last reply, or why it was dropped; and the reply's codes.
  reason text collate "C",
  reply text,
  data jsonb not null,
  constraint mails_pkey primary key (mail_id, shard),
  constraint mails_check check ((due_at is null) = (state <> all (array['planned', 'sending'])))
)
with (fillfactor=70);
create index mails_dropped_idx on mails (shard, settled_at) where state = 'dropped';
create index mails_due_marketing_idx on mails (merchant_id, due_at) where due_at is not null and (kind = any (array['spins_waiting', 'spins_expire']));
create index mails_due_prizes_idx on mails (merchant_id, due_at) where due_at is not null and (kind = any (array['won', 'claim_ends']));
create index mails_due_staff_idx on mails (merchant_id, due_at) where due_at is not null and kind = 'staff_alert';
create index mails_failed_idx on mails (merchant_id, planned_at, mail_id) where state = any (array['refused', 'unknown']);
-- For their deletion after a year.
create index mails_old_idx on mails (shard, planned_at);
create index mails_planned_idx on mails (merchant_id, planned_at, mail_id);
create index mails_player_idx on mails (player_no, settled_at);
create unique index mails_cause_idx on mails (merchant_id, kind, cause, shard);

-- The position of a merchant's mails in its event log, and the process that plans and sends them.
create table mail_cursors (
  lease_until timestamptz,
  -- Nothing is sent before this: the merchant's limit for this hour is used up.
  held_until timestamptz,
  hour_started_at timestamptz,
  -- A person has stopped all messages.
  stopped_at timestamptz,
  cursor_seq bigint not null check (cursor_seq >= 0),
  merchant_id int not null primary key references merchants(merchant_id),
  hour_count int not null default 0,
  -- Whether events are read: some kind of message is switched on.
  is_planning boolean not null default false,
  lease_owner uuid,
  marketing_held_until timestamptz
)
with (fillfactor=50);

-- Senders (`MAIL_FROM`) whose mail the SMTP server refuses. Nothing is sent for them before this time.
create table mail_pauses (
  paused_at timestamptz not null,
  paused_until timestamptz not null,
  sender text collate "C" not null primary key,
  reason text not null
);

-- Addresses that a merchant does not mail any more (`all`), or not to advertise (`marketing`). By keyed hashes, one row
-- for every live key.
create table mail_suppressions (
  created_at timestamptz not null,
  merchant_id int not null references merchants(merchant_id),
  key_id text collate "C" not null,
  hash bytea not null check (octet_length(hash) = 32),
  scope text collate "C" not null check (scope = any (array['all', 'marketing'])),
  reason text collate "C" not null,
  suppression_id uuid,
  player_no bigint,
  shard int,
  constraint mail_suppressions_pkey primary key (merchant_id, key_id, hash, scope)
);
create index mail_suppressions_list_idx on mail_suppressions (merchant_id, scope, created_at);
create index mail_suppressions_player_idx on mail_suppressions (player_no) where player_no is not null;

-- Which messages a campaign sends, with its own texts. The number of `main` is 0.
create table message_settings (
  changed_at timestamptz not null,
  merchant_id int not null references merchants(merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  revision int not null check (revision >= 1),
  settings jsonb not null,
  constraint message_settings_pkey primary key (merchant_id, campaign_id)
);

-- 0057-staff-alert-choices.sql ----------------------------------------------------------------------------------

-- Which alerts people want by e-mail (docs/console.md). A campaign with a row of its own has this choice instead of the
-- one for all campaigns, whose number is null. The number of `main` is 0.
create table staff_alert_choices (
  changed_at timestamptz not null,
  staff_id int not null references staff(staff_id) on delete cascade,
  merchant_id int not null references merchants(merchant_id),
  campaign_id int check (campaign_id >= 0),
  causes text[] not null,
  constraint staff_alert_choices_merchant_id_staff_id_campaign_id_key unique nulls not distinct (merchant_id, staff_id, campaign_id)
);
create index staff_alert_choices_staff_id_idx on staff_alert_choices (staff_id);

-- 0059-message-texts.sql ----------------------------------------------------------------------------------------

-- The texts of a merchant for messages to players, by kind and language. Those of a campaign, in message_settings,
-- replace them.
create table message_texts (
  changed_at timestamptz not null,
  merchant_id int not null primary key references merchants(merchant_id),
  revision int not null check (revision >= 1),
  texts jsonb not null
);

-- 0060-staff-alerts-told.sql ------------------------------------------------------------------------------------

-- What staff were told by e-mail, so that nobody is told twice: not by two processes, and not about what has stayed as
-- it was. The mails themselves are rows of `mails`, with the player number 0.
create table staff_alerts_told (
  -- The day of the mail, in the merchant's time zone.
  told_on date not null,
  merchant_id int not null references merchants(merchant_id),
  staff_id int not null references staff(staff_id) on delete cascade,
  -- It is over since: from the next day on it can be told again.
  is_over boolean not null default false,
  cause text collate "C" not null,
  -- Which prize, pool, campaign, webhook or day.
  subject text collate "C" not null,
  constraint staff_alerts_told_pkey primary key (merchant_id, staff_id, cause, subject)
);
create index staff_alerts_told_staff_id_idx on staff_alerts_told (staff_id);

-- Prizes that were drawn more or less often than chance explains, at the last daily check.
create table draw_drifts (
  found_at timestamptz not null,
  merchant_id int not null references merchants(merchant_id),
  wheel_id int not null,
  draws int not null,
  expected int not null,
  prize_id text collate "C" not null,
  label text not null,
  constraint draw_drifts_pkey primary key (merchant_id, wheel_id, prize_id)
);

-- 0061-prize-holds.sql ------------------------------------------------------------------------------------------

-- Prizes that staff check before the player gets them. The play of such a prize has neither code nor last day: they are
-- here, and count once the prize is released.
create table prize_holds (
  player_no bigint not null,
  -- When it was won.
  held_at timestamptz not null,
  -- By when staff should decide.
  due_at timestamptz not null,
  decided_at timestamptz,
  -- The end of the claim period, which begins with the release.
  claim_before timestamptz,
  shard int not null,
  merchant_id int not null,
  play_no int not null,
  -- The condition of the wheel's rule that held it.
  cause text collate "C" not null,
  -- Null until staff has decided. A decision never changes.
  decision text collate "C" check (decision = any (array['released', 'refused'])),
  -- From a pool. A refusal gives it back.
  code text collate "C",
  constraint prize_holds_pkey primary key (shard, player_no, play_no),
  constraint prize_holds_check check ((decision is null) = (decided_at is null)),
  constraint prize_holds_check1 check (claim_before is null or decision = 'released'),
  constraint prize_holds_check2 check (code is null or decision is distinct from 'refused')
);
create index prize_holds_brin on prize_holds using brin (held_at) with (pages_per_range='32', autosummarize='on');
create index prize_holds_claim_idx on prize_holds (claim_before) where claim_before is not null;
create index prize_holds_due_idx on prize_holds (due_at) where decision is null;
create index prize_holds_lower_code_idx on prize_holds (merchant_id, lower(code)) where code is not null;
-- What is to be checked, and what is overdue.
create index prize_holds_open_idx on prize_holds (merchant_id, held_at, player_no, play_no) where decision is null;
revoke delete, truncate on prize_holds from current_user;

-- src/db/migrate.ts ---------------------------------------------------------------------------------------------

create table schema_migrations (
  version int not null primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null
);
