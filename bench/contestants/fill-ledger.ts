import type { Postgres } from '../scene/postgres.ts'

/**
 * Gives every player `entriesPerPlayer` entries of one spin each, as if granted one by one: in order of time, with
 * running balances and keys, so that the audit passes. Indexes are dropped first and created again at the end.
 */
export async function fillLedger(
  postgres: Postgres,
  database: string,
  entriesPerPlayer: number,
): Promise<void> {
  const indexes = await postgres.query<{ drop: string; create: string }>(database, readIndexes)
  for (const { drop } of indexes) await postgres.query(database, drop)
  for (let entry = 1; entry <= entriesPerPlayer; entry++)
    await postgres.query(database, insertEntries, [entry])
  for (const { create } of indexes) await postgres.query(database, create)
  await postgres.query(database, 'update players set balance = $1, entry_count = $1', [entriesPerPlayer])
  await postgres.query(database, 'vacuum analyze players')
  await postgres.query(database, 'vacuum analyze ledger_entries')
  await postgres.query(database, 'checkpoint')
}

const readIndexes = `
select
  coalesce(
    'alter table ledger_entries drop constraint ' || conname,
    'drop index ' || indexrelid::regclass
  ) as drop,
  coalesce(
    'alter table ledger_entries add constraint ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid),
    pg_get_indexdef(indexrelid)
  ) as create
from pg_index
left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
where indrelid = 'ledger_entries'::regclass`

// The hash is the one of src/players/ledger.ts.
const insertEntries = `
insert into ledger_entries (
  shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, created_at
)
select
  shard,
  player_no,
  merchant_id,
  $1::int,
  'grant',
  1,
  $1::int,
  substr(sha256(convert_to(concat_ws(e'\\n', 'grant', merchant_id, 'fill-' || $1::int, player_id), 'UTF8')), 1, 16),
  'fill-' || $1::int,
  now()
from players`
