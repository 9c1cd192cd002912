-- More of what a receiver answered: the headers that help to find a fault, as a JSON object, and twice as much of the
-- body. Old rows fit both constraints, so nothing has to be read.
alter table webhook_attempts
  add column headers text,
  drop constraint webhook_attempts_excerpt_check,
  add constraint webhook_attempts_excerpt_check check (char_length(excerpt) <= 1024) not valid,
  add constraint webhook_attempts_headers_check check (char_length(headers) <= 2000) not valid;
