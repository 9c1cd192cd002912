-- The id of an erased player is also removed from its events
-- (docs/decisions/0030-erased-players-leave-their-events.md).

-- Events never change, except for that id.
grant update (body) on event_pages to current_user;

-- Ids that are still to be removed. The row itself contains the id, so it is deleted when the work is done.
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
