import { webhookPollMs, webhookReadMax, webhookSlowPollMs, webhookSlowReadMax } from '../../limits.ts'

/** The limits of one sender at the moment. */
export type SenderLimits = {
  /** Events to read ahead. */
  readMax: number
  /** Requests in flight. */
  concurrency: number
  pollMs: number
}

/**
 * A slow receiver gets low limits. So does one that has accepted nothing yet in this turn, because its health is
 * unknown; its limits rise with every event that it accepts.
 */
export function senderLimits(sender: {
  isSlow: boolean
  takenCount: number
  concurrency: number
}): SenderLimits {
  const least = Math.ceil(sender.concurrency / 4)
  if (sender.isSlow) return { readMax: webhookSlowReadMax, concurrency: least, pollMs: webhookSlowPollMs }
  return {
    readMax: Math.min(webhookReadMax, Math.max(webhookSlowReadMax, 2 * sender.takenCount)),
    concurrency: Math.min(sender.concurrency, least + sender.takenCount),
    pollMs: webhookPollMs,
  }
}
