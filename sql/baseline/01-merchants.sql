-- Merchants, and how their systems authenticate. These tables change rarely and hold no counters: on Citus, some of
-- them are copied to every machine. In all these files, "decision 70" is a page in docs/decisions.

create table merchants (
  merchant_id int generated always as identity primary key,
  slug text collate "C" not null unique,
  name text not null check (char_length(name) between 1 and 200),
  strict_players boolean not null default false,
  grant_max int not null default 1000000 check (grant_max between 1 and 1000000),
  daily_grant_max int check (daily_grant_max between 1 and 1000000000),
  link_lifetime_seconds int not null default 86400 check (link_lifetime_seconds between 300 and 2592000),
  -- Game links from before this moment are revoked.
  links_valid_from timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null,
  -- The wheel of the campaign `main`. It refers to `wheels` (02-wheels.sql).
  wheel_id int,
  -- The origins that may show the game in a frame.
  embed_origins text[] not null default '{}',
  -- Spins expire that many days after they were granted; null for never.
  spin_lifetime_days int check (spin_lifetime_days between 1 and 3650),
  -- Days in reports are this zone's.
  time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 60),
  -- The spins that a person with the role support may give in one day, in the merchant's time zone.
  support_daily_grant_max int not null default 100 check (support_daily_grant_max between 0 and 1000000),
  -- How long after it a redemption can be taken back; 0 for never.
  redemption_reversal_hours int not null default 24 check (redemption_reversal_hours between 0 and 720),
  -- The live merchant that this one is a test merchant of (decision 70). A test merchant is like any other, with
  -- players, ledger, stock, events, webhooks and tokens of its own.
  test_of int references merchants,
  -- How far its clock is ahead of the real time. Only test merchants have a clock.
  clock_ahead_ms bigint check (clock_ahead_ms >= 0),
  -- Since when a reset has replaced it. Its rows stay, but nobody reaches them any more.
  replaced_at timestamptz,
  is_test boolean not null generated always as (test_of is not null) stored,
  -- How long before spins expire an event announces it; null for never.
  spin_expiry_notice_hours int default 24 check (spin_expiry_notice_hours between 1 and 8760),
  -- A live merchant may have several test merchants in use at once: one without a name, and others with a name.
  test_name text check (test_name ~ '^[a-z0-9][a-z0-9-]{0,19}$'),
  unique (merchant_id, is_test),
  check ((test_of is null) = (clock_ahead_ms is null)),
  check (test_of is not null or replaced_at is null),
  check (test_of is not null or test_name is null),
  -- The name of a test merchant is separated by an underscore, which the id of no live merchant has: the id of a test
  -- merchant of one live merchant is never that of another's.
  constraint merchants_slug_check check (
    case
      when test_of is null then slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'
      when replaced_at is null then slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?$'
      else slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?\.[0-9]+$'
    end
  )
);

create unique index merchants_test_of_idx on merchants (test_of, (coalesce(test_name, ''))) where replaced_at is null;

create table service_tokens (
  token_id text collate "C" primary key,
  merchant_id int not null references merchants,
  name text not null check (char_length(name) between 1 and 200),
  secret_sha256 bytea not null check (octet_length(secret_sha256) = 32),
  -- `prizes` is for a till that settles prizes and may do nothing else; `read` for what only looks.
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['spins', 'links', 'manage', 'events', 'prizes', 'read']
  ),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- With such a token, the two merchant operations mean this campaign. It refers to `campaigns` (03-campaigns.sql).
  campaign_id int
);

create index service_tokens_merchant_id_idx on service_tokens (merchant_id);

create table service_token_uses (
  token_id text collate "C" primary key references service_tokens,
  last_used_at timestamptz not null
);

-- The keys that game links are signed with, and those that server seeds are derived from. An old key of seeds is needed
-- for ever, to prove old plays.
create table signing_keys (
  key_id text collate "C" primary key,
  algorithm text not null check (algorithm = 'HS256'),
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz,
  purpose text not null default 'links' check (purpose in ('links', 'seeds'))
);

create table revoked_links (
  merchant_id int not null references merchants,
  link_id text collate "C" not null,
  revoked_at timestamptz not null,
  primary key (merchant_id, link_id)
);
