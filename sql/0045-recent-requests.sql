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

create index on recent_requests (noted_at);
