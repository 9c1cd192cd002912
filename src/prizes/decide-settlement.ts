import type { RefusalCode } from '../refusals.ts'
import type { Settlement } from './prize-settlements.ts'

/** A requested change to a prize that was won. */
export type SettlementAction = 'claim' | 'redeem' | 'cancel'

/**
 * ```
 *  won ──claim──► claimed ──redeem──► redeemed
 *   │ └───────────────────redeem────────▲
 *   │                │
 *   │              cancel──► cancelled
 *   ├─cancel───────────────────▲
 *   └─time is over─► expired
 * ```
 * Redeemed, cancelled and expired are final. The same key again is a repeat. Redeeming with another key is a second
 * attempt to get the same prize, and is refused.
 */
export function decideSettlement(
  action: SettlementAction,
  prize: { steps: readonly Settlement[]; claimBefore: Date | null },
  request: { key: string; now: Date },
): { outcome: 'settle' | 'repeat' } | { outcome: 'refused'; code: RefusalCode } {
  const claimed = prize.steps.find((step) => step.state === 'claimed')
  const final = prize.steps.find((step) => step.state !== 'claimed')
  if (final !== undefined) {
    const own = action === 'claim' ? claimed : final
    const isRepeat = own?.state === pastOf[action] && own.key === request.key
    return isRepeat ? { outcome: 'repeat' } : { outcome: 'refused', code: 'prize_settled' }
  }
  if (action === 'claim' && claimed !== undefined) return { outcome: 'repeat' }
  const isLate = claimed === undefined && prize.claimBefore !== null && prize.claimBefore <= request.now
  // Cancelling is allowed at any time.
  if (isLate && action !== 'cancel') return { outcome: 'refused', code: 'prize_expired' }
  return { outcome: 'settle' }
}

export const pastOf = { claim: 'claimed', redeem: 'redeemed', cancel: 'cancelled' } as const
