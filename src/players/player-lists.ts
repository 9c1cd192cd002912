import { numberIn, slugOf } from '../campaign-ref.ts'
import { type Queryable, statement } from '../db/database.ts'
import { playersScannedPerShardMax, rowsScannedMax } from '../limits.ts'
import type { EntryKind } from './ledger.ts'
import { usableBalance } from './lot-rows.ts'
import { shardOf, shardValues } from './shard.ts'

/** A player in a list. */
export type ListedPlayer = {
  shard: number
  playerNo: number
  playerId: string
  balance: number
  playCount: number
  createdAt: Date
  blockedAt: Date | null
  erasedAt: Date | null
}

/** Balances are shown without spins that have expired by `now`. */
type PlayerPage = { prefix: string; after: string; limit: number; now: Date }

/** A merchant's players in the order of their ids: those that start with `prefix`, after `after`. */
export async function listPlayers(
  db: Queryable,
  merchantId: number,
  page: PlayerPage,
): Promise<ListedPlayer[]> {
  const { prefix, after, limit, now } = page
  const found = await db.query(list, [merchantId, shardValues, prefix, lastWith(prefix), after, limit, now])
  // A cluster finds as many in each shard.
  if (db.isCluster !== true) return found
  return found.toSorted((one, other) => byBytes(one.playerId, other.playerId)).slice(0, limit)
}

/** The same for blocked players. */
export async function listBlockedPlayers(
  db: Queryable,
  merchantId: number,
  page: PlayerPage,
): Promise<ListedPlayer[]> {
  const { prefix, after, limit, now } = page
  return db.query(listBlocked, [merchantId, prefix, lastWith(prefix), after, limit, now])
}

/**
 * A merchant's players whose id contains `part`, in any case, after the id `after`, in the order of their ids. It reads
 * a bounded number of ids from the primary key. `next` says where to continue; undefined at the end.
 */
export async function scanPlayers(
  db: Queryable,
  merchantId: number,
  page: { part: string; after: string; limit: number },
): Promise<{ playerIds: string[]; next: string | undefined }> {
  const perShard = playersScannedPerShardMax
  const stretches = await db.query(scan, [
    merchantId,
    shardValues,
    page.after,
    page.part,
    page.limit + 1,
    perShard,
  ])
  // A shard that was not read to its end says nothing about ids after its last one.
  const ends = stretches.filter(({ count }) => count === perShard).map(({ last }) => last)
  const end = ends.toSorted(byBytes)[0]
  const hits = stretches
    .flatMap((stretch) => stretch.hits)
    .toSorted(byBytes)
    .filter((id) => end === undefined || byBytes(id, end) <= 0)
  const playerIds = hits.slice(0, page.limit)
  return { playerIds, next: hits.length > page.limit ? playerIds.at(-1) : end }
}

/** The players with these ids, in the same order. */
export async function readPlayersById(
  db: Queryable,
  merchantId: number,
  playerIds: readonly string[],
  now: Date,
): Promise<ListedPlayer[]> {
  const shards = playerIds.map((playerId) => shardOf({ merchantId, playerId }))
  return db.query(byId, [merchantId, shards, playerIds, now])
}

/** As PostgreSQL compares ids. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/** A merchant's players of one shard, for an export. */
export async function readPlayersOfShard(
  db: Queryable,
  key: { merchantId: number; shard: number },
  page: { after: string; limit: number; now: Date },
): Promise<ListedPlayer[]> {
  return db.query(ofShard, [key.shard, key.merchantId, page.after, page.limit, page.now])
}

/** An id has at most 128 characters, so no id with the prefix sorts after this. */
function lastWith(prefix: string): string {
  return prefix + '\u{10FFFF}'.repeat(128)
}

export type ListedEntry = {
  shard: number
  playerNo: number
  entryNo: number
  kind: EntryKind
  amount: number
  balanceAfter: number
  key: string
  reason: string | null
  origin: string | null
  createdAt: Date
  /** The ids of the campaign, and of the one that the purse was made for. */
  campaign: string
  purse: string
  expiresAt: Date | null
  /** Each number of a lot is followed by how many spins were taken from it. */
  lots: number[] | null
  campaignId: number
}

/**
 * A player's entries before the one numbered `before`, newest first: all, or those of a campaign. It reads at most
 * `rowsScannedMax` entries. `next` is the number to continue before; undefined at the end.
 */
export async function listEntries(
  db: Queryable,
  player: { shard: number; playerNo: number },
  { before, limit, campaignId }: { before: number; limit: number; campaignId: number | null },
): Promise<{ entries: ListedEntry[]; next: number | undefined }> {
  const rows = [player.shard, player.playerNo, before]
  const found = await db.query(entries, [...rows, rowsScannedMax, limit, campaignId])
  if (found.length === limit) return { entries: found, next: found.at(-1)?.entryNo }
  if (campaignId === null) return { entries: found, next: undefined }
  const [last] = await db.query(lastEntryScanned, [...rows, rowsScannedMax - 1])
  return { entries: found, next: last?.entryNo }
}

