-- Changes made by people have an author, and the spins that people give have a daily limit
-- (docs/decisions/0029-people-give-spins-by-name.md).

-- The author of an entry made by hand, as `staff:anna@example.com`. Null for merchants' systems, players and workers.
alter table ledger_entries
  add column origin text;

alter table merchants
  -- The spins that a person with the role support may give in one day, in the merchant's time zone.
  add column support_daily_grant_max int not null default 100 check (support_daily_grant_max between 0 and 1000000);

-- The spins that a person has given in one day, counted in days since 1970-01-01 in the merchant's time zone. The row
-- is also the lock for giving more; it is taken before any player is locked.
create table staff_grants (
  merchant_id int not null,
  staff text collate "C" not null,
  day int not null,
  spins bigint not null check (spins >= 0),
  primary key (merchant_id, staff)
)
with (fillfactor = 50);

alter table wheels
  -- All people who have saved the draft since the last publication.
  add column draft_editors text[] not null default '{}';
