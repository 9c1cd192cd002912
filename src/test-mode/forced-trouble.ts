import { setTimeout as sleep } from 'node:timers/promises'
import { forcedErrorsRememberedMin, forcedSlowMs } from '../limits.ts'
import { forcePrefix } from '../plays/forced-outcomes.ts'
import { RecentMap } from '../recent-map.ts'
import { overloaded } from '../refusals.ts'
import { type Clocked, isTest } from '../test-clock.ts'

/** Requests that have failed once already, in this process. */
const failed = new RecentMap<string, true>(forcedErrorsRememberedMin)

/** Delays a request, or refuses it once, if the id of a test merchant's player asks for that. */
export async function meetTrouble(
  merchant: Clocked & { merchantId: number },
  playerId: string,
  operation: string,
): Promise<void> {
  if (!isTest(merchant)) return
  if (playerId.startsWith(`${forcePrefix}slow-`)) await sleep(forcedSlowMs)
  if (!playerId.startsWith(`${forcePrefix}error-once-`)) return
  const name = `${merchant.merchantId}:${playerId}:${operation}`
  if (failed.get(name) === true) return
  failed.set(name, true)
  throw overloaded('requests')
}
