-- Nothing here reads the table, so it is locked for milliseconds only. The server adds and drops the other partitions
-- (src/events/event-partitions.ts).

alter table event_pages rename to event_pages_first;

-- A sequence of its own: partitions can't share an identity column before PostgreSQL 17.
create sequence event_page_numbers;

do $$
declare
  last_page_no bigint;
begin
  execute format('select last_value from %s', pg_get_serial_sequence('event_pages_first', 'page_no')) into last_page_no;
  perform setval('event_page_numbers', last_page_no);
end
$$;

-- Pages are found by their id, which leads to their partition. The index by page number goes.
alter table event_pages_first
  alter column page_no drop identity,
  drop constraint event_pages_pkey,
  add constraint event_pages_first_pkey primary key using index event_pages_by_id;

create table event_pages (
  page_no bigint not null default nextval('event_page_numbers'),
  first_seq bigint,
  created_at timestamptz not null,
  shard int not null,
  merchant_id int not null,
  event_count int not null,
  page_id uuid not null,
  body text not null,
  primary key (page_id, shard)
)
partition by range (page_id);

alter sequence event_page_numbers owned by event_pages.page_no;

-- Both are there in the first partition, and are taken over.
create index event_pages_unnumbered on event_pages (page_no) include (merchant_id, event_count) where first_seq is null;
create index event_pages_by_seq on event_pages (merchant_id, first_seq) where first_seq is not null;

do $$
begin
  execute format(
    'alter table event_pages attach partition event_pages_first for values from (minvalue) to (%L)',
    (
      select substring(pg_get_constraintdef(oid) from '[0-9a-f]{8}-[0-9a-f-]{27}')
      from pg_constraint
      where conname = 'event_pages_first_bound'
      and conrelid = 'event_pages_first'::regclass
    )
  );
end
$$;

alter table event_pages_first drop constraint event_pages_first_bound;

-- For pages of a time that has no partition, because a clock is wrong: they must never stop the change that they describe.
create table event_pages_default partition of event_pages default;

revoke update, delete, truncate on event_pages, event_pages_first, event_pages_default from current_user;
grant update (first_seq, body) on event_pages to current_user;
-- Old pages of this one are deleted row by row.
grant delete on event_pages_default to current_user;
