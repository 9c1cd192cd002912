-- Changes that people make have a name, and what people give has a ceiling (docs/decisions/0029-people-give-spins-by-name.md).

-- Who made an entry by hand, as `staff:anna@example.com`. Null for what a merchant's systems, players and workers do.
alter table ledger_entries
  add column origin text;

alter table merchants
  -- Spins that a person with the role support may give on one day of the merchant's time zone.
  add column support_daily_grant_max int not null default 100 check (support_daily_grant_max between 0 and 1000000);

-- What a person has given on one day, counted in days since 1970-01-01 in the merchant's time zone. The row is the lock
-- under which the person gives more; it is taken before any player is locked.
create table staff_grants (
  merchant_id int not null,
  staff text collate "C" not null,
  day int not null,
  spins bigint not null check (spins >= 0),
  primary key (merchant_id, staff)
)
with (fillfactor = 50);

alter table wheels
  -- Everybody who has saved the draft since the last publication.
  add column draft_editors text[] not null default '{}';
