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

create index on webhook_resends (webhook_no, created_at);
create index on webhook_resends (stepped_at nulls first) where finished_at is null;

-- The idempotency key of the request that created a webhook, a hash of its content, and its author.
alter table webhooks add column creation_key text collate "C" check (octet_length(creation_key) between 1 and 255);
alter table webhooks add column creation_sha256 bytea;
alter table webhooks add column creation_actor text;

create unique index on webhooks (merchant_id, creation_key) where deleted_at is null;

-- Tickets for the live stream: each admits one connection, on behalf of the service token that requested it.
create table event_tickets (
  ticket_sha256 bytea primary key check (octet_length(ticket_sha256) = 32),
  merchant_id int not null,
  token_id text collate "C" not null,
  expires_at timestamptz not null
);

create index on event_tickets (expires_at);
