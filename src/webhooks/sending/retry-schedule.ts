import {
  webhookProbePauseSecondsMax,
  webhookProbePauseSecondsMin,
  webhookRetryAfterSecondsMax,
  webhookRetryJitter,
} from '../../limits.ts'

/**
 * The pause after the given number of failed attempts, or undefined if none is left. `chance` in [0, 1) spreads the
 * retries, so that deliveries that failed together are not retried together.
 */
export function retryPauseMs(
  pausesSeconds: readonly number[],
  triesDone: number,
  chance: number,
): number | undefined {
  const seconds = pausesSeconds[triesDone - 1]
  return seconds === undefined ? undefined : seconds * 1000 * jitter(chance)
}

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
  return seconds * 1000 * jitter(chance)
}

function jitter(chance: number): number {
  return 1 - webhookRetryJitter + 2 * webhookRetryJitter * chance
}
