-- The address of the server that was alive last, for the links that commands print.
alter table signs_of_life
  add column public_url text,
  add column game_url text;

-- Test events that commands have ordered. A server sends them, with its own settings, and leaves the result.
create table webhook_tests (
  test_id uuid primary key,
  webhook_no int not null,
  ordered_at timestamptz not null,
  taken_at timestamptz,
  -- JSON, once the test was sent.
  result text
);

create index on webhook_tests (ordered_at) where taken_at is null;
