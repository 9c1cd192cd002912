-- A receiver that took long to answer counts as slow until this moment. Slow webhooks have places of their own, so that
-- they don't fill the places of the others.
alter table webhook_cursors add column slow_until timestamptz;
