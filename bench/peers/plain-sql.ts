// The schema and statements of the peers with hand-written SQL. Each statement has a name, so that it is prepared.

export const schema = `
create table if not exists players (
  merchant_id int not null,
  player_id text not null,
  balance int not null default 0 check (balance >= 0),
  play_count int not null default 0,
  primary key (merchant_id, player_id)
) with (fillfactor = 70);
create table if not exists ledger (
  merchant_id int not null,
  player_id text not null,
  kind text not null,
  key text not null,
  amount int not null,
  balance_after int not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, player_id, kind, key)
);
create table if not exists prizes (
  prize_id int primary key,
  label text not null,
  weight int not null,
  stock int not null,
  given int not null default 0,
  check (given <= stock)
) with (fillfactor = 50);
create table if not exists plays (
  play_id uuid primary key,
  merchant_id int not null,
  player_id text not null,
  play_no int not null,
  segment int not null,
  won boolean not null,
  balance_after int not null,
  created_at timestamptz not null default now()
);`

/** Creates the player if needed, and locks it. */
export const addSpins = {
  name: 'add-spins',
  text: `
insert into players (merchant_id, player_id, balance)
values ($1, $2, $3)
on conflict (merchant_id, player_id) do update
set balance = players.balance + excluded.balance
returning balance`,
}

export const insertEntry = {
  name: 'insert-entry',
  text: `
insert into ledger (merchant_id, player_id, kind, key, amount, balance_after)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing`,
}

export const readEntry = {
  name: 'read-entry',
  text: `
select amount, balance_after
from ledger
where merchant_id = $1
and player_id = $2
and kind = $3
and key = $4`,
}

export const createPlayer = {
  name: 'create-player',
  text: 'insert into players (merchant_id, player_id) values ($1, $2) on conflict do nothing',
}

export const lockPlayer = {
  name: 'lock-player',
  text: 'select balance, play_count from players where merchant_id = $1 and player_id = $2 for update',
}

export const spendSpin = {
  name: 'spend-spin',
  text: `
update players
set balance = balance - 1, play_count = play_count + 1
where merchant_id = $1
and player_id = $2`,
}

/** Changes a row only while there is stock. */
export const takePrize = {
  name: 'take-prize',
  text: 'update prizes set given = given + 1 where prize_id = $1 and given < stock',
}

export const readPlay = { name: 'read-play', text: 'select * from plays where play_id = $1' }

export const insertPlay = {
  name: 'insert-play',
  text: `
insert into plays (play_id, merchant_id, player_id, play_no, segment, won, balance_after)
values ($1, $2, $3, $4, $5, $6, $7)
returning *`,
}

export type PlayRow = {
  play_id: string
  play_no: number
  segment: number
  won: boolean
  balance_after: number
  created_at: Date
}
