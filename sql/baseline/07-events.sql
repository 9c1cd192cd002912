-- What happened, for the merchant's systems. A transaction writes its events as one page per merchant; a page gets its
-- numbers after its commit, so that they have no gaps and nothing appears behind a reader.

create sequence event_page_numbers;

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
  primary key (page_id, shard)
)
partition by range (page_id);

alter sequence event_page_numbers owned by event_pages.page_no;

-- Pages without numbers: few, and the sequencer reads no more of them than this.
create index event_pages_unnumbered on event_pages (page_no) include (merchant_id, event_count)
where first_seq is null;

-- Not unique, since it lacks the shard; the lock on the stream's row sees to that, and `wheelhouse audit` looks.
create index event_pages_by_seq on event_pages (merchant_id, first_seq) where first_seq is not null;

-- The first partition, for pages of the first eight days. The server adds and drops the others. A page is written again
-- when it gets its numbers; its body is not, if it is stored apart from its row.
do $$
declare
  bound_ms bigint := extract(epoch from date_trunc('day', now() at time zone 'UTC')) * 1000 + 8 * 86400000;
begin
  execute format(
    'create table event_pages_first partition of event_pages for values from (minvalue) to (%L) '
      'with (toast_tuple_target = 128)',
    (lpad(to_hex(bound_ms), 12, '0') || repeat('0', 20))::uuid
  );
end
$$;

-- For pages of a time that has no partition, because a clock is wrong: they must never stop the change that they
-- describe.
create table event_pages_default partition of event_pages default
with (toast_tuple_target = 128);

-- What was told once is never told otherwise: a page gets its number, an erased player's id is removed from it, and one
-- day it is dropped.
revoke update, delete, truncate on event_pages, event_pages_first, event_pages_default from current_user;
grant update (first_seq, body) on event_pages to current_user;
-- Old pages of this one are deleted row by row.
grant delete on event_pages_default to current_user;

-- A merchant's events are numbered 1, 2, 3 … The row is the lock under which they get their numbers.
create table event_streams (
  merchant_id int primary key,
  next_seq bigint not null default 1 check (next_seq >= 1),
  -- Events before this one are deleted.
  first_kept_seq bigint not null default 1,
  check (first_kept_seq between 1 and next_seq)
)
with (fillfactor = 50);

-- Ids of erased players that are still to be removed from events (decision 30). The row itself contains the id, so it
-- is deleted when the work is done.
create table event_erasures (
  erasure_no bigint generated always as identity primary key,
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
  ticket_sha256 bytea primary key check (octet_length(ticket_sha256) = 32),
  merchant_id int not null,
  token_id text collate "C" not null,
  expires_at timestamptz not null
);

create index event_tickets_expires_at_idx on event_tickets (expires_at);
