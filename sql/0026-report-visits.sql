-- For the funnel and for returning players. A worker adds to these tables, except for visits that were only opened.

-- A player at a wheel on one day of the merchant's time zone. `stage` is how far the visit came:
-- 1 opened, 2 played, 3 won a prize, 4 claimed it, 5 redeemed it.
create table visits (
  player_no bigint not null,
  day date not null,
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  stage smallint not null check (stage between 1 and 5),
  primary key (shard, player_no, wheel_id, day)
)
-- The stage changes in place, and no index has it.
with (fillfactor = 90);

-- How many visits came to a stage or beyond it.
create table visit_counts (
  visits bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  stage smallint not null,
  primary key (merchant_id, day, wheel_id, stage)
);

-- The first and the newest week in which a player played a wheel. A week is the date of its Monday. Wheel 0 is all wheels.
create table player_weeks (
  player_no bigint not null,
  first_week date not null,
  last_week date not null check (last_week >= first_week),
  merchant_id int not null,
  shard int not null,
  wheel_id int not null,
  primary key (shard, player_no, wheel_id)
)
with (fillfactor = 90);

-- How many of the players whose first week was `first_week` played in `week`.
create table cohort_counts (
  players bigint not null,
  first_week date not null,
  week date not null check (week >= first_week),
  merchant_id int not null,
  wheel_id int not null,
  primary key (merchant_id, wheel_id, first_week, week)
);

-- Counts by days of the merchant's time zone, summed from the quarters of an hour once a day is over: a year in quarters is
-- a million rows. `until` is the last day of a merchant that is in them, in this time zone; later days are still quarters.
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
  primary key (merchant_id, day, wheel_id, wheel_version, drawn, segment)
);

create table settlement_days (
  settlements bigint not null,
  day date not null,
  merchant_id int not null,
  wheel_id int not null,
  wheel_version int not null,
  segment smallint not null,
  state text collate "C" not null,
  primary key (merchant_id, day, wheel_id, wheel_version, segment, state)
);
