-- Whoever meets another person's save in the editor reads when it was made.
alter table wheels
  add column draft_saved_at timestamptz;
