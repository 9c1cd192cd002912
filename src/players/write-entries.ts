import assert from 'node:assert/strict'
import { storedNumber } from '../campaign-ref.ts'
import { allInOrder, type Queryable, statement } from '../db/database.ts'
import {
  insertEvents,
  insertPages,
  type NewEvent,
  pageColumns,
  type PageAddresses,
} from '../events/event-pages.ts'
import type { LedgerEntry, LockedPlayer } from './ledger.ts'
import { writeLots } from './lot-rows.ts'
import { earliestExpiry, type LotDraw } from './spin-lots.ts'

/**
 * Writes entries, the new state of their locked players, and their events, in one statement: a statement costs the
 * driver and the server more than its rows do. Lots, which few players have, take another one.
 */
export async function writeEntries(
  tx: Queryable,
  work: {
    entries: readonly LedgerEntry[]
    /** Each has an entry. */
    players: readonly LockedPlayer[]
    events: readonly NewEvent[]
    addresses?: PageAddresses
    now: Date
  },
): Promise<void> {
  const { entries, players, events, addresses, now } = work
  if (entries.length === 0) {
    await insertEvents(tx, events, addresses)
    return
  }
  const isFull = entries.some(needsFull) || players.some(hasOtherExpiry)
  const states = statesAfter(entries, players)
  const origin = isFull ? undefined : originOf(entries)
  const purses = isFull ? pursesAfter(entries, players) : []
  const sql = isFull ? writeInFull : origin === undefined ? write : writeByHand
  const written = tx.query(sql, [
    now,
    entries.map((entry) => entry.shard),
    entries.map((entry) => entry.merchantId),
    entries.map((entry) => entry.playerNo),
    entries.map((entry) => entry.entryNo),
    entries.map((entry) => entry.kind),
    entries.map((entry) => entry.amount),
    entries.map((entry) => entry.balanceAfter),
    entries.map((entry) => (entry.keyHash === null ? null : `\\x${entry.keyHash}`)),
    entries.map((entry) => entry.key),
    entries.map((entry) => entry.reason),
    states.map((player) => player?.playerId),
    states.map((player) => player?.playCount),
    states.map((player) => player?.grantedDay),
    states.map((player) => player?.grantedDayTotal),
    ...pageColumns(events, addresses),
    ...(origin === undefined ? [] : [origin]),
    ...(!isFull
      ? []
      : [
          entries.map((entry) => entry.origin),
          entries.map((entry) => storedNumber(entry.purseId)),
          entries.map((entry) => storedNumber(entry.campaignId)),
          entries.map((entry) => entry.expiresAt),
          entries.map((entry) => entry.lots && pairsOf(entry.lots)),
          states.map((player) => player?.balance),
          states.map((player) => player && nextExpiryOf(player)),
          purses.map((purse) => purse.shard),
          purses.map((purse) => purse.playerNo),
          purses.map((purse) => purse.purseId),
          purses.map((purse) => purse.balance),
          purses.map((purse) => purse.grantedDay),
        ]),
  ])
  await allInOrder([written, writeLots(tx, players)])
}

/** As the text of an array: each number of a lot is followed by how many spins were taken from it. */
function pairsOf(draws: readonly LotDraw[]): string {
  return `{${draws.map(({ lotNo, spins }) => `${lotNo},${spins}`).join(',')}}`
}

/** Most entries are of `main` and of spins that never expire, and have fewer columns. */
function needsFull({ campaignId, expiresAt, lots }: LedgerEntry): boolean {
  return campaignId !== 0 || expiresAt !== undefined || lots !== undefined
}

function hasOtherExpiry(player: LockedPlayer): boolean {
  return nextExpiryOf(player)?.getTime() !== player.nextExpiry?.getTime()
}

/** The earliest expiry of a player's lots, as they are now. */
export function nextExpiryOf({ lots, nextExpiry }: Pick<LockedPlayer, 'lots' | 'nextExpiry'>): Date | null {
  return lots === undefined ? nextExpiry : earliestExpiry(lots)
}

/** The purses that entries have changed. */
function pursesAfter(entries: readonly LedgerEntry[], players: readonly LockedPlayer[]) {
  const changed = new Set(entries.map(({ playerNo, purseId }) => `${playerNo}:${purseId}`))
  return players.flatMap(({ shard, playerNo, purses }) =>
    [...(purses ?? [])].flatMap(([purseId, purse]) =>
      changed.has(`${playerNo}:${purseId}`) ? [{ shard, playerNo, purseId, ...purse }] : [],
    ),
  )
}

