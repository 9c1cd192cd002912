-- People who use the console. An account is a person; what it may do at a merchant is a row of staff_roles.
-- Operators see all merchants. Secrets that travel (sessions, invitations, browsers) are kept as SHA-256 only.

create table staff (
  staff_id int generated always as identity primary key,
  -- Folded to lower case by the program, so that one person has one account.
  email text collate "C" not null unique check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 100),
  -- argon2id with its parameters, as a PHC string.
  password_hash text collate "C" not null,
  totp_secret text collate "C",
  -- The last 30-second step that was used: no code works twice.
  totp_last_step bigint not null default 0,
  is_operator boolean not null default false,
  created_at timestamptz not null,
  -- The owner id that an authenticator stores with a passkey. It is random, because authenticators show it to anyone
  -- who holds them.
  passkey_handle uuid not null default gen_random_uuid(),
  -- Whether the address was proven (decision 94): by a link that only its mailbox got.
  email_proven_at timestamptz
);

create table staff_roles (
  staff_id int not null references staff on delete cascade,
  merchant_id int not null references merchants,
  role text not null check (role in ('owner', 'editor', 'support', 'viewer')),
  created_at timestamptz not null,
  primary key (staff_id, merchant_id)
);

create index staff_roles_merchant_id_idx on staff_roles (merchant_id);

-- A link that works once: it makes an account, adds a role to one, or resets a password. The role is given when the
-- link is used, not when it is made: whoever holds a link gets what this link promises and nothing else.
create table staff_invitations (
  invitation_id uuid primary key,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- Null: whoever uses it says who they are. Only the first start makes such a link.
  email text collate "C",
  merchant_id int references merchants,
  role text check (role in ('owner', 'editor', 'support', 'viewer')),
  makes_operator boolean not null default false,
  resets_staff_id int references staff on delete cascade,
  made_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  is_mailed boolean not null default false,
  check ((merchant_id is null) = (role is null)),
  check (resets_staff_id is null or (merchant_id is null and not makes_operator))
);

create index staff_invitations_merchant_id_idx on staff_invitations (merchant_id);
create index staff_invitations_resets_staff_id_idx on staff_invitations (resets_staff_id);

create table staff_sessions (
  session_id uuid primary key,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  staff_id int not null references staff on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  browser text not null
);

create index staff_sessions_staff_id_idx on staff_sessions (staff_id);

-- Browsers in which a person has signed in before: what strangers fail at elsewhere does not hold them up there.
create table staff_browsers (
  staff_id int not null references staff on delete cascade,
  token_sha256 bytea not null check (octet_length(token_sha256) = 32),
  last_used_at timestamptz not null,
  primary key (staff_id, token_sha256)
);

-- Failed attempts to sign in, by account and by where they came from. There need not be such an account.
create table sign_in_failures (
  account text collate "C" not null,
  source text collate "C" not null,
  failures int not null check (failures >= 1),
  last_failed_at timestamptz not null,
  primary key (account, source)
);

create index sign_in_failures_last_failed_at_idx on sign_in_failures (last_failed_at);

-- Failed attempts from one network, for all accounts together: the level of a leaky bucket.
create table sign_in_networks (
  network text collate "C" primary key,
  level double precision not null check (level >= 0),
  counted_at timestamptz not null
);

create index sign_in_networks_counted_at_idx on sign_in_networks (counted_at);

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

create index staff_passkeys_staff_id_idx on staff_passkeys (staff_id);

-- Challenges that a passkey has to sign. A row is deleted by its first use.
create table staff_challenges (
  challenge_sha256 bytea primary key check (octet_length(challenge_sha256) = 32),
  purpose text not null check (purpose in ('register', 'sign_in', 'second_factor')),
  -- Null if the passkey itself identifies the person.
  staff_id int references staff on delete cascade,
  expires_at timestamptz not null,
  check ((staff_id is null) = (purpose = 'sign_in'))
);

create index staff_challenges_expires_at_idx on staff_challenges (expires_at);
create index staff_challenges_staff_id_idx on staff_challenges (staff_id);

-- Each code replaces the second factor once. Used ones stay, so that the total is known.
create table staff_recovery_codes (
  staff_id int not null references staff on delete cascade,
  code_sha256 bytea not null check (octet_length(code_sha256) = 32),
  used_at timestamptz,
  primary key (staff_id, code_sha256)
);

-- The spins that a person has given in one day, counted in days since 1970-01-01 in the merchant's time zone (decision
-- 29). The row is also the lock for giving more; it is taken before any player is locked.
create table staff_grants (
  merchant_id int not null,
  staff text collate "C" not null,
  day int not null,
  spins bigint not null check (spins >= 0),
  primary key (merchant_id, staff)
)
with (fillfactor = 50);

-- Who changed what. Append-only. A player stands here by number, so that to erase its name needs no change here.
create table audit_log (
  entry_no bigint generated always as identity,
  at timestamptz not null,
  merchant_id int not null,
  actor_kind text collate "C" not null check (actor_kind in ('token', 'staff', 'command', 'worker')),
  actor_id text not null check (char_length(actor_id) between 1 and 200),
  actor_name text,
  action text collate "C" not null,
  subject_kind text collate "C" not null,
  subject text,
  shard int,
  player_no bigint,
  before jsonb,
  after jsonb,
  request_id text,
  primary key (merchant_id, entry_no),
  check ((subject_kind = 'player') = (player_no is not null)),
  check ((shard is null) = (player_no is null)),
  check ((subject is null) = (player_no is not null))
);

revoke update, delete, truncate on audit_log from current_user;
