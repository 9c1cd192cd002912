-- Prizes come before marketing: each has its own order of what is due, and marketing its own pause, because it may use
-- only a part of a merchant's limit for an hour.

alter table mail_cursors add column marketing_held_until timestamptz;

create index mails_due_prizes_idx on mails (merchant_id, due_at) where due_at is not null and kind in ('won', 'claim_ends');

create index mails_due_marketing_idx on mails (merchant_id, due_at)
where due_at is not null and kind in ('spins_waiting', 'spins_expire');

drop index mails_due_idx;
