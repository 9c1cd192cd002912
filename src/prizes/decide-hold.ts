import type { PrizeHold } from '../plays/prize-holds.ts'
import type { RefusalReason } from '../prize-kinds/hold-rule.ts'
import type { RefusalCode } from '../refusals.ts'

/** What staff decide about a held prize. */
export type HoldDecision =
  | { decision: 'released'; reason: null }
  | { decision: 'refused'; reason: RefusalReason }

type Verdict = { outcome: 'decide' | 'repeat' } | { outcome: 'refused'; code: RefusalCode }

/**
 * ```
 *  held ──release──► won
 *    └───refuse────► refused
 * ```
 * The first decision counts. The same one again is a repeat. `reasonBefore`: that of a refusal.
 */
export function decideHold(
  { decision, reason }: HoldDecision,
  before: { hold: Pick<PrizeHold, 'decision'> | undefined; reasonBefore: string | null },
): Verdict {
  const { hold, reasonBefore } = before
  if (hold?.decision === null) return { outcome: 'decide' }
  const isSame = hold?.decision === decision && reasonBefore === reason
  return isSame ? { outcome: 'repeat' } : { outcome: 'refused', code: 'prize_not_held' }
}
