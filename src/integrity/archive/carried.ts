import { type Queryable, statement } from '../../db/database.ts'
import type { ArchivedEntry, Carried } from './archive-file.ts'

/** The entries and plays of a player up to these numbers are in files. */
type ArchivedUpTo = { shard: number; player_no: number; entry_no: number; play_no: number }

/** What the player carries forward after more of its entries. */
export function carryOn(before: Carried, entries: readonly ArchivedEntry[]): Carried {
  const balances: Record<string, number> = { ...before.purses, 0: before.balance }
  const lots = new Map(before.lots.map((lot) => [lot.lot_no, { ...lot }]))
  for (const { entry_no, amount, purse_id = 0, expires_at, lots: drawn = [] } of entries) {
    balances[purse_id] = (balances[purse_id] ?? 0) + amount
    for (let place = 0; place < drawn.length; place += 2) {
      const lot = lots.get(drawn[place] as number)
      if (lot !== undefined) lot.spins -= drawn[place + 1] as number
    }
    if (expires_at !== undefined)
      lots.set(entry_no, { lot_no: entry_no, purse_id, amount, spins: amount, expires_at })
  }
  const { 0: balance = 0, ...purses } = balances
  return { balance, purses, lots: [...lots.values()].filter(({ spins }) => spins !== 0) }
}

/** What each of these players carries forward, by its number. */
export async function readCarried(
  tx: Queryable,
  players: readonly { shard: number; player_no: number }[],
): Promise<Map<number, Carried>> {
  const rows = await tx.query(read, [
    players.map(({ shard }) => shard),
    players.map(({ player_no }) => player_no),
  ])
  return new Map(rows.map(({ playerNo, carried }) => [playerNo, carried]))
}

/** Replaces what players carry forward. One without archived entries has nothing here but lots of whole balances. */
export async function writeCarried(
  tx: Queryable,
  merchantId: number,
  players: readonly (ArchivedUpTo & Carried)[],
): Promise<void> {
  const given = JSON.stringify(players)
  for (const clear of [clearPurses, clearLots]) await tx.query(clear, [given])
  for (const write of [writePlayers, writePurses, writeLots]) await tx.query(write, [given, merchantId])
}

/** A player's state in SQL, as JSON. */
export function carriedJson(player: string): string {
  const ofPlayer = `
    where shard = ${player}.shard
    and player_no = ${player}.player_no`
  return `json_build_object(
    'balance', coalesce((select balance from archived_players ${ofPlayer}), 0),
    'purses', coalesce((select json_object_agg(purse_id, balance) from archived_purses ${ofPlayer}), '{}'),
    'lots', coalesce((
      select json_agg(json_build_object(
        'lot_no', lot_no, 'purse_id', purse_id, 'amount', amount, 'spins', spins, 'expires_at', expires_at
      ) order by lot_no)
      from carried_lots ${ofPlayer}
    ), '[]')
  )`
}

const read = statement<{ playerNo: number; carried: Carried }>(`
select wanted.player_no as "playerNo", ${carriedJson('wanted')} as carried
from unnest($1::int[], $2::bigint[]) as wanted (shard, player_no)`)

const given = `
json_to_recordset($1::json) as given (
  shard int, player_no bigint, entry_no int, play_no int, balance int, purses json, lots json
)`

const clear = (table: string) =>
  statement(`
delete from ${table}
using ${given}
where ${table}.shard = given.shard
and ${table}.player_no = given.player_no`)

const clearPurses = clear('archived_purses')
const clearLots = clear('carried_lots')

const writePlayers = statement(`
with given as materialized (
  select *
  from ${given}
),
cleared as (
  delete from archived_players
  using given
  where archived_players.shard = given.shard
  and archived_players.player_no = given.player_no
  and given.entry_no = 0
),
carried as (
  insert into archived_players (shard, player_no, merchant_id, entry_no, play_no, balance)
  select shard, player_no, $2, entry_no, play_no, balance
  from given
  where entry_no > 0
  on conflict (shard, player_no) do update
  set entry_no = excluded.entry_no, play_no = excluded.play_no, balance = excluded.balance
)
update players
set archived_entry_no = nullif(given.entry_no, 0)
from given
where players.player_no = given.player_no
and players.shard + 0 = given.shard`)

const writePurses = statement(`
insert into archived_purses (shard, player_no, merchant_id, purse_id, balance)
select given.shard, given.player_no, $2, purse.id::int, purse.balance::int
from ${given}
cross join json_each_text(given.purses) as purse (id, balance)`)

const writeLots = statement(`
insert into carried_lots (shard, player_no, merchant_id, lot_no, purse_id, amount, spins, expires_at)
select given.shard, given.player_no, $2, lot.*
from ${given}
cross join json_to_recordset(given.lots) as lot (
  lot_no int, purse_id int, amount int, spins int, expires_at timestamptz
)`)
