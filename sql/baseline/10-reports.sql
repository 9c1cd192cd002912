-- Counts for reports. Workers add to them, except for visits that were only opened. In all of them, campaign 0 is
-- `main` (decision 65).

-- By quarters of an hour: every time zone's days are made of those.

create table activity_counts (
  quarter timestamptz not null,
  merchant_id int not null,
  -- A kind of ledger entry, or `player` for new players.
  kind text collate "C" not null,
  count bigint not null,
  spins bigint not null,
  primary key (merchant_id, quarter, kind)
);

create table play_counts (
  quarter timestamptz not null,
  plays bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  campaign_id int not null default 0,
  primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_counts (
  quarter timestamptz not null,
  settlements bigint not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  campaign_id int not null default 0,
  primary key (merchant_id, quarter, campaign_id, wheel_id, wheel_version, segment, state)
);

-- By days of the merchant's time zone, summed from the quarters of an hour once a day is over: a year in quarters is a
-- million rows. `until` is the last day of a merchant that is in them, in this time zone; later days are still
-- quarters.

create table closed_days (
  merchant_id int primary key,
  until date not null,
  time_zone text not null
);

create table activity_days (
  count bigint not null,
  spins bigint not null,
  day date not null,
  merchant_id int not null,
  kind text collate "C" not null,
  primary key (merchant_id, day, kind)
);

create table play_days (
  plays bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  campaign_id int not null default 0,
  primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_days (
  settlements bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  campaign_id int not null default 0,
  primary key (merchant_id, day, campaign_id, wheel_id, wheel_version, segment, state)
);

-- The figures of a closed day, by campaign and wheel. A year of a merchant with 50 campaigns is 18,000 rows; by version
-- and segment it is 110,000, each of which needs its segment's kind and cost.
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

-- By months: reports over long periods read whole ones (decision 63). A month is here if and only if its last day is
-- closed (closed_days.until).

create table play_months (
  plays bigint not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  drawn smallint not null,
  segment smallint not null,
  primary key (merchant_id, month, campaign_id, wheel_id, wheel_version, drawn, segment)
);

create table settlement_months (
  settlements bigint not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  primary key (merchant_id, month, campaign_id, wheel_id, wheel_version, segment, state)
);

create table campaign_months (
  plays bigint not null,
  wins bigint not null,
  fallbacks bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  cancelled bigint not null,
  expired bigint not null,
  reversed bigint not null,
  cost double precision not null,
  month date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  primary key (merchant_id, month, campaign_id, wheel_id)
);

-- For the funnel and for returning players. Wheel 0 is all wheels; campaign -1 is all campaigns.

-- A player at a wheel on one day of the merchant's time zone. `stage` is how far the visit came:
-- 1 opened, 2 played, 3 won a prize, 4 claimed it, 5 redeemed it.
create table visits (
  player_no bigint not null,
  day date not null,
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  stage smallint not null check (stage between 1 and 5),
  campaign_id int not null default 0,
  primary key (shard, player_no, campaign_id, wheel_id, day)
)
-- The stage changes in place, and no index has it.
with (fillfactor = 90);

-- How many visits came to each stage or beyond it. One row instead of one for each stage.
create table visit_days (
  opened bigint not null,
  played bigint not null,
  won bigint not null,
  claimed bigint not null,
  redeemed bigint not null,
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  wheel_id int not null,
  primary key (merchant_id, day, campaign_id, wheel_id)
)
-- The counts change in place, and no index has them.
with (fillfactor = 90);

-- The first and the newest week in which a player played a wheel. A week is the date of its Monday.
create table player_weeks (
  player_no bigint not null,
  first_week date not null,
  last_week date not null,
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  campaign_id int not null,
  primary key (shard, player_no, campaign_id, wheel_id),
  check (last_week >= first_week)
)
with (fillfactor = 90);

-- How many of the players whose first week was `first_week` played in `week`.
create table cohort_counts (
  players bigint not null,
  first_week date not null,
  week date not null,
  merchant_id int not null,
  wheel_id int not null,
  campaign_id int not null,
  primary key (merchant_id, campaign_id, wheel_id, first_week, week),
  check (week >= first_week)
);
