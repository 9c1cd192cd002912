-- The list of messages finds those that failed without reading the others, and mails that were not sent are kept for a
-- shorter time.

create index mails_failed_idx on mails (merchant_id, planned_at, mail_id) where state in ('refused', 'unknown');

create index mails_dropped_idx on mails (shard, settled_at) where state = 'dropped';

-- Staff see which addresses refuse mail by their players, because an address itself is stored only as a hash. All
-- rows of one suppression have its id; older rows have neither.

alter table mail_suppressions
add column suppression_id uuid,
add column player_no bigint,
add column shard int;

create index mail_suppressions_list_idx on mail_suppressions (merchant_id, scope, created_at);

create index mail_suppressions_player_idx on mail_suppressions (player_no) where player_no is not null;
