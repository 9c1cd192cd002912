import assert from 'node:assert/strict'
import { type Database, type Queryable, statement } from '../../db/database.ts'
import { archiveReadMax } from '../../limits.ts'
import type { ArchivedPart } from './archive-file.ts'
import type { SealRange } from './archives.ts'

/** The state that a player carries forward past its archived rows. */
type CarriedPlayer = {
  shard: number
  playerNo: number
  entryNo: number
  playNo: number
  /** Null, here and below: nothing in the parts says. */
  balance: number | null
  grantNo: number | null
  grantedAt: string | null
}

/** The parts of the seals, each as a line of JSON with its rows, in the order in which the seals hash them. */
export async function* readLines(tx: Queryable, range: SealRange): AsyncGenerator<string> {
  await tx.query(statement(declareLines(range)))
  for (;;) {
    const rows = await tx.query(statement<{ line: string }>(`fetch ${archiveReadMax} from archive_lines`))
    for (const { line } of rows) yield line
    if (rows.length < archiveReadMax) return
  }
}

/**
 * Removes rows that are in a checked file, together with what marks them as removed. A part that was removed before is
 * left out, so an interrupted command can be repeated. Returns how many parts were removed.
 */
export async function removeParts(
  db: Database,
  merchantId: number,
  parts: readonly ArchivedPart[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(lockArchiving)
    await tx.query(lockPlayersByNumber, [parts.map((part) => part.player_no)])
    await tx.query(allowRemoval)
    const removed = await tx.query(removeRows, columnsOf(parts))
    await tx.query(forbidRemoval)
    const gone = new Set(removed.map(({ place }) => place))
    const left = parts.filter((_, index) => gone.has(index + 1))
    const due = left.reduce((sum, part) => sum + part.entry_to - part.entry_from, 0)
    assert.equal(removed[0]?.entries ?? 0, due, 'entries are missing in the database')
    await tx.query(setCarried, [merchantId, false, ...carriedColumns(carriedAfter(left))])
    return left.length
  })
}

/** Gives this transaction, and nobody else, the right to put rows back. */
export async function beginPuttingBack(tx: Queryable): Promise<void> {
  await tx.query(lockArchiving)
  await tx.query(allowRemoval)
}

/** Puts rows of the merchant's newest file back, together with what the players carried forward before it. */
export async function putBack(
  tx: Queryable,
  merchantId: number,
  parts: readonly ArchivedPart[],
): Promise<void> {
  await tx.query(insertRows, [
    JSON.stringify(parts.flatMap((part) => part.entries ?? [])),
    JSON.stringify(parts.flatMap((part) => (part.plays ?? []).filter((play) => !play.won))),
    JSON.stringify(
      parts.map(({ shard, player_no, seal_no, entry_to, play_to, digest }) => {
        return {
          shard,
          player_no,
          merchant_id: merchantId,
          seal_no,
          entry_no: entry_to,
          play_no: play_to,
          digest,
        }
      }),
    ),
  ])
  const firsts = parts.filter((part) => part.is_first).map(carriedBefore)
  await tx.query(setCarried, [merchantId, true, ...carriedColumns(firsts)])
}

export async function endPuttingBack(tx: Queryable): Promise<void> {
  await tx.query(forbidRemoval)
}

function carriedColumns(players: readonly CarriedPlayer[]): unknown[] {
  return [
    players.map((player) => player.shard),
    players.map((player) => player.playerNo),
    players.map((player) => player.entryNo),
    players.map((player) => player.playNo),
    players.map((player) => player.balance),
    players.map((player) => player.grantNo),
    players.map((player) => player.grantedAt),
  ]
}

/** The last state of each player that the parts tell. They are in the order of their seals. */
function carriedAfter(parts: readonly ArchivedPart[]): CarriedPlayer[] {
  const states = new Map<number, CarriedPlayer>()
  for (const { shard, player_no: playerNo, entry_to: entryNo, play_to: playNo, entries = [] } of parts) {
    const unknown = { balance: null, grantNo: null, grantedAt: null }
    const state: CarriedPlayer = { ...(states.get(playerNo) ?? unknown), shard, playerNo, entryNo, playNo }
    for (const entry of entries) {
      state.balance = entry.balance_after
      if (entry.amount > 0) Object.assign(state, { grantNo: entry.entry_no, grantedAt: entry.created_at })
    }
    states.set(playerNo, state)
  }
  return [...states.values()]
}

