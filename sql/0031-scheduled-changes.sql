-- Changes that happen later, by the person who scheduled them (docs/decisions/0066-what-is-scheduled-is-frozen.md). A row
-- changes only under the lock on its subject: the row of the wheel, or of the campaign's merchant. It is deleted when the
-- change is made; a change that failed keeps its row until somebody has seen it.
create table scheduled_changes (
  at timestamptz not null,
  scheduled_at timestamptz not null,
  failed_at timestamptz,
  merchant_id int not null references merchants,
  kind text collate "C" not null check (kind in ('publication', 'campaign_wheel')),
  -- The id of the wheel or campaign.
  subject text collate "C" not null,
  -- The frozen document of a publication, or the id of a campaign's next wheel.
  change_order jsonb not null,
  errors jsonb not null default '[]',
  actor_kind text collate "C" not null,
  actor_id text not null,
  actor_name text,
  request_id text,
  primary key (merchant_id, kind, subject)
);

create index scheduled_changes_due_idx on scheduled_changes (at)
where failed_at is null;

-- The dates whose passing was told in an event. Dates that have passed before this migration are not told.
alter table campaigns
  add column opening_told timestamptz,
  add column closing_told timestamptz;

update campaigns
set
  opening_told = case when opens_at <= now() then opens_at end,
  closing_told = case when closes_at <= now() then closes_at end;

create index campaigns_opening_idx on campaigns (opens_at)
where archived_at is null and opens_at is distinct from opening_told;

create index campaigns_closing_idx on campaigns (closes_at)
where archived_at is null and closes_at is distinct from closing_told;
