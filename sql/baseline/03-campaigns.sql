-- A campaign is what a game link opens: a wheel, a purse, dates (decision 51). Every merchant has the campaign `main`,
-- with a row here (decision 100). Its wheel is merchants.wheel_id. In other tables, its number is null or 0, not that
-- of its row.

create table campaigns (
  campaign_id int generated always as identity primary key,
  merchant_id int not null references merchants,
  slug text collate "C" not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name text not null check (char_length(name) between 1 and 80),
  wheel_id int references wheels,
  -- The number of the campaign that the purse was made for. Campaigns may share one; 0 is players.balance.
  purse_id int not null check (purse_id >= 0),
  priority int not null default 0 check (priority between -1000 and 1000),
  opens_at timestamptz,
  closes_at timestamptz,
  texts jsonb not null default '{}',
  revision int not null default 1,
  paused_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  -- The dates whose passing was told in an event.
  opening_told timestamptz,
  closing_told timestamptz,
  -- The lifetime of the campaign's spins; null for the merchant's.
  spin_lifetime_days int check (spin_lifetime_days between 1 and 3650),
  -- The rule of free spins that come back, or null (decision 73).
  free_spins jsonb,
  unique (merchant_id, slug),
  check (closes_at > opens_at),
  check ((slug = 'main') = (wheel_id is null)),
  check (slug <> 'main' or (purse_id = 0 and archived_at is null))
);

create index campaigns_opening_idx on campaigns (opens_at)
where archived_at is null and opens_at is distinct from opening_told;

create index campaigns_closing_idx on campaigns (closes_at)
where archived_at is null and closes_at is distinct from closing_told;

alter table service_tokens add foreign key (campaign_id) references campaigns;

-- Every rule of free spins that a campaign has had: the audit computes free spins again (decision 75). 0 is the
-- campaign `main`.
create table free_spin_rules (
  since timestamptz not null,
  merchant_id int not null,
  campaign_id int not null check (campaign_id >= 0),
  rule jsonb not null,
  primary key (merchant_id, campaign_id, since)
);

-- Changes that happen later, by the person who scheduled them (decision 66). A row changes only under the lock on its
-- subject: the row of the wheel, or of the campaign's merchant. It is deleted when the change is made; a change that
-- failed keeps its row until somebody has seen it.
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

create index scheduled_changes_due_idx on scheduled_changes (at) where failed_at is null;

-- Times in which players could not play. They break no streak. Null: all merchants, all campaigns, all wheels.
create table interruptions (
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  merchant_id int,
  campaign_id int,
  wheel_id int,
  check (ends_at >= starts_at)
);

create index interruptions_idx on interruptions (merchant_id, ends_at);
