import { allInOrder, type Database, type Transaction } from '../db/database.ts'
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

/**
 * `playAtOnce` on a cluster: one statement for each shard. If a prize has a stock, which is on the coordinator, all of them
 * are in one transaction.
 */
export async function playOnShards(
  db: Database,
  results: readonly PlayResult[],
  now: Date,
): Promise<(number | undefined)[]> {
  // In the order of locks.
  const byShard = [...Map.groupBy(results, ({ play }) => play.shard)].toSorted(
    ([one], [other]) => one - other,
  )
  const groups = byShard.map(([, group]) => group)
  const hasStock = results.some(({ turn }) => isLimited(turn.segment))
  const balances = hasStock
    ? await orNone(results, () => db.transaction((tx) => playWithStocks(tx, groups, now)))
    : await playEach(db, groups, now)
  const inOrder = new Map(groups.flat().map((result, index) => [result, balances[index]]))
  return results.map((result) => inOrder.get(result))
}

/** Each group in a transaction of its own. */
async function playEach(
  db: Database,
  groups: readonly PlayResult[][],
  now: Date,
): Promise<(number | undefined)[]> {
  const balances = await db.session((connection) =>
    allInOrder(
      groups.map((group) =>
        orNone(group, async () => {
          const [done] = await connection.commitOne(playUnlimited, [now, ...columnsOf(group, now)])
          return balancesOf(group, done)
        }),
      ),
    ),
  )
  return balances.flat()
}

async function playWithStocks(
  tx: Transaction,
  groups: readonly PlayResult[][],
  now: Date,
): Promise<(number | undefined)[]> {
  const done = await allInOrder(
    groups.map((group) => tx.query(playUnlimited, [now, ...columnsOf(group, now)])),
  )
  const balances = groups.flatMap((group, index) => balancesOf(group, done[index]?.[0]))
  const played = groups.flat().filter((_, index) => balances[index] !== undefined)
  const { all, placeOf } = stocksOf(played, now)
  const units = all.map((_, index) => placeOf.filter((place) => place === index + 1).length)
  await tx.commitWith([all.length > 0 ? tx.query(countUnits, [...columnsOfStocks(all), units]) : undefined])
  return balances
}
