import { type Queryable, statement } from '../db/database.ts'
import { shardValues } from '../players/shard.ts'
import type { Seal } from './seal-hash.ts'

/** A position in the order in which players are scanned. */
export type Place = { shard: number; merchantId: number; playerId: string }

/** The part of a merchant between two positions, with the number of its future seal. */
type SealedPart = Pick<Seal, 'merchantId' | 'sealNo' | 'entries' | 'plays' | 'partsSha256'>

/** The position `players` further on; undefined if fewer are left. On a cluster, a step never crosses a shard. */
export async function readPlace(tx: Queryable, from: Place, players: number): Promise<Place | undefined> {
  if (tx.isCluster !== true) {
    const [place] = await tx.query(readPlaceAfter, [...placeColumns(from), players - 1])
    return place
  }
  const after = from.merchantId === endsAt ? startOfNext(from.shard) : from
  if (after === undefined) return undefined
  const [place] = await tx.query(readPlaceInShard, [...placeColumns(after), players - 1])
  return place ?? endOf(after.shard)
}

const endsAt = 2 ** 31 - 1

/** The position after all players of the shard. */
function endOf(shard: number): Place {
  return { shard, merchantId: endsAt, playerId: '' }
}

/** Before all players. */
export const firstPosition = endOf(-1)

function startOfNext(shard: number): Place | undefined {
  const next = shardValues.filter((one) => one > shard)
  return next.length === 0 ? undefined : { shard: Math.min(...next), merchantId: 0, playerId: '' }
}

/** Writes parts for all players after `from`, up to `to` or to the end, that have unsealed entries or plays. */
export async function insertSealParts(
  tx: Queryable,
  from: Place,
  to: Place | undefined,
): Promise<SealedPart[]> {
  // On a cluster, no next position means that all shards are done.
  if (tx.isCluster === true && to === undefined) return []
  return tx.query(insertParts, [...placeColumns(from), ...placeColumns(to ?? endOf(2 ** 31 - 1))])
}

export async function insertSeals(tx: Queryable, seals: readonly Seal[]): Promise<void> {
  await tx.query(insert, [
    seals.map((seal) => seal.merchantId),
    seals.map((seal) => seal.sealNo),
    seals.map((seal) => seal.sealedAt),
    seals.map((seal) => seal.entries),
    seals.map((seal) => seal.plays),
    seals.map((seal) => Buffer.from(seal.partsSha256, 'hex')),
    seals.map((seal) => seal.keyId),
    seals.map((seal) => Buffer.from(seal.hash, 'hex')),
  ])
}

/** The newest seals of these merchants, or of all. */
export async function readNewestSeals(db: Queryable, merchantIds?: readonly number[]): Promise<Seal[]> {
  return db.query(readNewest, [merchantIds ?? null])
}

/** A merchant's seals, newest first. */
export async function readSealsBefore(
  db: Queryable,
  merchantId: number,
  { before, limit }: { before: number; limit: number },
): Promise<Seal[]> {
  return db.query(readBefore, [merchantId, before, limit])
}

/** All seals in the order of their chains, after the given one. */
export async function readSealsAfter(
  db: Queryable,
  after: Pick<Seal, 'merchantId' | 'sealNo'>,
  limit: number,
): Promise<Seal[]> {
  return db.query(readAfter, [after.merchantId, after.sealNo, limit])
}

/** A merchant's seals with these numbers, both ends included. */
export async function readSealsBetween(
  db: Queryable,
  range: { merchantId: number; firstSealNo: number; lastSealNo: number },
): Promise<Seal[]> {
  return db.query(readBetween, [range.merchantId, range.firstSealNo, range.lastSealNo])
}

function placeColumns({ shard, merchantId, playerId }: Place): [number, number, string] {
  return [shard, merchantId, playerId]
}

/**
 * The SHA-256 of a player's entries and plays within the bounds that the columns of `part` name. A row's bytes are
 * those of PostgreSQL's binary protocol: every field with its type and length, so different rows have different
 * bytes. Rows of other campaigns than `main` or of spins that expire, and plays that met gates, begin with the number
 * of their format. Other rows have the bytes that they always had, so that old seals hold. Archived rows are in other
 * tables, under the same names.
 */
export function digestOf(part: string, rows = { entries: 'ledger_entries', plays: 'plays' }): string {
  return `
select
  sha256(record_send(row(entered.bytes, played.bytes))) as digest,
  entered.count as entries,
  played.count as "plays"
from (
  select
    count(*),
    coalesce(string_agg(
      case
        when expires_at is not null or lots is not null then record_send(row(
          4, merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at, origin,
          purse_id, campaign_id, expires_at, lots
        ))
        when campaign_id is not null or purse_id is not null then record_send(row(
          2, merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at, origin,
          purse_id, campaign_id
        ))
        when origin is null then record_send(row(
          merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at
        ))
        else record_send(row(
          merchant_id, player_no, entry_no, kind, amount, balance_after, key_hash, key, reason, created_at, origin
        ))
      end, '' order by entry_no
    ), '') as bytes
  from ${rows.entries}
  where ledger_entries.shard = ${part}.shard
  and ledger_entries.player_no = ${part}.player_no
  and ledger_entries.entry_no > ${part}.entry_from
  and ledger_entries.entry_no <= ${part}.entry_to
) as entered
cross join (
  select
    count(*),
    coalesce(string_agg(
      case
        when gates is not null then record_send(row(
          3, merchant_id, player_no, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment,
          won, fallback_reason, code, claim_before, created_at, campaign_id, gates
        ))
        when campaign_id is not null then record_send(row(
          2, merchant_id, player_no, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment,
          won, fallback_reason, code, claim_before, created_at, campaign_id
        ))
        else record_send(row(
          merchant_id, player_no, play_no, play_id, player_seed, seed_key_id, wheel_id, wheel_version, drawn, segment, won,
          fallback_reason, code, claim_before, created_at
        ))
      end, '' order by play_no
    ), '') as bytes
  from ${rows.plays}
  where plays.shard = ${part}.shard
  and plays.player_no = ${part}.player_no
  and plays.play_no > ${part}.play_from
  and plays.play_no <= ${part}.play_to
) as played`
}

