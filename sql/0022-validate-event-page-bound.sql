-- In a transaction of its own: a validation reads the whole table, under a lock that lets everybody go on writing.

alter table event_pages validate constraint event_pages_first_bound;
