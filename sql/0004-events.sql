-- What happened, for the merchant's systems. A transaction writes its events as one page per merchant; a page gets its
-- numbers after its commit (src/events/sequencer.ts), so that they have no gaps and nothing appears behind a reader.

create table event_pages (
  -- Taken while the players' rows are locked: a player's later event stands on a page with a greater number.
  page_no bigint generated always as identity,
  -- The number of the page's first event among its merchant's; null until the sequencer has come by.
  first_seq bigint check (first_seq >= 1),
  created_at timestamptz not null,
  -- That of one of its players; 0 where no player is concerned.
  shard int not null,
  merchant_id int not null,
  event_count int not null check (event_count between 1 and 10000),
  -- Made by the program, and in every event's id: a database that was restored never uses one again.
  page_id uuid not null,
  -- A JSON array of [type, time in ms, data]. Text, because nothing here looks inside.
  body text not null,
  primary key (shard, page_no)
);

-- Pages without numbers: few, and the sequencer reads no more of them than this.
create index on event_pages (page_no) include (merchant_id, event_count) where first_seq is null;

-- Not unique, since it lacks the shard; the lock on the stream's row sees to that, and `wheelhouse audit` looks.
create index on event_pages (merchant_id, first_seq) where first_seq is not null;

-- What was told once is never told otherwise: a page gets its number, and one day it is deleted.
revoke update, truncate on event_pages from current_user;
grant update (first_seq) on event_pages to current_user;

-- A merchant's events are numbered 1, 2, 3 … The row is the lock under which they get their numbers.
create table event_streams (
  merchant_id int primary key,
  next_seq bigint not null default 1 check (next_seq >= 1),
  -- Events before this one are deleted.
  first_kept_seq bigint not null default 1,
  check (first_kept_seq between 1 and next_seq)
)
with (fillfactor = 50);
