-- A play's debit is found by the number of the play, which is its key. The id is in `plays` already, and unique there;
-- here it took 37 bytes as text, 17 as a hash, and an entry in the index of keys at a random place
-- (docs/decisions/0042-debits-are-keyed-by-play-number.md). Older entries keep both.
alter table ledger_entries
  alter column key_hash drop not null;

-- Like 0013: what the program checks before it writes, and `wheelhouse audit` afterwards. The check that a play without a
-- reason for a fallback rests on the segment that was drawn stays.
alter table plays
  drop constraint plays_play_no_check,
  drop constraint plays_drawn_check,
  drop constraint plays_segment_check,
  drop constraint plays_player_seed_check,
  drop constraint plays_fallback_reason_check;
