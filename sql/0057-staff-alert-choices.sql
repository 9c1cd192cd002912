-- Which alerts people want by e-mail (docs/console.md). A campaign with a row of its own has this choice instead of the
-- one for all campaigns, whose number is null. The number of `main` is 0.
create table staff_alert_choices (
  changed_at timestamptz not null,
  staff_id int not null references staff on delete cascade,
  merchant_id int not null references merchants,
  campaign_id int check (campaign_id >= 0),
  causes text[] not null,
  unique nulls not distinct (merchant_id, staff_id, campaign_id)
);

create index staff_alert_choices_staff_id_idx on staff_alert_choices (staff_id);
