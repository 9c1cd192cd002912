const firstPauseMs = 100
const pauseMaxMs = 10_000

/**
 * How long to wait after this many failures: exponential backoff with full jitter, so that callers that failed together
 * do not come back together. `Retry-After` is always kept.
 */
export function pauseAfter(failures: number, retryAfterSeconds: number, random = Math.random): number {
  const backoffMs = Math.min(pauseMaxMs, firstPauseMs * 2 ** Math.min(failures, 30))
  return retryAfterSeconds * 1000 + random() * backoffMs
}

/** Ends early, with the signal's reason, if the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
