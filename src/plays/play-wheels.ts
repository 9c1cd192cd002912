import assert from 'node:assert/strict'
import { type Database, untilDone } from '../db/database.ts'
import { Refusal } from '../refusals.ts'
import { playAtOnce } from './play-at-once.ts'
import type { PlayMemory } from './play-memory.ts'
import { playOnShards } from './play-on-shards.ts'
import { playInTransaction } from './play-transaction.ts'
import type { PlayOrder, PlayResult, PlayState, PlayVerdict } from './play-types.ts'

/**
 * Carries out plays, in one statement or in one transaction, with a verdict for each in the order given. A play spends a
 * spin, draws the outcome, and takes stock and code, all or nothing. The same play id always gives the same play.
 */
export async function playWheels(
  db: Database,
  orders: readonly PlayOrder[],
  state: PlayState,
  memory?: PlayMemory,
): Promise<PlayVerdict[]> {
  assert(orders.length > 0)
  const verdicts = new Map<PlayOrder, PlayVerdict>()
  const decide = (order: PlayOrder, verdict: PlayVerdict) => {
    verdicts.set(order, verdict)
    memory?.rememberVerdict(order, verdict)
  }
  // The lock order of several plays depends on the query plan.
  let foreseen = db.hasPinnedPlans || orders.length === 1 ? (memory?.foresee(orders, state) ?? []) : []
  const decided = untilDone(async () => {
    if (foreseen.length > 0) {
      const tried = foreseen
      // If the answer is lost, the transaction below finds what was done.
      foreseen = []
      for (const [order, verdict] of await tryAtOnce(db, tried, state)) decide(order, verdict)
    }
    const left = orders.filter((order) => !verdicts.has(order))
    if (left.length === 0) return
    const late = await db.transaction((tx) => playInTransaction(tx, left, state, memory))
    for (const [index, order] of left.entries()) decide(order, late[index] as PlayVerdict)
  })
  await decided.catch((error: unknown) => {
    // Plays that the statement carried out are done, whatever happened to the others.
    if (verdicts.size === 0 || !(error instanceof Refusal)) throw error
    for (const order of orders)
      if (!verdicts.has(order)) decide(order, { outcome: 'refused', code: error.code })
  })
  return orders.map((order) => verdicts.get(order) as PlayVerdict)
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
  return results.flatMap(({ turn, play, left }, index): [PlayOrder, PlayVerdict][] => {
    const balance = balances[index]
    if (balance === undefined) return []
    const { order, proof, player } = turn
    return [[order, { outcome: 'played', play, proof, player: { ...player, balance }, left }]]
  })
}
