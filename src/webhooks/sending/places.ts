import {
  webhooksClaimedMax,
  webhooksHeldMax,
  webhooksServedMax,
  webhooksServedPerMerchantMax,
  webhooksSlowMax,
  webhookTurnMs,
} from '../../limits.ts'
import type { FreePlaces, WaitingWebhooks } from '../webhook-cursors.ts'

/**
 * A webhook that is served by this process. Slow receivers have places of their own: they need a place for long and little
 * else, and would fill all the places that others need for a moment. `since` is a time of `performance.now()`.
 */
export type Place = {
  webhookNo: number
  merchantId: number
  isSlow: boolean
  /** It begins nothing new, or only finishes its batch. */
  isLeaving: boolean
  since: number
}

/** How many webhooks may be claimed now: a few at a time, so that other processes get theirs. */
export function freePlaces(places: readonly Place[]): FreePlaces {
  const heldMax = Math.min(webhooksClaimedMax, webhooksHeldMax - places.length)
  const free = (max: number, isSlow: boolean) => Math.max(0, Math.min(heldMax, max - countOf(places, isSlow)))
  return {
    quick: free(webhooksServedMax, false),
    slow: free(webhooksSlowMax, true),
    perMerchant: webhooksServedPerMerchantMax,
  }
}

/** A slow webhook that is leaving waits for its last answers only, and is in nobody's way. */
function countOf(places: readonly Place[], isSlow: boolean): number {
  return places.filter((place) => place.isSlow === isSlow && !(isSlow && place.isLeaving)).length
}

/** Which webhooks have to leave their places, so that those that wait get one. */
export function turnsToEnd(
  places: readonly Place[],
  waiting: readonly WaitingWebhooks[],
  now: number,
): number[] {
  const staying = places.filter((place) => !place.isLeaving)
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
 * A merchant that has all the places that it may have makes room for its own webhooks; for the others, the merchants with
 * the most places do. There may also be more than there are places, when many turned out to be slow at once.
 */
function turnsOfKind(
  places: readonly Place[],
  { waiting, max, now }: { waiting: readonly WaitingWebhooks[]; max: number; now: number },
): number[] {
  const byMerchant = Map.groupBy(places, ({ merchantId }) => merchantId)
  const sizeOf = ({ merchantId }: { merchantId: number }) => byMerchant.get(merchantId)?.length ?? 0
  const isFull = (one: { merchantId: number }) => sizeOf(one) >= webhooksServedPerMerchantMax
  const over = places
    .filter(({ since }) => now - since >= webhookTurnMs)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.since - b.since)
  const ended = waiting
    .filter(isFull)
    .flatMap((one) => over.filter(({ merchantId }) => merchantId === one.merchantId).slice(0, one.count))
  const others = waiting.filter((one) => !isFull(one)).reduce((sum, { count }) => sum + count, 0)
  const missing = Math.max(0, places.length - ended.length + others - max)
  const rest = over.filter((place) => !ended.includes(place))
  return [...ended, ...rest.slice(0, missing)].map(({ webhookNo }) => webhookNo)
}
