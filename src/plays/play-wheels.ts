import type { Database } from '../db/database.ts'
import { carryOut } from '../orders/carry-out.ts'
import { playAtOnce } from './play-at-once.ts'
import type { PlayMemory } from './play-memory.ts'
import { playOnShards } from './play-on-shards.ts'
import { playInTransaction } from './play-transaction.ts'
import type { PlayOrder, PlayResult, PlayState, PlayVerdict } from './play-types.ts'

/**
 * Carries out plays, in one statement or in one transaction, with a verdict for each in the order given. A play spends
 * a spin, draws the outcome, and takes stock and code, all or nothing. The same play id always gives the same play.
 */
export async function playWheels(
  db: Database,
  orders: readonly PlayOrder[],
  state: PlayState,
  memory?: PlayMemory,
): Promise<PlayVerdict[]> {
  const verdicts = await carryOut<PlayOrder, PlayVerdict, PlayResult>(db, orders, {
    foresee: () => memory?.foresee(orders, state) ?? [],
    atOnce: (foreseen) => tryAtOnce(db, foreseen, state),
    inTransaction: (left) => db.transaction((tx) => playInTransaction(tx, left, state, memory)),
  })
  for (const [index, order] of orders.entries())
    memory?.rememberVerdict(order, verdicts[index] as PlayVerdict)
  return verdicts
}

async function tryAtOnce(
  db: Database,
  results: readonly PlayResult[],
  { now, pipeline }: PlayState,
): Promise<[PlayOrder, PlayVerdict][]> {
  if (pipeline !== undefined) pipeline.isOpen = !db.isCluster
  const balances = db.isCluster
    ? await playOnShards(db, results, now)
    : await db.session((connection) => playAtOnce(connection, results, now), pipeline)
  return results.flatMap(({ drawnPlay, play, left }, index): [PlayOrder, PlayVerdict][] => {
    const balance = balances[index]
    if (balance === undefined) return []
    const { order, proof, player } = drawnPlay
    return [[order, { outcome: 'played', play, proof, player: { ...player, balance }, left }]]
  })
}
