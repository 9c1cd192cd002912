-- What staff were told by e-mail, so that nobody is told twice: not by two processes, and not about what has stayed as
-- it was. The mails themselves are rows of `mails`, with the player number 0.
create table staff_alerts_told (
  -- The day of the mail, in the merchant's time zone.
  told_on date not null,
  merchant_id int not null references merchants,
  staff_id int not null references staff on delete cascade,
  -- It is over since: from the next day on it can be told again.
  is_over boolean not null default false,
  cause text collate "C" not null,
  -- Which prize, pool, campaign, webhook or day.
  subject text collate "C" not null,
  primary key (merchant_id, staff_id, cause, subject)
);

create index staff_alerts_told_staff_id_idx on staff_alerts_told (staff_id);

create index mails_due_staff_idx on mails (merchant_id, due_at) where due_at is not null and kind in ('staff_alert');

-- Prizes that were drawn more or less often than chance explains, at the last daily check.
create table draw_drifts (
  found_at timestamptz not null,
  merchant_id int not null references merchants,
  wheel_id int not null,
  draws int not null,
  expected int not null,
  prize_id text collate "C" not null,
  label text not null,
  primary key (merchant_id, wheel_id, prize_id)
);