/** The state of a player before its first part in a file. */
function carriedBefore({ shard, player_no, entry_from, play_from, before }: ArchivedPart): CarriedPlayer {
  return {
    shard,
    playerNo: player_no,
    entryNo: entry_from,
    playNo: play_from,
    balance: before?.balance ?? 0,
    grantNo: before?.grant_no ?? null,
    grantedAt: before?.granted_at ?? null,
  }
}

function columnsOf(parts: readonly ArchivedPart[]): unknown[] {
  return [
    parts.map((part) => part.shard),
    parts.map((part) => part.player_no),
    parts.map((part) => part.seal_no),
    parts.map((part) => part.entry_from),
    parts.map((part) => part.entry_to),
    parts.map((part) => part.play_from),
    parts.map((part) => part.play_to),
  ]
}

// Numbers only, so they may stand in the text: a cursor takes no parameters.
function declareLines({ merchantId, lastSealNo }: SealRange): string {
  return `
set local timezone = 'UTC';
declare archive_lines no scroll cursor for
select json_strip_nulls(json_build_object(
  'shard', shard,
  'player_no', player_no,
  'seal_no', seal_no,
  'entry_from', entry_from,
  'entry_to', entry_to,
  'play_from', play_from,
  'play_to', play_to,
  'digest', digest,
  'is_first', is_first,
  'before', case when is_first then before end,
  'entries', (
    select json_agg(ledger_entries order by entry_no)
    from ledger_entries
    where ledger_entries.shard = part.shard
    and ledger_entries.player_no = part.player_no
    and ledger_entries.entry_no > entry_from
    and ledger_entries.entry_no <= entry_to
  ),
  'plays', (
    select json_agg(plays order by play_no)
    from plays
    where plays.shard = part.shard
    and plays.player_no = part.player_no
    and plays.play_no > play_from
    and plays.play_no <= play_to
  )
))::text as line
from (
  select
    part.shard,
    part.player_no,
    part.seal_no,
    coalesce(lag(part.entry_no) over own, carried.entry_no, 0) as entry_from,
    part.entry_no as entry_to,
    coalesce(lag(part.play_no) over own, carried.play_no, 0) as play_from,
    part.play_no as play_to,
    part.digest,
    row_number() over own = 1 as is_first,
    case when carried.player_no is not null then json_build_object(
      'balance', carried.balance,
      'grant_no', carried.grant_no,
      'granted_at', carried.granted_at
    ) end as before
  from ledger_seal_parts as part
  left join archived_players as carried
    on carried.shard = part.shard
    and carried.player_no = part.player_no
  where part.merchant_id = ${merchantId}
  and part.seal_no <= ${lastSealNo}
  window own as (partition by part.shard, part.player_no order by part.seal_no)
) as part
order by seal_no, shard, player_no`
}

const lockArchiving = statement(`
select pg_advisory_xact_lock(7437004)`)

// In the lock order of every writer.
const lockPlayersByNumber = statement(`
select
from players
where player_no = any($1::bigint[])
order by shard, merchant_id, player_id
for update`)

// Both in one transaction, so nobody else ever has the right.
const allowRemoval = statement(`
grant delete on ledger_entries, plays, ledger_seal_parts, ledger_archives, archived_keys to current_user;
grant update on archived_keys to current_user`)
const forbidRemoval = statement(`
revoke delete on ledger_entries, plays, ledger_seal_parts, ledger_archives, archived_keys from current_user;
revoke update on archived_keys from current_user`)

