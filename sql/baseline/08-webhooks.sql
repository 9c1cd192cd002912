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
  -- The idempotency key of the request that created a webhook, a hash of its content, its author, and the cursor with
  -- which it was created: a repeat gets the first answer.
  creation_key text collate "C" check (octet_length(creation_key) between 1 and 255),
  creation_sha256 bytea,
  creation_actor text,
  creation_seq bigint,
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);

create index webhooks_merchant_id_idx on webhooks (merchant_id);
create unique index webhooks_merchant_id_creation_key_idx on webhooks (merchant_id, creation_key)
where deleted_at is null;

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
  probe_count int not null default 0 check (probe_count >= 0),
  -- A receiver that took long to answer counts as slow until this time. Slow webhooks have their own slots, so that
  -- they don't occupy those of the others.
  slow_until timestamptz
)
with (fillfactor = 50);

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
  primary key (webhook_no, seq),
  check ((next_try_at is null) <> (dead_at is null))
);

create index webhook_deliveries_webhook_no_next_try_at_seq_idx on webhook_deliveries (webhook_no, next_try_at, seq)
where next_try_at is not null;
create index webhook_deliveries_webhook_no_dead_at_idx on webhook_deliveries (webhook_no, dead_at)
where dead_at is not null;

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
  excerpt text check (char_length(excerpt) <= 1024),
  -- The headers of the answer that help to find a fault, as a JSON object.
  headers text check (char_length(headers) <= 2000),
  primary key (webhook_no, attempt_no),
  check ((status is null) <> (fault is null))
);

create index webhook_attempts_webhook_no_seq_attempt_no_idx on webhook_attempts (webhook_no, seq, attempt_no);

-- Orders to send events again, carried out in steps in the background. A step queues deliveries and moves `next_seq`
-- in one transaction, so each event is queued once, by any process and after any crash.
create table webhook_resends (
  resend_id text collate "C" primary key check (resend_id ~ '^rs_[0-9a-f]{16}$'),
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
  key text collate "C" check (octet_length(key) between 1 and 255),
  created_at timestamptz not null,
  stepped_at timestamptz,
  finished_at timestamptz,
  unique (webhook_no, key)
);

create index webhook_resends_webhook_no_created_at_idx on webhook_resends (webhook_no, created_at);
create index webhook_resends_stepped_at_idx on webhook_resends (stepped_at nulls first) where finished_at is null;

-- Test events that commands have ordered. A server sends them, with its own settings, and leaves the result.
create table webhook_tests (
  test_id uuid primary key,
  webhook_no int not null,
  ordered_at timestamptz not null,
  taken_at timestamptz,
  -- JSON, once the test was sent.
  result text
);

create index webhook_tests_ordered_at_idx on webhook_tests (ordered_at) where taken_at is null;
