import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type CampaignRef, numberIn } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { bytesArray } from '../db/parameters.ts'
import {
  drawFromLots,
  expiryFrom,
  type ExpiryRule,
  type LotDraw,
  type LotSource,
  type SpinLot,
} from './spin-lots.ts'

/** The public identity of a player. It includes the shard, which is a column of every key. */
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
  linksValidFrom: Date | null
  /** The earliest expiry of its lots, over all purses; null if it has none. */
  nextExpiry: Date | null
  /** The purses that were asked for, beside the balance, which is purse 0. */
  purses?: Map<number, Purse>
  /** All lots of the player. Missing if it has none in the database. */
  lots?: SpinLot[]
}

/** A balance of spins, and the day of the last grant to it. */
type Purse = { balance: number; grantedDay: number }

export type EntryKind = 'grant' | 'initial' | 'play' | 'prize' | 'free' | 'entry' | 'expiry' | 'correction'

export type LedgerEntry = {
  shard: number
  playerNo: number
  merchantId: number
  entryNo: number
  kind: EntryKind
  amount: number
  balanceAfter: number
  key: string
  /** Null for a play: its key is the play's number, and the play itself is unique. */
  keyHash: string | null
  reason: string | null
  /** The person who made it by hand. */
  origin?: string
  campaignId: number
  purseId: number
  /** When granted spins expire; missing for never. */
  expiresAt?: Date
  /** The lots that spins were taken from. The rest of the amount never expires. */
  lots?: LotDraw[]
}

type EntryKey = PlayerKey & { kind: EntryKind; key: string }
/** An earlier entry, found by the hash of its key. */
export type KeyedEntry = {
  keyHash: string
  /** Null for an archived entry. */
  playerNo: number | null
  amount: number
  balanceAfter: number
  campaignId: number
  expiresAt?: Date | null
}

/** A purse of a locked player. Purse 0 is the player itself. */
export function purseOf(player: LockedPlayer, { purseId }: Pick<CampaignRef, 'purseId'>): Purse {
  if (purseId === 0) return player
  const purse = player.purses?.get(purseId)
  assert(purse !== undefined, `purse ${purseId} was not read`)
  return purse
}

/** A copy of a player with its purses and lots, for rules that must not change what they are given. */
export function copyOf(player: LockedPlayer): LockedPlayer {
  const copy = { ...player }
  if (player.purses !== undefined)
    copy.purses = new Map([...player.purses].map(([purseId, purse]) => [purseId, { ...purse }]))
  if (player.lots !== undefined) copy.lots = player.lots.map((lot) => ({ ...lot }))
  return copy
}

type Change = Pick<LedgerEntry, 'kind' | 'amount' | 'key' | 'reason' | 'origin'> & {
  keyHash?: string | null
  campaign: Pick<CampaignRef, 'campaignId' | 'purseId'>
  /** For spins that are given: when they expire. */
  expires?: { rule: ExpiryRule; now: Date } | undefined
  /** The lots that the spins were taken from; if undefined, those that come first. */
  draws?: LotDraw[]
}

/** Changes a locked player's balance and lots, and returns the entry that records it. Nothing is written yet. */
export function enter(player: LockedPlayer, change: Change): LedgerEntry {
  const { shard, merchantId, playerId, playerNo } = player
  const { kind, amount, key, reason, campaign } = change
  const purse = purseOf(player, campaign)
  purse.balance += amount
  player.entryCount += 1
  return {
    shard,
    playerNo,
    merchantId,
    entryNo: player.entryCount,
    kind,
    amount,
    balanceAfter: purse.balance,
    key,
    keyHash:
      change.keyHash === undefined
        ? keyHash({ merchantId, playerId, kind, key: keyOfPlayer(player, change) })
        : change.keyHash,
    reason,
    ...(change.origin === undefined ? {} : { origin: change.origin }),
    campaignId: campaign.campaignId,
    purseId: campaign.purseId,
    ...(amount < 0 ? drawsOf(player, change) : newLot(player, change)),
  }
}