/** A part of a statement: what the entries that leave or return took from lots that still have spins. */
function lotsTaken(sign: '+' | '-'): string {
  return `
taken as (
  update spin_lots
  set archived_taken = archived_taken ${sign} draws.spins
  from (
    select shard, player_no, lots[place] as lot_no, sum(lots[place + 1])::int as spins
    from entered
    cross join generate_series(1, cardinality(lots), 2) as place
    group by 1, 2, 3
  ) as draws
  where spin_lots.shard = draws.shard
  and spin_lots.player_no = draws.player_no
  and spin_lots.lot_no = draws.lot_no
)`
}

// Prizes stay: they are still claimed, redeemed, listed, and found by their codes. A key is there already if an erased player
// came back under its name and got spins under the same key.
const removeRows = statement<{ place: number; entries: number }>(`
with gone as (
  delete from ledger_seal_parts
  using unnest($1::int[], $2::bigint[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[])
    with ordinality as part (shard, player_no, seal_no, entry_from, entry_to, play_from, play_to, place)
  where ledger_seal_parts.shard = part.shard
  and ledger_seal_parts.player_no = part.player_no
  and ledger_seal_parts.seal_no = part.seal_no
  returning part.*
),
entered as (
  delete from ledger_entries
  using gone
  where ledger_entries.shard = gone.shard
  and ledger_entries.player_no = gone.player_no
  and ledger_entries.entry_no > gone.entry_from
  and ledger_entries.entry_no <= gone.entry_to
  returning ledger_entries.shard, ledger_entries.player_no, key_hash, amount, balance_after, expires_at, lots
),
${lotsTaken('+')},
played as (
  delete from plays
  using gone
  where plays.shard = gone.shard
  and plays.player_no = gone.player_no
  and plays.play_no > gone.play_from
  and plays.play_no <= gone.play_to
  and not plays.won
),
keyed as (
  insert into archived_keys (shard, amount, balance_after, key_hash, expires_at)
  select shard, amount, balance_after, key_hash, expires_at
  from entered
  where key_hash is not null
  on conflict (key_hash, shard) do update
  set
    amount = excluded.amount,
    balance_after = excluded.balance_after,
    expires_at = excluded.expires_at
)
select place::int, (select count(*)::int from entered) as entries
from gone`)

// $2: whether the given state is the whole state, or what is null in it stays as it was.
const setCarried = statement(`
with given as (
  select *
  from unnest(
    $3::int[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::timestamptz[]
  ) as given (shard, player_no, entry_no, play_no, balance, grant_no, granted_at)
),
cleared as (
  delete from archived_players
  using given
  where archived_players.shard = given.shard
  and archived_players.player_no = given.player_no
  and given.entry_no = 0
),
carried as (
  insert into archived_players (
    shard, player_no, merchant_id, entry_no, play_no, balance, grant_no, granted_at
  )
  select
    given.shard,
    given.player_no,
    $1,
    given.entry_no,
    given.play_no,
    coalesce(given.balance, old.balance, 0),
    case when $2 then given.grant_no else coalesce(given.grant_no, old.grant_no) end,
    case when $2 then given.granted_at else coalesce(given.granted_at, old.granted_at) end
  from given
  left join archived_players as old
    on old.shard = given.shard
    and old.player_no = given.player_no
  where given.entry_no > 0
  on conflict (shard, player_no) do update
  set
    entry_no = excluded.entry_no,
    play_no = excluded.play_no,
    balance = excluded.balance,
    grant_no = excluded.grant_no,
    granted_at = excluded.granted_at
)
update players
set archived_entry_no = nullif(given.entry_no, 0)
from given
where players.player_no = given.player_no
and players.shard + 0 = given.shard`)

const insertRows = statement(`
with entered as (
  insert into ledger_entries
  select * from json_populate_recordset(null::ledger_entries, $1::json)
  returning shard, player_no, key_hash, lots
),
${lotsTaken('-')},
played as (
  insert into plays
  select * from json_populate_recordset(null::plays, $2::json)
),
unkeyed as (
  delete from archived_keys
  using entered
  where archived_keys.key_hash = entered.key_hash
  and archived_keys.shard = entered.shard
)
insert into ledger_seal_parts
select * from json_populate_recordset(null::ledger_seal_parts, $3::json)`)
