import { type Database, type Queryable, statement } from '../db/database.ts'
import { insertPlayers, keyHash } from './ledger.ts'
import { shardOf } from './shard.ts'

/** A player as anybody may read it, without a lock. */
export type Player = {
  shard: number
  playerNo: number
  playCount: number
  playerId: string
  balance: number
  blockedAt: Date | null
  linksValidFrom: Date | null
  createdAt: Date
  /** Whether a game link has brought its one-time spins. */
  hadInitialGrant: boolean
}

type PlayerName = { merchantId: number; playerId: string }

export async function findPlayer(db: Queryable, player: PlayerName): Promise<Player | undefined> {
  const initial = keyHash({ ...player, kind: 'initial', key: 'initial' })
  const [found] = await db.query(find, [shardOf(player), player.merchantId, player.playerId, initial])
  return found
}

/** Finds a player, or creates it without any spins. */
export async function findOrCreatePlayer(db: Database, player: PlayerName, now: Date): Promise<Player> {
  const found = await findPlayer(db, player)
  if (found !== undefined) return found
  await insertPlayers(db, [{ ...player, shard: shardOf(player) }], now)
  const created = await findPlayer(db, player)
  if (created === undefined) throw new Error('a player that was just created is not there')
  return created
}

export async function setBlock(db: Queryable, player: PlayerName, blockedAt: Date | null): Promise<boolean> {
  const rows = await db.query(updateBlock, [shardOf(player), player.merchantId, player.playerId, blockedAt])
  return rows.length === 1
}

export async function revokeLinksOfPlayer(db: Queryable, player: PlayerName, before: Date): Promise<boolean> {
  const rows = await db.query(updateLinksValidFrom, [
    shardOf(player),
    player.merchantId,
    player.playerId,
    before,
  ])
  return rows.length === 1
}

const find = statement<Player>(`
select
  shard,
  player_no as "playerNo",
  player_id as "playerId",
  balance,
  play_count as "playCount",
  blocked_at as "blockedAt",
  links_valid_from as "linksValidFrom",
  created_at as "createdAt",
  exists (
    select from ledger_entries
    where ledger_entries.shard = $1
    and key_hash = $4
  ) as "hadInitialGrant"
from players
where shard = $1
and merchant_id = $2
and player_id = $3`)

const updateBlock = statement<{ playerId: string }>(`
update players
set blocked_at = $4
where shard = $1
and merchant_id = $2
and player_id = $3
returning player_id as "playerId"`)

const updateLinksValidFrom = statement<{ playerId: string }>(`
update players
set links_valid_from = greatest(links_valid_from, $4)
where shard = $1
and merchant_id = $2
and player_id = $3
returning player_id as "playerId"`)
