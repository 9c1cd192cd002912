-- A receiver that took long to answer counts as slow until this time. Slow webhooks have their own slots, so that
-- they don't occupy those of the others.
alter table webhook_cursors add column slow_until timestamptz;
