import { hash } from 'node:crypto'
import { type Queryable, statement } from '../db/database.ts'

/** How the outside knows a player. The shard travels along because it leads every key. */
export type PlayerKey = { shard: number; merchantId: number; playerId: string }

/** A player's row, locked for the rest of the transaction. */
export type LockedPlayer = PlayerKey & {
  playerNo: number
  balance: number
  entryCount: number
  playCount: number
  grantedDay: number
  grantedDayTotal: number
  isBlocked: boolean
}

export type EntryKind = 'grant' | 'initial' | 'play' | 'prize'

export type LedgerEntry = {
  shard: number
  playerNo: number
  merchantId: number
  entryNo: number
  kind: EntryKind
  amount: number
  balanceAfter: number
  key: string
  keyHash: Buffer
  reason: string | null
  createdAt: Date
}

export type EntryKey = PlayerKey & { kind: EntryKind; key: string }
export type KeyedEntry = EntryKey & { amount: number; balanceAfter: number }

/** Changes a locked player's balance, and answers with the entry that records it. Both are yet to be written. */
export function enter(
  player: LockedPlayer,
  change: Pick<LedgerEntry, 'kind' | 'amount' | 'key' | 'reason'>,
  now: Date,
): LedgerEntry {
  player.balance += change.amount
  player.entryCount += 1
  return {
    shard: player.shard,
    playerNo: player.playerNo,
    merchantId: player.merchantId,
    entryNo: player.entryCount,
    kind: change.kind,
    amount: change.amount,
    balanceAfter: player.balance,
    key: change.key,
    keyHash: keyHash({ ...player, ...change }),
    reason: change.reason,
    createdAt: now,
  }
}

/** Creates the players that are not there yet. In a transaction it comes before `lockPlayers`, never after. */
export async function insertPlayers(tx: Queryable, players: readonly PlayerKey[], now: Date): Promise<void> {
  await tx.query(insertMissingPlayers, [...playerColumns(players), now])
}

/**
 * Locks players until the transaction ends. Every writer locks in this order, so that no two wait for each other.
 * What the statements after this one read is at least as new as the locks: each takes its snapshot when it starts.
 */
export async function lockPlayers(tx: Queryable, players: readonly PlayerKey[]): Promise<LockedPlayer[]> {
  return tx.query(lock, playerColumns(players))
}

export async function readEntriesByKey(tx: Queryable, keys: readonly EntryKey[]): Promise<KeyedEntry[]> {
  const hashes = keys.map(keyHash)
  const found = await tx.query(readByHash, [keys.map((key) => key.shard), hashes])
  const byHash = new Map(keys.map((key, index) => [hashes[index]?.toString('hex'), key]))
  return found.map((entry) => ({ ...(byHash.get(entry.keyHash.toString('hex')) as EntryKey), ...entry }))
}

export async function insertEntries(tx: Queryable, entries: readonly LedgerEntry[]): Promise<void> {
  await tx.query(insert, [
    entries.map((entry) => entry.shard),
    entries.map((entry) => entry.playerNo),
    entries.map((entry) => entry.merchantId),
    entries.map((entry) => entry.entryNo),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.amount),
    entries.map((entry) => entry.balanceAfter),
    entries.map((entry) => entry.keyHash),
    entries.map((entry) => entry.key),
    entries.map((entry) => entry.reason),
    entries.map((entry) => entry.createdAt),
  ])
}

/** Writes the new state of players that this transaction has locked. */
export async function updatePlayers(tx: Queryable, players: readonly LockedPlayer[]): Promise<void> {
  await tx.query(update, [
    ...playerColumns(players),
    players.map((player) => player.balance),
    players.map((player) => player.entryCount),
    players.map((player) => player.playCount),
    players.map((player) => player.grantedDay),
    players.map((player) => player.grantedDayTotal),
  ])
}

/** What a key is found by. Neither kinds nor keys nor ids hold a line break, so no two run together. */
export function keyHash({ merchantId, playerId, kind, key }: Omit<EntryKey, 'shard'>): Buffer {
  return hash('sha256', `${kind}\n${merchantId}\n${key}\n${playerId}`, 'buffer').subarray(0, 16)
}

export function playerName(player: PlayerKey): string {
  return `${player.merchantId}:${player.playerId}`
}

export function distinctPlayers<Key extends PlayerKey>(players: readonly Key[]): Key[] {
  return [...new Map(players.map((player) => [playerName(player), player])).values()]
}

/** One array for each column of the key: a batch of any size is one statement with a fixed text. */
function playerColumns(players: readonly PlayerKey[]): [number[], number[], string[]] {
  return [
    players.map((player) => player.shard),
    players.map((player) => player.merchantId),
    players.map((player) => player.playerId),
  ]
}

// `not exists` spares the players that are there already a number from the sequence; `on conflict` catches those that
// came since. Two batches that create the same players insert them in the same order.
const insertMissingPlayers = statement(`
insert into players (shard, merchant_id, player_id, created_at)
select shard, merchant_id, player_id, $4::timestamptz
from unnest($1::int[], $2::int[], $3::text[]) as wanted (shard, merchant_id, player_id)
where not exists (
  select from players
  where players.shard = wanted.shard
  and players.merchant_id = wanted.merchant_id
  and players.player_id = wanted.player_id
)
order by shard, merchant_id, player_id collate "C"
on conflict do nothing`)

const lock = statement<LockedPlayer>(`
select
  players.shard,
  players.merchant_id as "merchantId",
  players.player_id as "playerId",
  players.player_no as "playerNo",
  players.balance,
  players.entry_count as "entryCount",
  players.play_count as "playCount",
  players.granted_day as "grantedDay",
  players.granted_day_total as "grantedDayTotal",
  players.blocked_at is not null as "isBlocked"
from unnest($1::int[], $2::int[], $3::text[]) as wanted (shard, merchant_id, player_id)
join players using (shard, merchant_id, player_id)
order by players.shard, players.merchant_id, players.player_id
for update of players`)

const readByHash = statement<{ keyHash: Buffer; amount: number; balanceAfter: number }>(`
select key_hash as "keyHash", amount, balance_after as "balanceAfter"
from unnest($1::int[], $2::bytea[]) as wanted (shard, key_hash)
join ledger_entries using (shard, key_hash)`)

const insert = statement(`
insert into ledger_entries (
  shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at
)
select *
from unnest(
  $1::int[], $2::bigint[], $3::int[], $4::int[], $5::text[], $6::int[], $7::int[], $8::bytea[],
  $9::text[], $10::text[], $11::timestamptz[]
)`)

const update = statement(`
update players
set
  balance = new.balance,
  entry_count = new.entry_count,
  play_count = new.play_count,
  granted_day = new.granted_day,
  granted_day_total = new.granted_day_total
from unnest($1::int[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::bigint[])
  as new (shard, merchant_id, player_id, balance, entry_count, play_count, granted_day, granted_day_total)
where players.shard = new.shard
and players.merchant_id = new.merchant_id
and players.player_id = new.player_id`)
