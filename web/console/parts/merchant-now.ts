import type { ClockAnswer } from '../../../src/http/answers/test-mode.ts'
import { useMerchant, useRead } from '../session.tsx'

/** What time it is for the merchant of the view. A test merchant has a clock of its own. */
export function useMerchantNow(): number {
  const { live } = useMerchant()
  const clock = useRead<ClockAnswer>(['test-clock'], '/api/v1/test/clock', { enabled: !live })
  return clock.data === undefined ? Date.now() : Date.parse(clock.data.now)
}
