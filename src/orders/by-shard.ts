import { allInOrder } from '../db/database.ts'

/**
 * Runs work that takes orders of one shard, on a cluster, for one shard after another in the order of locks; otherwise
 * for all of them together. The results are in the order given.
 */
export async function byShard<Item, Result>(
  db: { isCluster: boolean },
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result[]>,
  shardOf: (item: Item) => number,
): Promise<Result[]> {
  if (!db.isCluster) return work(items)
  const results = new Map<Item, Result>()
  const groups = [...Map.groupBy(items, shardOf)].toSorted(([one], [other]) => one - other)
  await allInOrder(
    groups.map(async ([, group]) => {
      for (const [index, result] of (await work(group)).entries()) results.set(group[index] as Item, result)
    }),
  )
  return items.map((item) => results.get(item) as Result)
}
