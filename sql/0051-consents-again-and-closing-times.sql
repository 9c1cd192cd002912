-- Somebody who withdrew a consent may give it again. Each time is a row of its own.
alter table entry_consents drop constraint entry_consents_pkey;

alter table entry_consents add constraint entry_consents_pkey
  primary key (player_no, campaign_id, field, given_at, shard);

-- When the campaign closes by this version of the terms.
alter table entry_forms add column closes_at timestamptz;