/** The first entries of each of several players after their given number, for an export. */
export async function readEntriesAfter(
  db: Queryable,
  players: readonly { shard: number; playerNo: number; after: number }[],
  limitEach: number,
): Promise<ListedEntry[]> {
  const found = await db.query(entriesAfter, [
    players.map((player) => player.shard),
    players.map((player) => player.playerNo),
    players.map((player) => player.after),
    limitEach,
  ])
  if (db.isCluster !== true) return found
  const places = new Map(players.map(({ playerNo }, place) => [playerNo, place]))
  return found.toSorted((one, other) => Number(places.get(one.playerNo)) - Number(places.get(other.playerNo)))
}

const playerColumns = (now: string) => `
  players.shard,
  players.player_no as "playerNo",
  players.player_id as "playerId",
  ${usableBalance({ purse: '0', balance: 'players.balance' }, `${now}::timestamptz`)} as balance,
  players.play_count as "playCount",
  players.created_at as "createdAt",
  players.blocked_at as "blockedAt",
  players.erased_at as "erasedAt"`

// The primary key starts with the shard, so one lookup in each of the 64 finds the next players in id order. An index
// by merchant and id would save milliseconds here, and cost a page write for every new player.
const list = statement<ListedPlayer>(
  `
select own.*
from unnest($2::int[]) as wanted (shard)
cross join lateral (
  select ${playerColumns('$7')}
  from players
  where players.shard = wanted.shard
  and players.merchant_id = $1
  and players.player_id >= $3
  and players.player_id <= $4
  and players.player_id > $5
  order by players.player_id
  limit $6
) as own
order by own."playerId"
limit $6`,
  [2, 2],
)

// Only the index is read. An index of all parts of ids would cost every new player, and would keep erased ids for a
// while.
const scan = statement<{ hits: string[]; last: string; count: number }>(
  `
select own.*
from unnest($2::int[]) as wanted (shard)
cross join lateral (
  select
    coalesce(
      (array_agg(player_id) filter (where position(lower($4::text collate "C") in lower(player_id)) > 0))[1:$5],
      '{}'
    ) as hits,
    max(player_id) as last,
    count(*)::int as count
  from (
    select player_id
    from players
    where players.shard = wanted.shard
    and players.merchant_id = $1
    and players.player_id > $3
    order by players.player_id
    limit $6
  ) as stretch
) as own
where own.count > 0`,
  [2, 2],
)

const byId = statement<ListedPlayer>(`
select ${playerColumns('$4')}
from unnest($2::int[], $3::text[]) with ordinality as wanted (shard, player_id, place)
join players
  on players.shard = wanted.shard
  and players.merchant_id = $1
  and players.player_id = wanted.player_id
order by wanted.place`)

const listBlocked = statement<ListedPlayer>(`
select ${playerColumns('$6')}
from players
where merchant_id = $1
and blocked_at is not null
and player_id >= $2
and player_id <= $3
and player_id > $4
order by player_id
limit $5`)

const ofShard = statement<ListedPlayer>(`
select ${playerColumns('$5')}
from players
where shard = $1
and merchant_id = $2
and player_id > $3
order by player_id
limit $4`)

// The key of a play is shown as its id. The entry itself has the play's number, except for those of earlier versions.
const entryColumns = `
  ledger_entries.shard,
  ledger_entries.player_no as "playerNo",
  ledger_entries.entry_no as "entryNo",
  ledger_entries.kind,
  ledger_entries.amount,
  ledger_entries.balance_after as "balanceAfter",
  case
    when ledger_entries.key_hash is null then (
      select play_id::text
      from plays
      where plays.shard = ledger_entries.shard
      and plays.player_no = ledger_entries.player_no
      and plays.play_no = ledger_entries.key::int
    )
    else ledger_entries.key
  end as key,
  ledger_entries.reason,
  ledger_entries.origin,
  ledger_entries.created_at as "createdAt",
  ${numberIn('ledger_entries.campaign_id')} as "campaignId",
  ${slugOf('ledger_entries.campaign_id')} as campaign,
  ${slugOf('ledger_entries.purse_id')} as purse,
  ledger_entries.expires_at as "expiresAt",
  ledger_entries.lots`

const entriesBefore = `
  from ledger_entries
  where shard = $1
  and player_no = $2
  and entry_no < $3
  order by entry_no desc`

const entries = statement<ListedEntry>(
  `
select ${entryColumns}
from (
  select *
  ${entriesBefore}
  limit $4
) as ledger_entries
where ($6::int is null or ${numberIn('ledger_entries.campaign_id')} = $6)
order by entry_no desc
limit $5`,
  [1, 2],
)

const lastEntryScanned = statement<{ entryNo: number }>(`
select entry_no as "entryNo"
${entriesBefore}
offset $4
limit 1`)

const entriesAfter = statement<ListedEntry>(
  `
select own.*
from unnest($1::int[], $2::bigint[], $3::int[]) with ordinality as wanted (shard, player_no, entry_no, place)
cross join lateral (
  select ${entryColumns}
  from ledger_entries
  where ledger_entries.shard = wanted.shard
  and ledger_entries.player_no = wanted.player_no
  and ledger_entries.entry_no > wanted.entry_no
  order by ledger_entries.entry_no
  limit $4
) as own
order by wanted.place, own."entryNo"`,
  [1, 3],
)
