import {
  webhookProbePauseSecondsMax,
  webhookProbePauseSecondsMin,
  webhookRetryAfterSecondsMax,
  webhookRetryJitter,
} from '../../limits.ts'
import { jitter } from '../../leases/retry-pause.ts'

/**
 * No retry is scheduled after this time. If one is, a clock had jumped ahead when it was scheduled. It counts as due;
 * otherwise it might wait for a month.
 */
export function latestTryAt(pausesSeconds: readonly number[], now: Date): Date {
  const seconds = Math.max(webhookRetryAfterSecondsMax, ...pausesSeconds) * (1 + webhookRetryJitter)
  return new Date(now.getTime() + seconds * 1000)
}

/** The pause before the next probe of a failing endpoint: twice as long each time, up to a maximum. */
export function probePauseMs(probesDone: number, chance: number): number {
  const seconds = Math.min(webhookProbePauseSecondsMin * 2 ** probesDone, webhookProbePauseSecondsMax)
  return seconds * 1000 * jitter(webhookRetryJitter, chance)
}
