import { webhookPollMs, webhookReadMax, webhookSlowPollMs, webhookSlowReadMax } from '../../limits.ts'

/** How much a sender does at once. */
export type Pace = {
  /** Events read ahead. */
  readMax: number
  /** Requests under way. */
  concurrency: number
  pollMs: number
}

/**
 * A slow receiver gets little at once. So does one that has taken nothing yet in this turn, as nobody knows how it is; it
 * gets more with everything that it takes.
 */
export function paceOf(sender: { isSlow: boolean; takenCount: number; concurrency: number }): Pace {
  const least = Math.ceil(sender.concurrency / 4)
  if (sender.isSlow) return { readMax: webhookSlowReadMax, concurrency: least, pollMs: webhookSlowPollMs }
  return {
    readMax: Math.min(webhookReadMax, Math.max(webhookSlowReadMax, 2 * sender.takenCount)),
    concurrency: Math.min(sender.concurrency, least + sender.takenCount),
    pollMs: webhookPollMs,
  }
}
