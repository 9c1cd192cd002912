import {
  webhooksClaimedMax,
  webhooksHeldMax,
  webhooksServedMax,
  webhooksServedPerMerchantMax,
  webhooksSlowMax,
  webhookTurnMs,
} from '../../limits.ts'
import type { FreeSlots, WaitingWebhooks } from '../webhook-cursors.ts'

/**
 * A webhook that this process serves. Slow receivers have their own slots: they need one for a long time and little
 * else, and would otherwise occupy all the slots that others need only for a moment. `since` is a time of
 * `performance.now()`.
 */
export type Slot = {
  webhookNo: number
  merchantId: number
  isSlow: boolean
  /** It starts no new batch, or nothing at all. */
  isLeaving: boolean
  since: number
}

/** The number of webhooks that may be claimed now: a few at a time, so that other processes get their share. */
export function freeSlots(slots: readonly Slot[]): FreeSlots {
  const heldMax = Math.min(webhooksClaimedMax, webhooksHeldMax - slots.length)
  const free = (max: number, isSlow: boolean) => Math.max(0, Math.min(heldMax, max - countOf(slots, isSlow)))
  return {
    quick: free(webhooksServedMax, false),
    slow: free(webhooksSlowMax, true),
    perMerchant: webhooksServedPerMerchantMax,
  }
}

/** A slow webhook that is leaving only waits for its last answers, and does not count. */
function countOf(slots: readonly Slot[], isSlow: boolean): number {
  return slots.filter((slot) => slot.isSlow === isSlow && !(isSlow && slot.isLeaving)).length
}

/** The webhooks that must give up their slots to waiting ones. */
export function turnsToEnd(
  slots: readonly Slot[],
  waiting: readonly WaitingWebhooks[],
  now: number,
): number[] {
  const staying = slots.filter((slot) => !slot.isLeaving)
  return [false, true].flatMap((isSlow) =>
    turnsOfKind(staying.filter(isOfKind(isSlow)), {
      waiting: waiting.filter(isOfKind(isSlow)),
      max: isSlow ? webhooksSlowMax : webhooksServedMax,
      now,
    }),
  )
}

const isOfKind = (isSlow: boolean) => (one: { isSlow: boolean }) => one.isSlow === isSlow

/**
 * If a merchant has all the slots that it may have, its own webhooks make room for each other. For other merchants,
 * those with the most slots make room. There can also be more webhooks than slots, if many become slow at once.
 */
function turnsOfKind(
  slots: readonly Slot[],
  { waiting, max, now }: { waiting: readonly WaitingWebhooks[]; max: number; now: number },
): number[] {
  const byMerchant = Map.groupBy(slots, ({ merchantId }) => merchantId)
  const sizeOf = ({ merchantId }: { merchantId: number }) => byMerchant.get(merchantId)?.length ?? 0
  const isFull = (one: { merchantId: number }) => sizeOf(one) >= webhooksServedPerMerchantMax
  const over = slots
    .filter(({ since }) => now - since >= webhookTurnMs)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.since - b.since)
  const ended = waiting
    .filter(isFull)
    .flatMap((one) => over.filter(({ merchantId }) => merchantId === one.merchantId).slice(0, one.count))
  const others = waiting.filter((one) => !isFull(one)).reduce((sum, { count }) => sum + count, 0)
  const missing = Math.max(0, slots.length - ended.length + others - max)
  const rest = over.filter((slot) => !ended.includes(slot))
  return [...ended, ...rest.slice(0, missing)].map(({ webhookNo }) => webhookNo)
}
