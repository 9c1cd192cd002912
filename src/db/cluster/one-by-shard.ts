import { allInOrder } from '../all-in-order.ts'

/**
 * Runs work that takes items of one shard, on a cluster; otherwise all items at once. The results are in the order of the
 * items.
 */
export async function oneByShard<Item, Result>(
  db: { isCluster?: boolean },
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result[]>,
  shardOf: (item: Item) => number,
): Promise<Result[]> {
  if (db.isCluster !== true) return work(items)
  const results = new Map<Item, Result>()
  const groups = [...Map.groupBy(items, shardOf).values()]
  await allInOrder(
    groups.map(async (group) => {
      for (const [index, result] of (await work(group)).entries()) results.set(group[index] as Item, result)
    }),
  )
  return items.map((item) => results.get(item) as Result)
}
