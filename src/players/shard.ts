import { hash } from 'node:crypto'

/**
 * The 64 values of `shard`, one for each of 64 hash shards of a distributed table (0 to 63 would fill only 39).
 * Permanent: every stored row of a player carries the value that this list and this function gave.
 */
// oxfmt-ignore
export const shardValues = [
  60, 8, 82, 1, 31, 88, 79, 24, 10, 92, 48, 109, 5, 112, 50, 166, 4, 7, 17, 172, 16, 96, 170, 85, 36, 89, 19, 0, 37, 45,
  101, 3, 113, 52, 62, 99, 136, 168, 46, 28, 6, 66, 70, 21, 83, 39, 43, 13, 2, 351, 27, 95, 58, 149, 41, 179, 9, 80, 59,
  22, 12, 11, 44, 18,
]

/** The shard of a player: by player and not by merchant, so that one large merchant can fill many machines. */
export function shardOf(player: { merchantId: number; playerId: string }): number {
  const digest = hash('sha256', `${player.merchantId}:${player.playerId}`)
  return shardValues[Number.parseInt(digest.slice(0, 2), 16) & 63] as number
}

/** The index of a shard in the list: 0 to 63. */
export function shardIndexOf(shard: number): number {
  return indexes[shard] as number
}

const indexes: number[] = []
for (const [index, shard] of shardValues.entries()) indexes[shard] = index
