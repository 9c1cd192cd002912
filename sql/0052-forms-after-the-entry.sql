-- Visitors are also asked after a win, and when they claim a prize. The answers join those of the entry.

-- When answers were last changed after the entry; null: never. They are kept for some time after that.
alter table entry_answers add column changed_at timestamptz;

-- When the form after a win was answered.
alter table visitor_entries add column after_win_at timestamptz;
