-- Plays of test merchants whose outcome was forced (docs/test-mode.md). The reference to a merchant with `is_test` makes
-- one for a live merchant impossible. A table of its own: live plays pay nothing for it.

alter table merchants
  add column is_test boolean not null generated always as (test_of is not null) stored,
  add unique (merchant_id, is_test);

create table forced_plays (
  shard int not null,
  player_no bigint not null,
  play_no int not null,
  merchant_id int not null,
  is_test boolean not null default true check (is_test),
  primary key (shard, player_no, play_no),
  foreign key (merchant_id, is_test) references merchants (merchant_id, is_test)
);

revoke update, delete, truncate on forced_plays from current_user;
