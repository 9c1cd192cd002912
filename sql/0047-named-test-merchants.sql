-- A live merchant may have several test merchants in use at once: one without a name, and others with a name of their own
-- (docs/test-mode.md). A name is separated by an underscore, which the id of no live merchant has: the id of a test
-- merchant of one live merchant is never that of another's.

alter table merchants
  add column test_name text check (test_name ~ '^[a-z0-9][a-z0-9-]{0,19}$'),
  add check (test_of is not null or test_name is null),
  drop constraint merchants_slug_check,
  add constraint merchants_slug_check check (
    case
      when test_of is null then slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'
      when replaced_at is null then slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?$'
      else slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}(_[a-z0-9-]+)?\.[0-9]+$'
    end
  );

drop index merchants_test_of_idx;
create unique index merchants_test_of_idx on merchants (test_of, (coalesce(test_name, ''))) where replaced_at is null;
