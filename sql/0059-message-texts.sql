-- The texts of a merchant for messages to players, by kind and language. Those of a campaign, in message_settings,
-- replace them.
create table message_texts (
  changed_at timestamptz not null,
  merchant_id int primary key references merchants (merchant_id),
  revision int not null check (revision >= 1),
  texts jsonb not null
);
