import type { Database, Transaction } from '../db/database.ts'
import { byShard } from '../orders/by-shard.ts'
import { isLimited } from '../stock/prize-stocks.ts'
import {
  balancesOf,
  columnsOf,
  columnsOfStocks,
  countUnits,
  orNone,
  playUnlimited,
  stocksOf,
} from './play-at-once.ts'
import type { PlayResult } from './play-types.ts'

const shardOf = ({ play }: PlayResult) => play.shard

/**
 * `playAtOnce` on a cluster: one statement for each shard. If a prize has a stock, which is on the coordinator, all of
 * them are in one transaction.
 */
export async function playOnShards(
  db: Database,
  results: readonly PlayResult[],
  now: Date,
): Promise<(number | undefined)[]> {
  if (results.some(({ drawnPlay }) => isLimited(drawnPlay.segment)))
    return orNone(results, () => db.transaction((tx) => playWithStocks(db, tx, results, now)))
  return db.session((connection) =>
    byShard(
      db,
      results,
      (group) =>
        orNone(group, async () => {
          const [done] = await connection.commitOne(playUnlimited, [now, ...columnsOf(group, now)])
          return balancesOf(group, done)
        }),
      shardOf,
    ),
  )
}

async function playWithStocks(
  db: Database,
  tx: Transaction,
  results: readonly PlayResult[],
  now: Date,
): Promise<(number | undefined)[]> {
  const play = async (group: readonly PlayResult[]) => {
    const [done] = await tx.query(playUnlimited, [now, ...columnsOf(group, now)])
    return balancesOf(group, done)
  }
  const balances = await byShard(db, results, play, shardOf)
  const played = results.filter((_, index) => balances[index] !== undefined)
  const { all, placeOf } = stocksOf(played, now)
  const units = all.map((_, index) => placeOf.filter((place) => place === index + 1).length)
  await tx.commitWith([all.length > 0 ? tx.query(countUnits, [...columnsOfStocks(all), units]) : undefined])
  return balances
}
