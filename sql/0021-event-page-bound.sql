-- The event log becomes a partitioned table, so that old events are dropped instead of deleted
-- (docs/decisions/0053-events-are-dropped-by-partition.md). The table that is there becomes the first partition, without
-- being copied. That needs a proof that all its page ids are below a bound. A page id begins with its time; the bound is
-- midnight in eight days, or after the newest page if a clock was ahead.
do $$
declare
  bound_ms bigint := extract(epoch from date_trunc('day', now() at time zone 'UTC')) * 1000 + 8 * 86400000;
  newest_ms bigint := (
    select ('x' || left(replace(page_id::text, '-', ''), 12))::bit(48)::bigint
    from event_pages
    order by page_id desc
    limit 1
  );
begin
  execute format(
    'alter table event_pages add constraint event_pages_first_bound check (page_id < %L) not valid',
    (lpad(to_hex(greatest(bound_ms, newest_ms + 1)), 12, '0') || repeat('0', 20))::uuid
  );
end
$$;
