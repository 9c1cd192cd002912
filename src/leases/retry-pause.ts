/**
 * The pause after the given number of failed attempts, or undefined if none is left. `chance` in [0, 1) spreads the
 * retries, so that what failed together is not retried together.
 */
export function retryPauseMs(
  pausesSeconds: readonly number[],
  { tries, spread, chance }: { tries: number; spread: number; chance: number },
): number | undefined {
  const seconds = pausesSeconds[tries - 1]
  return seconds === undefined ? undefined : seconds * 1000 * jitter(spread, chance)
}

/** A factor between 1 - `spread` and 1 + `spread`. */
export function jitter(spread: number, chance: number): number {
  return 1 - spread + 2 * spread * chance
}
