import { type Queryable, statement } from '../db/database.ts'
import { usableBalance } from './lot-rows.ts'
import { shardOf } from './shard.ts'

/** A player, read without a lock. */
export type Player = {
  shard: number
  playerNo: number
  playCount: number
  playerId: string
  /** Without spins that have expired. */
  balance: number
  /** The earliest expiry of its spins, over all campaigns; null if none expires. */
  nextExpiry: Date | null
  blockedAt: Date | null
  linksValidFrom: Date | null
  /** Since this time the id is a pseudonym. */
  erasedAt: Date | null
  createdAt: Date
}

type PlayerName = { merchantId: number; playerId: string }

export async function findPlayer(db: Queryable, player: PlayerName, now: Date): Promise<Player | undefined> {
  const [found] = await db.query(find, [shardOf(player), player.merchantId, player.playerId, now])
  return found
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

/** Replaces a player's id by a pseudonym of the same shard. */
export async function renamePlayer(
  tx: Queryable,
  player: PlayerName & { shard: number },
  pseudonym: string,
  now: Date,
): Promise<void> {
  await tx.query(updateName, [player.shard, player.merchantId, player.playerId, pseudonym, now])
}

const find = statement<Player>(`
select
  shard,
  player_no as "playerNo",
  player_id as "playerId",
  ${usableBalance({ purse: '0', balance: 'balance' }, '$4::timestamptz')} as balance,
  next_expiry as "nextExpiry",
  play_count as "playCount",
  blocked_at as "blockedAt",
  links_valid_from as "linksValidFrom",
  erased_at as "erasedAt",
  created_at as "createdAt"
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

const updateName = statement(`
update players
set
  player_id = $4,
  erased_at = $5,
  blocked_at = coalesce(blocked_at, $5),
  links_valid_from = greatest(links_valid_from, $5)
where shard = $1
and merchant_id = $2
and player_id = $3`)
