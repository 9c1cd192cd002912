-- Test merchants (docs/decisions/0070-test-merchants-have-a-clock.md). A live merchant has at most one that is in use. It
-- is a merchant like any other, with players, ledger, stock, events, webhooks and tokens of its own.

alter table merchants
  -- The live merchant that this one is the test merchant of.
  add column test_of int references merchants,
  -- How far its clock is ahead of the real time. Only test merchants have a clock.
  add column clock_ahead_ms bigint check (clock_ahead_ms >= 0),
  -- Since when a reset has replaced it. Its rows stay, but nobody reaches them any more.
  add column replaced_at timestamptz,
  add check ((test_of is null) = (clock_ahead_ms is null)),
  add check (test_of is not null or replaced_at is null),
  drop constraint merchants_slug_check,
  add constraint merchants_slug_check check (
    case
      when test_of is null then slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'
      when replaced_at is null then slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}$'
      else slug ~ '^test-[a-z0-9][a-z0-9-]{0,39}\.[0-9]+$'
    end
  );

create unique index merchants_test_of_idx on merchants (test_of) where replaced_at is null;
