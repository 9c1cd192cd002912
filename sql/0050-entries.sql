-- Visitors: people who enter a campaign by a form (docs/visitors.md). Entries, answers and consents belong to a player,
-- everything else to a merchant. The number of `main` is 0.

-- `addresses`: the keys of the hashes of addresses. `answers`: the keys that encrypt the keys of answers.
alter table signing_keys
  drop constraint signing_keys_purpose_check,
  add constraint signing_keys_purpose_check check (purpose in ('links', 'seeds', 'addresses', 'answers'));

alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_kind_check check (
    case kind
      when 'grant' then amount > 0
      when 'initial' then amount > 0
      when 'play' then amount = -1
      when 'prize' then amount > 0
      when 'free' then amount > 0
      when 'entry' then amount > 0
      when 'expiry' then amount < 0
      when 'correction' then reason is not null
      else false
    end
  ) not valid;

-- The entry of a campaign, as it is now. Fields and terms are in the version.
create table entry_settings (
  changed_at timestamptz not null,
  merchant_id int not null references merchants (merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  version int not null check (version >= 1),
  revision int not null check (revision >= 1),
  settings jsonb not null,
  primary key (merchant_id, campaign_id)
);

-- Append-only: what visitors were asked, under which terms.
create table entry_forms (
  created_at timestamptz not null,
  merchant_id int not null references merchants (merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  version int not null check (version >= 1),
  fields jsonb not null,
  terms jsonb not null,
  terms_sha256 text collate "C" not null,
  -- Why it replaced the version before, if entries had been made under that one.
  reason text,
  actor text not null,
  primary key (merchant_id, campaign_id, version)
);

-- Append-only: the texts that people agreed to, by their hash.
create table entry_texts (
  sha256 text collate "C" primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null
);

-- One row for each campaign, changed last in the transaction of an entry.
create table entry_counts (
  merchant_id int not null,
  campaign_id int not null,
  entered int not null default 0 check (entered >= 0),
  verified int not null default 0 check (verified between 0 and entered),
  primary key (merchant_id, campaign_id)
) with (fillfactor = 50);

-- Which visitor has an address, by keyed hashes: one row for every live key, so that two entries during a rotation
-- meet.
-- The player of an erased visitor is null: no mail goes to the address any more.
create table address_keys (
  created_at timestamptz not null,
  merchant_id int not null,
  fold_version int not null,
  key_id text collate "C" not null,
  hash bytea not null check (octet_length(hash) = 32),
  player_id text collate "C",
  primary key (merchant_id, key_id, hash)
);

create index address_keys_player_idx on address_keys (merchant_id, player_id) where player_id is not null;

create table visitor_entries (
  player_no bigint not null,
  entered_at timestamptz not null,
  -- When a code proved the address.
  verified_at timestamptz,
  entry_id uuid not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  language text collate "C" not null,
  primary key (player_no, campaign_id, shard)
);

create index visitor_entries_time_idx on visitor_entries (merchant_id, campaign_id, entered_at, entry_id);

-- The answers to a form, encrypted: the key of each row is itself encrypted by a key of `signing_keys`.
create table entry_answers (
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  key_id text collate "C" not null,
  wrapped_key bytea not null,
  sealed bytea not null,
  primary key (player_no, campaign_id, shard)
);

create index entry_answers_campaign_idx on entry_answers (merchant_id, campaign_id);

create table entry_consents (
  player_no bigint not null,
  given_at timestamptz not null,
  -- When a code proved the address.
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  field text collate "C" not null,
  purpose text collate "C" not null check (purpose in ('marketing', 'other')),
  language text collate "C" not null,
  text_sha256 text collate "C" not null,
  primary key (player_no, campaign_id, field, shard)
);

create index entry_consents_withdrawn_idx on entry_consents (merchant_id, withdrawn_at) where withdrawn_at is not null;

-- The idempotency keys of submissions. Only their hashes are stored; the request is hashed with the key itself.
create table entry_requests (
  created_at timestamptz not null,
  merchant_id int not null,
  campaign_id int not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  -- The visitor who entered, or the session that waits for a code.
  player_id text collate "C",
  session_id uuid,
  primary key (merchant_id, campaign_id, key_hash)
);

create index entry_requests_created_idx on entry_requests (created_at);

-- Submissions that wait for the code in the mail. Gone an hour later.
create table entry_sessions (
  session_id uuid primary key,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  code_expires_at timestamptz not null,
  resend_at timestamptz not null,
  -- When the mail is to be sent; null once it was.
  mail_due_at timestamptz,
  merchant_id int not null,
  campaign_id int not null,
  form_version int not null,
  attempts_left int not null check (attempts_left >= 0),
  mail_tries int not null default 0,
  language text collate "C" not null,
  key_id text collate "C" not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  wrapped_key bytea not null,
  -- Address and answers.
  sealed bytea not null,
  -- The code, until it is mailed; at a test merchant for as long as it is valid.
  sealed_code bytea,
  -- The visitor, once the code was typed.
  player_id text collate "C"
);

create index entry_sessions_mail_idx on entry_sessions (mail_due_at) where mail_due_at is not null;

create index entry_sessions_ends_idx on entry_sessions (ends_at);

-- How often something was done in an hour or a day. What is counted is hashed.
create table entry_budgets (
  ends_at timestamptz not null,
  merchant_id int not null,
  used int not null,
  counted text collate "C" not null,
  subject bytea not null,
  primary key (merchant_id, counted, subject, ends_at)
) with (fillfactor = 70);

create index entry_budgets_ends_idx on entry_budgets (ends_at);

-- Solutions that were used. Another use is a replay.
create table spent_challenges (
  expires_at timestamptz not null,
  nonce text collate "C" primary key
);

create index spent_challenges_expires_idx on spent_challenges (expires_at);

-- What happened at the entry of a campaign on a day (UTC): pages opened, and refusals by their code.
create table entry_days (
  day date not null,
  merchant_id int not null,
  campaign_id int not null,
  happened text collate "C" not null,
  count int not null check (count >= 1),
  primary key (merchant_id, campaign_id, day, happened)
) with (fillfactor = 50);

revoke update, delete, truncate on entry_forms, entry_texts from current_user;