/**
 * Keys that we make ourselves come again for a player with the id of an erased one, whose entries stay. So their hashes
 * have the player's number in them.
 */
function keyOfPlayer({ playerNo }: LockedPlayer, { kind, key }: Change): string {
  return kind === 'free' || kind === 'expiry' ? `${key}/${playerNo}` : key
}

function drawsOf(player: LockedPlayer, { amount, campaign, draws }: Change): Pick<LedgerEntry, 'lots'> {
  assert(player.nextExpiry === null || player.lots !== undefined, 'the lots were not read')
  const taken = { purseId: campaign.purseId, spins: -amount }
  const lots = draws ?? drawFromLots(player.lots ?? [], taken)
  return lots.length === 0 ? {} : { lots }
}

function newLot(
  player: LockedPlayer,
  { kind, amount, campaign, expires }: Change,
): Pick<LedgerEntry, 'expiresAt'> {
  if (expires === undefined) return {}
  assert(player.nextExpiry === null || player.lots !== undefined, 'the lots were not read')
  const source: LotSource = kind === 'prize' ? 'won' : kind === 'free' ? 'free' : 'granted'
  const times = expiryFrom(expires.rule, expires.now)
  const spins = { purseId: campaign.purseId, amount, spinsLeft: amount }
  player.lots ??= []
  player.lots.push({ lotNo: player.entryCount, ...spins, ...times, source, isChanged: true })
  return { expiresAt: times.expiresAt }
}

/** Creates missing players and returns those. In a transaction it comes before `lockPlayers`, never after. */
export async function insertPlayers(
  tx: Queryable,
  players: readonly PlayerKey[],
  now: Date,
): Promise<PlayerKey[]> {
  return tx.query(insertMissingPlayers, [...playerColumns(players), now])
}

/**
 * Locks players until the transaction ends. Every writer locks in this order, so there are no deadlocks. Later
 * statements read data at least as new as the locks, since each takes its own snapshot.
 */
export async function lockPlayers(tx: Queryable, players: readonly PlayerKey[]): Promise<LockedPlayer[]> {
  const locked = await tx.query(lock, playerColumns(players))
  return locked.map(({ place, ...state }) => {
    const { shard, merchantId, playerId } = players[place - 1] as PlayerKey
    return { shard, merchantId, playerId, ...state }
  })
}

export async function readEntriesByKey(
  tx: Queryable,
  keys: readonly { shard: number; keyHash: string }[],
): Promise<KeyedEntry[]> {
  return tx.query(readByHash, [keys.map((key) => key.shard), bytesArray(keys.map((key) => key.keyHash))])
}

/**
 * Reads the purses that orders of locked players need, and gives them to the players. A purse without a row is empty.
 * Purse 0 is the player itself, so most orders need none.
 */
export async function readPurses<Order extends PlayerKey>(
  tx: Queryable,
  orders: readonly Order[],
  campaignOf: (order: Order) => Pick<CampaignRef, 'purseId'>,
): Promise<(players: readonly LockedPlayer[]) => void> {
  const keys = orders.filter((order) => campaignOf(order).purseId !== 0)
  const purseIds = keys.map((order) => campaignOf(order).purseId)
  if (keys.length === 0) return () => {}
  const found = await tx.query(readPursesOfPlayers, [...playerColumns(keys), purseIds])
  const purses = new Map(found.map(({ place, ...purse }) => [place, purse]))
  return (players) => {
    const byName = new Map(players.map((player) => [playerName(player), player]))
    for (const [index, key] of keys.entries()) {
      const player = byName.get(playerName(key))
      if (player === undefined) continue
      player.purses ??= new Map()
      const purse = purses.get(index + 1) ?? { balance: 0, grantedDay: 0 }
      player.purses.set(purseIds[index] as number, purse)
    }
  }
}

/**
 * The hash by which a key is found, in hex. Kinds, keys and ids contain no line break, so two inputs never give the
 * same text.
 */
export function keyHash({ merchantId, playerId, kind, key }: Omit<EntryKey, 'shard'>): string {
  return hash('sha256', `${kind}\n${merchantId}\n${key}\n${playerId}`).slice(0, 32)
}

