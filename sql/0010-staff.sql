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
  created_at timestamptz not null
);

create table staff_roles (
  staff_id int not null references staff on delete cascade,
  merchant_id int not null references merchants,
  role text not null check (role in ('owner', 'editor', 'support', 'viewer')),
  created_at timestamptz not null,
  primary key (staff_id, merchant_id)
);

create index on staff_roles (merchant_id);

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
  check ((merchant_id is null) = (role is null)),
  check (resets_staff_id is null or (merchant_id is null and not makes_operator))
);

create index on staff_invitations (merchant_id);
create index on staff_invitations (resets_staff_id);

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

create index on staff_sessions (staff_id);

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

create index on sign_in_failures (last_failed_at);
