-- A page of events is written again when it gets its numbers. Its body is not, if it is stored apart from its row.
alter table event_pages_first set (toast_tuple_target = 128);
alter table event_pages_default set (toast_tuple_target = 128);

-- A player's wins are found among its plays.
drop index plays_shard_player_no_play_no_idx;
