import type { CurrentWheel } from '../wheels/published-wheels.ts'
import { type Clocked, isTest } from '../test-clock.ts'

/** The outcome that the id of a test merchant's player asks for: a segment, an empty stock, or nothing that exists. */
export type ForcedOutcome = { segment: number } | 'out_of_stock' | 'unknown'

type Wish = Clocked & { playerId: string; wheel: Pick<CurrentWheel, 'document'> }

/**
 * Undefined if chance decides: for every live merchant, and for other ids. Card numbers of payment sandboxes work in
 * the same way: the two merchant operations need no new field.
 */
export function forcedOutcome(order: Wish): ForcedOutcome | undefined {
  const { playerId, wheel } = order
  if (!isTest(order) || !playerId.startsWith(forcePrefix)) return undefined
  const wish = playerId.slice(forcePrefix.length)
  const segments = wheel.document.segments.map(({ id }, segment) => ({ id, segment }))
  const exact = segments.find(({ id }) => id === wish)
  if (exact !== undefined) return { segment: exact.segment }
  if (troubles.some((trouble) => wish.startsWith(`${trouble}-`))) return undefined
  if (wish.startsWith('out-of-stock-')) return 'out_of_stock'
  // Of two ids that fit, such as `mug` and `mug-blue`, the longer one is meant.
  const [longest] = segments
    .filter(({ id }) => wish.startsWith(`${id}-`))
    .toSorted((one, other) => other.id.length - one.id.length)
  return longest === undefined ? 'unknown' : { segment: longest.segment }
}

export const forcePrefix = 'force-'

/** What can happen to a request, whatever it plays. */
const troubles = ['slow', 'error-once']
