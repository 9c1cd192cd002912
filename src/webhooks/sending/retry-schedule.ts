import {
  webhookProbePauseSecondsMax,
  webhookProbePauseSecondsMin,
  webhookRetryAfterSecondsMax,
  webhookRetryJitter,
} from '../../limits.ts'

/**
 * How long to wait after the given number of failed tries, or undefined when no try is left. `chance` in [0, 1) spreads
 * the tries, so that what failed at once does not come back at once.
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
 * Nothing is put off beyond this moment. What was nevertheless, was so by a clock that had jumped ahead: it is due, or it would
 * wait for a month.
 */
export function latestTryAt(pausesSeconds: readonly number[], now: Date): Date {
  const seconds = Math.max(webhookRetryAfterSecondsMax, ...pausesSeconds) * (1 + webhookRetryJitter)
  return new Date(now.getTime() + seconds * 1000)
}

/** How long an endpoint that keeps failing is left alone before the next probe: twice as long each time, up to a bound. */
export function probePauseMs(probesDone: number, chance: number): number {
  const seconds = Math.min(webhookProbePauseSecondsMin * 2 ** probesDone, webhookProbePauseSecondsMax)
  return seconds * 1000 * jitter(chance)
}

function jitter(chance: number): number {
  return 1 - webhookRetryJitter + 2 * webhookRetryJitter * chance
}
