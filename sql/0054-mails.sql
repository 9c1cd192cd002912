-- Messages to players (docs/mail.md). A mail belongs to its recipient, everything else to a merchant.

-- One row for each mail. What it says is made when it is sent; what it is about is in `data`.
create table mails (
  mail_id uuid not null,
  planned_at timestamptz not null,
  -- From then on it is of no use, and is dropped.
  expires_at timestamptz not null,
  -- When it is sent or, in `sending`, counts as unknown: a process has died. Null once it is settled.
  due_at timestamptz,
  settled_at timestamptz,
  player_no bigint not null,
  shard int not null,
  merchant_id int not null,
  campaign_id int not null,
  tries int not null default 0,
  -- How often nobody knows whether it has arrived.
  unknowns int not null default 0,
  kind text collate "C" not null,
  state text collate "C" not null check (state in ('planned', 'sending', 'sent', 'refused', 'unknown', 'dropped')),
  -- The event and its recipient. One cause has one mail of a kind.
  cause text collate "C" not null,
  -- The verdict on the last reply, or why it was dropped; and the reply's codes.
  reason text collate "C",
  reply text,
  data jsonb not null,
  primary key (mail_id, shard),
  check ((due_at is null) = (state not in ('planned', 'sending')))
) with (fillfactor = 70);

create unique index mails_cause_idx on mails (merchant_id, kind, cause, shard);

create index mails_due_idx on mails (merchant_id, due_at, kind) where due_at is not null;

create index mails_planned_idx on mails (merchant_id, planned_at, mail_id);

create index mails_player_idx on mails (player_no, settled_at);

-- For their deletion after a year.
create index mails_old_idx on mails (shard, planned_at);

-- The position of a merchant's mails in its event log, and the process that plans and sends them.
create table mail_cursors (
  lease_until timestamptz,
  -- Nothing is sent before this: the merchant's limit for this hour is used up.
  held_until timestamptz,
  hour_started_at timestamptz,
  -- A person has stopped all messages.
  stopped_at timestamptz,
  cursor_seq bigint not null check (cursor_seq >= 0),
  merchant_id int primary key references merchants (merchant_id),
  hour_count int not null default 0,
  -- Whether events are read: some kind of message is switched on.
  is_planning boolean not null default false,
  lease_owner uuid
) with (fillfactor = 50);

-- Senders (`MAIL_FROM`) whose mail the SMTP server refuses. Nothing is sent for them before this time.
create table mail_pauses (
  paused_at timestamptz not null,
  paused_until timestamptz not null,
  sender text collate "C" primary key,
  reason text not null
);

-- Addresses that a merchant does not mail any more (`all`), or not to advertise (`marketing`). By keyed hashes, one row
-- for every live key.
create table mail_suppressions (
  created_at timestamptz not null,
  merchant_id int not null references merchants (merchant_id),
  key_id text collate "C" not null,
  hash bytea not null check (octet_length(hash) = 32),
  scope text collate "C" not null check (scope in ('all', 'marketing')),
  reason text collate "C" not null,
  primary key (merchant_id, key_id, hash, scope)
);

-- Which messages a campaign sends, with its own texts. The number of `main` is 0.
create table message_settings (
  changed_at timestamptz not null,
  merchant_id int not null references merchants (merchant_id),
  campaign_id int not null check (campaign_id >= 0),
  revision int not null check (revision >= 1),
  settings jsonb not null,
  primary key (merchant_id, campaign_id)
);
