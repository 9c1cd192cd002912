-- What the server notes about its own work.

-- How far work that goes on in the background has come. The row is also the lock that lets one process do it.
create table work_positions (
  work text collate "C" primary key,
  position timestamptz not null
);

-- One row: when a server was alive last. A gap is an outage.
create table signs_of_life (
  alive_at timestamptz not null,
  is_only boolean primary key default true check (is_only),
  -- Its addresses, for the links that commands print.
  public_url text,
  game_url text
);

-- The last requests of each merchant, for the list in the console and the API. The newest of a kind are kept.
create table recent_requests (
  merchant_id int not null,
  is_refused boolean not null,
  request_no bigint generated always as identity,
  noted_at timestamptz not null,
  -- JSON.
  request text not null,
  primary key (merchant_id, is_refused, request_no)
);

create index recent_requests_noted_at_idx on recent_requests (noted_at);
