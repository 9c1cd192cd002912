-- Failed attempts from one network, for all accounts together: the level of a leaky bucket.
create table sign_in_networks (
  network text collate "C" primary key,
  level double precision not null check (level >= 0),
  counted_at timestamptz not null
);

create index on sign_in_networks (counted_at);

-- The owner id that an authenticator stores with a passkey. It is random, because authenticators show it to anyone
-- who holds them.
alter table staff add column passkey_handle uuid not null default gen_random_uuid();

create table staff_passkeys (
  passkey_id uuid primary key,
  staff_id int not null references staff on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  name text not null check (char_length(name) between 1 and 100),
  -- Grows with each use, if the authenticator counts. A copied key would fall behind.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  aaguid uuid not null,
  -- Whether the provider may sync the key to other devices, and whether it has.
  is_synced boolean not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index on staff_passkeys (staff_id);

-- Challenges that a passkey has to sign. A row is deleted by its first use.
create table staff_challenges (
  challenge_sha256 bytea primary key check (octet_length(challenge_sha256) = 32),
  purpose text not null check (purpose in ('register', 'sign_in', 'second_factor')),
  -- Null if the passkey itself identifies the person.
  staff_id int references staff on delete cascade,
  expires_at timestamptz not null,
  check ((staff_id is null) = (purpose = 'sign_in'))
);

create index on staff_challenges (expires_at);
create index on staff_challenges (staff_id);

-- Each code replaces the second factor once. Used ones stay, so that the total is known.
create table staff_recovery_codes (
  staff_id int not null references staff on delete cascade,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  used_at timestamptz,
  primary key (staff_id, code_sha256)
);
