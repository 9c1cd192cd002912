-- Counts by campaign (docs/decisions/0065-counts-by-campaign.md). 0 is `main`. Every count so far is one of `main`: no
-- release had other campaigns.

alter table play_counts
  add column campaign_id int not null default 0,
  drop constraint play_counts_pkey,
  add primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, drawn, segment);

alter table settlement_counts
  add column campaign_id int not null default 0,
  drop constraint settlement_counts_pkey,
  add primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state);

alter table play_days
  add column campaign_id int not null default 0,
  drop constraint play_days_pkey,
  add primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, drawn, segment);

alter table settlement_days
  add column campaign_id int not null default 0,
  drop constraint settlement_days_pkey,
  add primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, segment, state);

alter table visits
  add column campaign_id int not null default 0,
  drop constraint visits_pkey,
  add primary key (shard, player_no, campaign_id, wheel_id, day);

alter table visit_counts
  add column campaign_id int not null default 0,
  drop constraint visit_counts_pkey,
  add primary key (merchant_id, day, campaign_id, wheel_id, stage);

-- The figures of a closed day, by campaign and wheel. A year of a merchant with 50 campaigns is 18,000 rows; by version and
-- segment it is 110,000, each of which needs its segment's kind and cost.
create table campaign_days (
  plays bigint not null,
  wins bigint not null,
  fallbacks bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  cancelled bigint not null,
  expired bigint not null,
  reversed bigint not null,
  cost double precision not null,
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  primary key (merchant_id, day, campaign_id, wheel_id)
);

-- All days are summed again, into the new table too.
delete from closed_days;

delete from activity_days;

delete from play_days;

delete from settlement_days;

-- Wheel 0 is all wheels, as before; campaign -1 is all campaigns. Weeks are counted again from the beginning, for the rows by
-- campaign. Visits that are known do not change.
delete from player_weeks;

delete from cohort_counts;

delete from work_positions
where work = 'visits';

alter table player_weeks
  add column campaign_id int not null,
  drop constraint player_weeks_pkey,
  add primary key (shard, player_no, campaign_id, wheel_id);

alter table cohort_counts
  add column campaign_id int not null,
  drop constraint cohort_counts_pkey,
  add primary key (merchant_id, campaign_id, wheel_id, first_week, week);