/** The day for `grantedDay`, counted from 1970-01-01 (UTC). */
export function dayNumber(now: Date): number {
  return Math.floor(now.getTime() / 86_400_000)
}

export function playerName(player: { merchantId: number; playerId: string }): string {
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

// While the statistics say that a table is empty or tiny, the planner reverses a join or `not exists`: it scans the
// whole table once and compares every row with the whole batch, and keeps doing so when the table has grown. A
// subquery that it can't flatten (one that locks, one with `offset 0`, a scalar one) forces it to use the index.

// The subquery avoids drawing a sequence number for existing players; `on conflict` handles those created meanwhile.
// Two batches that create the same players insert them in the same order.
const insertMissingPlayers = statement<PlayerKey>(
  `
insert into players (player_no, shard, merchant_id, player_id, created_at)
overriding system value
select nextval('players_player_no_seq'), shard, merchant_id, player_id, $4::timestamptz
from unnest($1::int[], $2::int[], $3::text[]) as wanted (shard, merchant_id, player_id)
where (
  select true
  from players
  where players.shard = wanted.shard
  and players.merchant_id = wanted.merchant_id
  and players.player_id = wanted.player_id
) is null
order by shard, merchant_id, player_id collate "C"
on conflict do nothing
returning shard, merchant_id as "merchantId", player_id as "playerId"`,
  [1, 3],
)

// Rows are locked in the order of `wanted`. They are matched by their index in the arrays, so that ids need not be
// returned.
const lock = statement<Omit<LockedPlayer, keyof PlayerKey> & { place: number }>(
  `
select wanted.place, locked.*
from (
  select *
  from unnest($1::int[], $2::int[], $3::text[]) with ordinality as wanted (shard, merchant_id, player_id, place)
  order by shard, merchant_id, player_id collate "C"
) as wanted
cross join lateral (
  select
    player_no as "playerNo",
    balance,
    entry_count as "entryCount",
    play_count as "playCount",
    granted_day as "grantedDay",
    granted_day_total as "grantedDayTotal",
    blocked_at is not null as "isBlocked",
    links_valid_from as "linksValidFrom",
    next_expiry as "nextExpiry"
  from players
  where players.shard = wanted.shard
  and players.merchant_id = wanted.merchant_id
  and players.player_id = wanted.player_id
  for update
) as locked`,
  [1, 3],
)

const readPursesOfPlayers = statement<Purse & { place: number }>(
  `
select wanted.place, found.*
from unnest($1::int[], $2::int[], $3::text[], $4::int[]) with ordinality
  as wanted (shard, merchant_id, player_id, purse_id, place)
cross join lateral (
  select player_purses.balance, player_purses.granted_day as "grantedDay"
  from (
    select player_no
    from players
    where players.shard = wanted.shard
    and players.merchant_id = wanted.merchant_id
    and players.player_id = wanted.player_id
    offset 0
  ) as own
  join player_purses
    on player_purses.shard = wanted.shard
    and player_purses.player_no = own.player_no
    and player_purses.purse_id = wanted.purse_id
  offset 0
) as found`,
  [1, 4],
)

// `+ 0` keeps the planner from any index that begins with the shard.
const readByHash = statement<KeyedEntry>(
  `
select found.*
from unnest($1::int[], $2::bytea[]) as wanted (shard, key_hash)
cross join lateral (
  select
    encode(key_hash, 'hex') as "keyHash",
    player_no as "playerNo",
    amount,
    balance_after as "balanceAfter",
    ${numberIn('campaign_id')} as "campaignId",
    expires_at as "expiresAt"
  from ledger_entries
  where ledger_entries.key_hash = wanted.key_hash
  and ledger_entries.shard + 0 = wanted.shard
  union all
  select encode(key_hash, 'hex'), null, amount, balance_after, ${numberIn('campaign_id')}, expires_at
  from archived_keys
  where archived_keys.key_hash = wanted.key_hash
  and archived_keys.shard = wanted.shard
  offset 0
) as found`,
  [1, 2],
)
