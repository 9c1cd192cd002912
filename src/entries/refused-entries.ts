import type { Refusal } from '../refusals.ts'

/**
 * Ends a transaction of entries: some are refused, and nothing of these may be committed. The others are made without
 * them.
 */
export class RefusedEntries extends Error {
  readonly refusals: ReadonlyMap<object, Refusal>

  constructor(refusals: ReadonlyMap<object, Refusal>) {
    super('entries are refused')
    this.refusals = refusals
  }
}

/** Throws the refusals among these, if there are any, together. */
export function refuseSome(
  judged: readonly (readonly [order: object, refusal: Refusal | undefined])[],
): void {
  const refusals = new Map<object, Refusal>()
  for (const [order, refusal] of judged) if (refusal !== undefined) refusals.set(order, refusal)
  if (refusals.size > 0) throw new RefusedEntries(refusals)
}
