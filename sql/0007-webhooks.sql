-- Webhooks: where a merchant's events are sent to, and how far that has come.

create table webhooks (
  webhook_no int generated always as identity primary key,
  webhook_id text collate "C" not null unique check (webhook_id ~ '^wh_[0-9a-f]{16}$'),
  merchant_id int not null references merchants,
  url text not null check (char_length(url) between 1 and 2000),
  description text not null check (char_length(description) <= 200),
  -- The types of events to send; null for all.
  types text[] check (cardinality(types) > 0),
  -- Needed to sign with, so not a hash. After a rotation the one before signs too, for a while.
  secret text not null check (secret like 'whsec\_%'),
  previous_secret text check (previous_secret like 'whsec\_%'),
  previous_secret_until timestamptz,
  paused_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text collate "C" check (disabled_reason in ('gone', 'failing')),
  -- Gone for everybody; its rows elsewhere are deleted bit by bit, and it last.
  deleted_at timestamptz,
  created_at timestamptz not null,
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);

create index on webhooks (merchant_id);

-- What changes with every batch that is sent, apart from what people set.
create table webhook_cursors (
  webhook_no int primary key references webhooks,
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
  probe_count int not null default 0 check (probe_count >= 0)
)
with (fillfactor = 50);

-- Events that were not taken at the first try, or are to be sent again: waiting for their next try, or given up. They hold
-- their whole text, so that they can be sent for as long as they stand here, however short the log is kept.
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
  primary key (webhook_no, seq),
  check ((next_try_at is null) <> (dead_at is null))
);

create index on webhook_deliveries (webhook_no, next_try_at, seq) where next_try_at is not null;
create index on webhook_deliveries (webhook_no, dead_at) where dead_at is not null;

-- Every attempt, for people to look at. `seq` is null for a test.
create table webhook_attempts (
  attempt_no bigint generated always as identity,
  seq bigint,
  attempted_at timestamptz not null,
  webhook_no int not null,
  took_ms int not null check (took_ms >= 0),
  status int check (status between 100 and 999),
  fault text collate "C" check (fault in ('blocked', 'dns', 'refused', 'tls', 'timeout', 'reset', 'protocol')),
  event_id text collate "C" not null,
  event_type text collate "C" not null,
  excerpt text check (char_length(excerpt) <= 500),
  primary key (webhook_no, attempt_no),
  check ((status is null) <> (fault is null))
);

create index on webhook_attempts (webhook_no, seq, attempt_no);
