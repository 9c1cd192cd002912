-- A page that was committed without its answer coming back is recognised when the same work is done again. Page ids rise
-- with time, so the index grows at its end; the shard is in it so that the table can be spread over machines.
create unique index event_pages_by_id on event_pages (page_id, shard);
