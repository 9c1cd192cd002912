-- Orders to send events again. They are carried out in steps in the background: a step queues deliveries and moves
-- `next_seq` in one transaction, so that each event is queued once, whoever does it and however often a process dies.
create table webhook_resends (
  resend_id text collate "C" primary key check (resend_id ~ '^rs_[0-9a-f]{16}$'),
  merchant_id int not null,
  webhook_no int not null,
  -- Only events that were given up; otherwise all that the log still has.
  only_dead boolean not null,
  from_seq bigint not null check (from_seq >= 1),
  to_seq bigint not null,
  since timestamptz,
  -- Where it really ends: events after the cursor of that moment are sent anyway.
  last_seq bigint not null,
  -- The first event that was not looked at yet.
  next_seq bigint not null,
  queued int not null default 0 check (queued >= 0),
  -- A repeat of the request has the same key.
  key text collate "C" check (octet_length(key) between 1 and 255),
  created_at timestamptz not null,
  stepped_at timestamptz,
  finished_at timestamptz,
  unique (webhook_no, key)
);

create index on webhook_resends (webhook_no, created_at);
create index on webhook_resends (stepped_at nulls first) where finished_at is null;

-- The key of the request that made a webhook, with a hash of what it asked for, and who sent it.
alter table webhooks add column creation_key text collate "C" check (octet_length(creation_key) between 1 and 255);
alter table webhooks add column creation_sha256 bytea;
alter table webhooks add column creation_actor text;

create unique index on webhooks (merchant_id, creation_key) where deleted_at is null;

-- Tickets for the live stream: each lets in one connection, on behalf of the service token that asked for it.
create table event_tickets (
  ticket_sha256 bytea primary key check (octet_length(ticket_sha256) = 32),
  merchant_id int not null,
  token_id text collate "C" not null,
  expires_at timestamptz not null
);

create index on event_tickets (expires_at);