/** The summary of its parts in a seal. */
export const partsHash = `
sha256(string_agg(record_send(row(shard, player_no, entry_to, play_to, digest)), '' order by shard, player_no))`

const sealColumns = `
  merchant_id as "merchantId",
  seal_no as "sealNo",
  sealed_at as "sealedAt",
  entries,
  plays,
  encode(parts_sha256, 'hex') as "partsSha256",
  key_id as "keyId",
  encode(hash, 'hex') as hash`

const readPlaceAfter = statement<Place>(`
select shard, merchant_id as "merchantId", player_id as "playerId"
from players
where (shard, merchant_id, player_id) > ($1::int, $2::int, $3::text)
order by shard, merchant_id, player_id
offset $4
limit 1`)

const readPlaceInShard = statement<Place>(
  `
select shard, merchant_id as "merchantId", player_id as "playerId"
from players
where shard = $1::int
and (merchant_id, player_id) > ($2::int, $3::text)
order by merchant_id, player_id
offset $4
limit 1`,
  [1, 3],
)

// Quoted, `plays` is a column: on a cluster the name of a table is replaced by that of its shard.
// One statement, hence one snapshot: a player's counts match its rows. The hashes are computed in the database;
// sending the rows to the program costs ten times as much.
const insertParts = statement<SealedPart>(
  `
with unsealed as materialized (
  select
    players.shard,
    players.merchant_id,
    players.player_no,
    coalesce(sealed.entry_no, archived.entry_no, 0) as entry_from,
    entry_count as entry_to,
    coalesce(sealed.play_no, archived.play_no, 0) as play_from,
    play_count as play_to
  from players
  left join lateral (
    select entry_no, play_no
    from ledger_seal_parts
    where ledger_seal_parts.shard = players.shard
    and ledger_seal_parts.player_no = players.player_no
    order by seal_no desc
    limit 1
  ) as sealed on true
  left join lateral (
    select entry_no, play_no
    from archived_players
    where players.archived_entry_no is not null
    and archived_players.shard = players.shard
    and archived_players.player_no = players.player_no
  ) as archived on true
  where (players.shard, players.merchant_id, players.player_id) > ($1::int, $2::int, $3::text)
  and (players.shard, players.merchant_id, players.player_id) <= ($4::int, $5::int, $6::text)
  and (
    entry_count > coalesce(sealed.entry_no, archived.entry_no, 0)
    or play_count > coalesce(sealed.play_no, archived.play_no, 0)
  )
), digested as materialized (
  select unsealed.*, found.digest, found.entries, found."plays"
  from unsealed
  cross join lateral (${digestOf('unsealed')}
  ) as found
), merchants_due as (
  select merchant_id, (
    select coalesce(max(seal_no), 0) + 1
    from ledger_seals
    where ledger_seals.merchant_id = due.merchant_id
  ) as seal_no
  from (select distinct merchant_id from digested) as due
), written as (
  insert into ledger_seal_parts (shard, player_no, merchant_id, seal_no, entry_no, play_no, digest)
  select shard, player_no, merchant_id, seal_no, entry_to, play_to, digest
  from digested
  join merchants_due using (merchant_id)
)
select
  merchant_id as "merchantId",
  seal_no as "sealNo",
  sum(entries)::bigint as entries,
  sum("plays")::bigint as "plays",
  encode(${partsHash}, 'hex') as "partsSha256"
from digested
join merchants_due using (merchant_id)
group by merchant_id, seal_no
order by merchant_id`,
  [4, 6],
)

const insert = statement(`
insert into ledger_seals (merchant_id, seal_no, sealed_at, entries, plays, parts_sha256, key_id, hash)
select *
from unnest(
  $1::int[], $2::int[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::bytea[]
)`)

const readNewest = statement<Seal>(`
select newest.*
from merchants
cross join lateral (
  select ${sealColumns}
  from ledger_seals
  where ledger_seals.merchant_id = merchants.merchant_id
  order by seal_no desc
  limit 1
) as newest
where $1::int[] is null
or merchants.merchant_id = any($1::int[])
order by merchants.merchant_id`)

const readBefore = statement<Seal>(`
select ${sealColumns}
from ledger_seals
where merchant_id = $1
and seal_no < $2
order by seal_no desc
limit $3`)

const readAfter = statement<Seal>(`
select ${sealColumns}
from ledger_seals
where (merchant_id, seal_no) > ($1::int, $2::int)
order by merchant_id, seal_no
limit $3`)

const readBetween = statement<Seal>(`
select ${sealColumns}
from ledger_seals
where merchant_id = $1
and seal_no between $2 and $3
order by seal_no`)