/** A transaction by hand has one author. */
function originOf(entries: readonly LedgerEntry[]): string | undefined {
  const origin = entries[0]?.origin
  assert(entries.every((entry) => entry.origin === origin))
  return origin
}

/** Pairs each player with its last entry, which has the final balance and number; other entries get none. */
function statesAfter(
  entries: readonly LedgerEntry[],
  players: readonly LockedPlayer[],
): (LockedPlayer | undefined)[] {
  const left = new Map(players.map((player) => [player.playerNo, player]))
  assert.equal(left.size, players.length, 'two players of one number')
  const states = entries.toReversed().map(({ playerNo }) => {
    const player = left.get(playerNo)
    left.delete(playerNo)
    return player
  })
  assert.equal(left.size, 0, 'a player without an entry')
  return states.toReversed()
}

/** The parameters of entries, of pages, and those that only some entries have. */
const entryColumns = [2, 15] as const
const pageColumnsAt = [16, 21] as const

// The players exist, since they are locked, so each of them conflicts: an update that no plan can reverse. It costs
// about a sixth more than `update … from`, with 500 entries.
const write = statement(writing({ columns: '', values: '' }), entryColumns, pageColumnsAt)

// With `origin`, which only entries by hand have, so that the many others don't pay for it.
const writeByHand = statement(
  writing({ columns: ', origin', values: ', $22::text' }),
  entryColumns,
  pageColumnsAt,
)

// For campaigns and lots. The last entry of a player may belong to a purse, so the balance is a column of its own.
const writeInFull = statement(
  writing({
    columns: ', origin, purse_id, campaign_id, expires_at, lots',
    values: ', origin, purse_id, campaign_id, expires_at, lots::int[]',
    arrays:
      ', $22::text[], $23::int[], $24::int[], $25::timestamptz[], $26::text[], $27::int[], $28::timestamptz[]',
    names: ', origin, purse_id, campaign_id, expires_at, lots, balance, next_expiry',
    balance: 'balance',
    hasLots: true,
    purses: `
purses as (
  insert into player_purses (shard, player_no, purse_id, balance, granted_day)
  select *
  from unnest($29::int[], $30::bigint[], $31::int[], $32::int[], $33::int[])
  on conflict (shard, player_no, purse_id) do update
  set
    balance = excluded.balance,
    granted_day = excluded.granted_day
),`,
  }),
  entryColumns,
  pageColumnsAt,
  [22, 28, 2],
  [29, 33],
)

function writing(more: {
  columns: string
  values: string
  arrays?: string
  names?: string
  balance?: string
  hasLots?: boolean
  purses?: string
}): string {
  const { columns, values, arrays = '', names = '', balance = 'balance_after', purses = '' } = more
  const nextExpiry = more.hasLots === true ? ', next_expiry' : ''
  return `
with given as (
  select *
  from unnest(
    $2::int[], $3::int[], $4::bigint[], $5::int[], $6::text[], $7::int[], $8::int[], $9::bytea[], $10::text[], $11::text[],
    $12::text[], $13::int[], $14::int[], $15::bigint[]${arrays}
  ) as given (
    shard, merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason,
    player_id, play_count, granted_day, granted_day_total${names}
  )
),${purses}
entered as (
  insert into ledger_entries (
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at${columns}
  )
  select
    shard, player_no, merchant_id, entry_no, kind, amount, balance_after, key_hash, key, reason, $1::timestamptz${values}
  from given
),
told as (${insertPages(16)})
insert into players (
  shard, merchant_id, player_id, player_no, balance, entry_count, play_count, granted_day, granted_day_total, created_at${nextExpiry}
)
overriding system value
select
  shard, merchant_id, player_id, player_no, ${balance}, entry_no, play_count, granted_day, granted_day_total, $1::timestamptz${nextExpiry}
from given
where player_id is not null
on conflict (shard, merchant_id, player_id) do update
set
  balance = excluded.balance,
  entry_count = excluded.entry_count,
  play_count = excluded.play_count,
  granted_day = excluded.granted_day,
  granted_day_total = excluded.granted_day_total${more.hasLots === true ? ',\n  next_expiry = excluded.next_expiry' : ''}`
}
