import assert from 'node:assert/strict'
import { type Database, untilDone } from '../db/database.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'

type Refused = { outcome: 'refused'; code: RefusalCode }

/**
 * A kind of order, by the two ways in which its orders are carried out. Both are safe to repeat: an order that was
 * carried out although the answer was lost is found by its key, its play id or the ids of its events.
 */
type OrderKind<Order, Verdict, Foreseen = Order> = {
  /** Those orders that one statement can probably carry out. Called once, before anything else. */
  foresee?: (orders: readonly Order[]) => readonly Foreseen[]
  /** Tries them in one statement that is its own transaction. Verdicts on those that it has carried out. */
  atOnce?: (foreseen: readonly Foreseen[]) => Promise<Iterable<readonly [Order, Verdict]>>
  /** Divides the other orders by transactions. All are in one, if this is undefined. */
  divide?: (orders: readonly Order[]) => readonly (readonly Order[])[]
  /** Carries out any orders in a transaction, with a verdict for each in the order given. */
  inTransaction: (orders: readonly Order[]) => Promise<Verdict[]>
}

/**
 * Carries out orders of one kind, with a verdict for each in the order given: what can be done at once, then the rest
 * in a transaction. A refused order changes nothing and does not affect the others.
 */
export async function carryOut<Order, Verdict, Foreseen>(
  db: Pick<Database, 'hasPinnedPlans'>,
  orders: readonly Order[],
  { foresee, atOnce, divide, inTransaction }: OrderKind<Order, Verdict, Foreseen>,
): Promise<(Verdict | Refused)[]> {
  assert(orders.length > 0)
  const verdicts = new Map<Order, Verdict | Refused>()
  let foreseen = foresee?.(orders) ?? []
  // The lock order of several orders depends on the query plan.
  if (foreseen.length > 1 && !db.hasPinnedPlans) foreseen = []
  const decided = untilDone(async () => {
    if (atOnce !== undefined && foreseen.length > 0) {
      for (const [order, verdict] of await atOnce(foreseen)) verdicts.set(order, verdict)
      foreseen = []
    }
    const left = orders.filter((order) => !verdicts.has(order))
    if (left.length === 0) return
    for (const group of divide?.(left) ?? [left]) {
      const late = await inTransaction(group)
      for (const [index, order] of group.entries()) verdicts.set(order, late[index] as Verdict)
    }
  })
  await decided.catch((error: unknown) => {
    // What was carried out is done, whatever happened to the rest.
    if (verdicts.size === 0 || !(error instanceof Refusal)) throw error
    for (const order of orders)
      if (!verdicts.has(order)) verdicts.set(order, { outcome: 'refused', code: error.code })
  })
  return orders.map((order) => verdicts.get(order) as Verdict | Refused)
}
