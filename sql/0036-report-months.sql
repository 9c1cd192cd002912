-- Reports over long periods read whole months (docs/decisions/0063-closed-months-have-sums.md). A month is here if and only
-- if its last day is closed (closed_days.until).

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

insert into play_months (merchant_id, month, campaign_id, wheel_id, wheel_version, drawn, segment, plays)
select
  merchant_id,
  date_trunc('month', day)::date,
  campaign_id,
  wheel_id,
  wheel_version,
  drawn,
  segment,
  sum(plays)
from play_days
join closed_days using (merchant_id)
where day < date_trunc('month', until + 1)::date
group by 1, 2, 3, 4, 5, 6, 7
order by 1, 2, 3, 4, 5, 6, 7;

insert into settlement_months (merchant_id, month, campaign_id, wheel_id, wheel_version, segment, state, settlements)
select
  merchant_id,
  date_trunc('month', day)::date,
  campaign_id,
  wheel_id,
  wheel_version,
  segment,
  state,
  sum(settlements)
from settlement_days
join closed_days using (merchant_id)
where day < date_trunc('month', until + 1)::date
group by 1, 2, 3, 4, 5, 6, 7
order by 1, 2, 3, 4, 5, 6, 7;

insert into campaign_months (
  merchant_id, month, campaign_id, wheel_id,
  plays, wins, fallbacks, claimed, redeemed, cancelled, expired, reversed, cost
)
select
  merchant_id,
  date_trunc('month', day)::date,
  campaign_id,
  wheel_id,
  sum(plays),
  sum(wins),
  sum(fallbacks),
  sum(claimed),
  sum(redeemed),
  sum(cancelled),
  sum(expired),
  sum(reversed),
  sum(cost)
from campaign_days
join closed_days using (merchant_id)
where day < date_trunc('month', until + 1)::date
group by 1, 2, 3, 4
order by 1, 2, 3, 4;

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

insert into visit_days (merchant_id, day, campaign_id, wheel_id, opened, played, won, claimed, redeemed)
select
  merchant_id,
  day,
  campaign_id,
  wheel_id,
  coalesce(sum(visits) filter (where stage = 1), 0),
  coalesce(sum(visits) filter (where stage = 2), 0),
  coalesce(sum(visits) filter (where stage = 3), 0),
  coalesce(sum(visits) filter (where stage = 4), 0),
  coalesce(sum(visits) filter (where stage = 5), 0)
from visit_counts
group by merchant_id, day, campaign_id, wheel_id
order by merchant_id, day, campaign_id, wheel_id;

drop table visit_counts;
