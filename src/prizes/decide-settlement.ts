import { otherThanBefore, type RefusalCode } from '../refusals.ts'
import { isFinal, type Settlement } from './prize-settlements.ts'

/** A requested change to a prize that was won. */
export type SettlementAction = 'claim' | 'redeem' | 'cancel' | 'reverse'

type Verdict = { outcome: 'settle' | 'repeat' } | { outcome: 'refused'; code: RefusalCode; detail?: string }
type Request = { key: string; now: Date; reversalHours: number; reason: string | null; returnsStock: boolean }

/**
 * ```
 *  won ──claim──► claimed ──redeem──► redeemed
 *   │               │  ▲                ▲  │
 *   │               │  └────reverse, for a while
 *   ├──────────────redeem───────────────┘
 *   │               └─cancel──► cancelled
 *   ├─cancel───────────────────▲
 *   └─time is over─► expired
 * ```
 * A held prize is none of these until staff release or refuse it (decide-hold.ts). Refused is final.
 *
 * Cancelled and expired are final; redeemed is final once the time to reverse it is over. The same key again is a
 * repeat, unless its redemption was taken back. Redeeming with another key is a second attempt to get the same prize,
 * and is refused. A reversed prize is claimed, so it does not expire.
 */
export function decideSettlement(
  action: SettlementAction,
  prize: { steps: readonly Settlement[]; claimBefore: Date | null; isHeld: boolean },
  request: Request,
): Verdict {
  const { steps, claimBefore } = prize
  if (prize.isHeld) return { outcome: 'refused', code: 'prize_held' }
  const earlier = steps.find((step) => actionOf(step) === action && step.key === request.key)
  if (earlier !== undefined) {
    if (isTakenBack(earlier, steps)) return { outcome: 'refused', code: 'redemption_reversed' }
    const difference = differenceTo(earlier, request)
    return difference === undefined
      ? { outcome: 'repeat' }
      : { outcome: 'refused', code: 'idempotency_key_reused', detail: otherThanBefore(difference) }
  }
  const last = steps.at(-1)
  if (action === 'reverse') return decideReversal(last, request)
  if (last !== undefined && isFinal(last))
    return { outcome: 'refused', code: last.state === 'expired' ? 'prize_expired' : 'prize_settled' }
  if (action === 'claim' && last !== undefined) return { outcome: 'repeat' }
  const isLate = last === undefined && claimBefore !== null && claimBefore <= request.now
  // Cancelling is allowed at any time.
  if (isLate && action !== 'cancel') return { outcome: 'refused', code: 'prize_expired' }
  return { outcome: 'settle' }
}

function decideReversal(last: Settlement | undefined, { now, reversalHours }: Request): Verdict {
  if (last?.state !== 'redeemed') return { outcome: 'refused', code: 'prize_not_redeemed' }
  const until = last.settledAt.getTime() + reversalHours * 3_600_000
  if (now.getTime() >= until) return { outcome: 'refused', code: 'redemption_final' }
  return { outcome: 'settle' }
}

/** A till that repeats such a redemption must not take its answer for a redemption. */
function isTakenBack({ state, step }: Settlement, steps: readonly Settlement[]): boolean {
  return state === 'redeemed' && steps.some((later) => later.step > step)
}

/** How a request differs from the step with the same key, as far as that can be seen: not every prize has a stock. */
function differenceTo({ reason, stockReturned }: Settlement, request: Request): string | undefined {
  if (reason !== request.reason) return 'another reason'
  return request.returnsStock || !stockReturned ? undefined : 'another `returnStock`'
}

function actionOf({ state, step }: Settlement): SettlementAction | 'expire' | 'refuse' {
  if (state === 'claimed') return step === 1 ? 'claim' : 'reverse'
  return ({ redeemed: 'redeem', cancelled: 'cancel', expired: 'expire', refused: 'refuse' } as const)[state]
}

/** The number of the next step: odd for the claim and for reversals, even for an end. */
export function nextStep(action: SettlementAction, steps: readonly Settlement[]): number {
  const last = steps.at(-1)
  if (last !== undefined) return last.step + 1
  return action === 'claim' ? 1 : 2
}

export const stateAfter = {
  claim: 'claimed',
  redeem: 'redeemed',
  cancel: 'cancelled',
  reverse: 'claimed',
} as const
