-- The id of an erased player is taken out of its events too (docs/decisions/0030-erased-players-leave-their-events.md).

-- What was told once is never told otherwise, but for that id.
grant update (body) on event_pages to current_user;

-- Names that are still to be taken out. The row itself names the player, so it is deleted when the work is done.
create table event_erasures (
  erasure_no bigint generated always as identity primary key,
  erased_at timestamptz not null,
  -- Not before this moment: also a lease, so that one process works on it.
  next_at timestamptz not null,
  merchant_id int not null,
  shard int not null,
  -- Pages with greater numbers may be of a new player with the same id.
  last_page_no bigint not null,
  -- Events up to this number were looked at.
  after_seq bigint not null default 0,
  -- The last event of the player on a page up to `last_page_no`.
  last_seq bigint not null default 0,
  player_id text collate "C" not null,
  pseudonym text collate "C" not null
);
