-- The cursor with which a webhook was created. A repeat of the request that created it gets the first answer, which has it.
alter table webhooks add column creation_seq bigint;
