/** What can be won now: the published chances, and the prizes that this player can't get at the moment. Pure. */
import { isLastCall } from '../../../src/fairness/pace.ts'
import type { Play, Unavailable } from '../api.ts'
import type { Wheel } from './published.ts'
import { shareUnits } from './shares.ts'

/**
 * `bound`: whether `now` is the chance itself, its highest or its lowest value. Whether a prize that is released over
 * time is free at this moment is secret.
 */
export type Chance = {
  /** In units, as they are shown. */
  drawn: number
  now: number
  units: { decimals: number; whole: number }
  bound: 'exact' | 'upTo' | 'atLeast'
  why: Unavailable | null
}

/** The chance of each segment: to be drawn, and to be the result now, since the fallback replaces some. */
export function chancesNow(
  { segments, fallback }: Pick<Wheel, 'segments' | 'fallback'>,
  unavailable: readonly Unavailable[],
  at: number = Date.now(),
): Chance[] {
  const { parts, ...units } = shareUnits(segments.map(({ weight }) => weight))
  const all = segments.map((segment, index) => {
    const why = unavailable.find((one) => one.segment === index) ?? null
    const isGated = segment.isGated && why === null
    const isCalled = isGated && segment.pace !== null && isLastCall(segment.pace, at)
    return { weight: parts[index] ?? 0, why, isGated, isCalled }
  })
  const weightOf = (some: typeof all) => some.reduce((sum, { weight }) => sum + weight, 0)
  const gated = all.filter(({ isGated }) => isGated)
  const lost = weightOf(all.filter(({ why }) => why !== null))
  const ofFallback = parts[fallback] ?? 0
  const range = ({ weight, why, isGated, isCalled }: (typeof all)[number], index: number): Range => {
    if (index !== fallback && why !== null) return [0, 'exact']
    // In a last call, plays that draw the fallback get what is left.
    if (index !== fallback) return [weight + (isCalled ? ofFallback : 0), isGated ? 'upTo' : 'exact']
    if (gated.some((one) => one.isCalled)) return [weight + lost + weightOf(gated), 'upTo']
    return [weight + lost, gated.length > 0 ? 'atLeast' : 'exact']
  }
  return all.map((segment, index) => {
    const [now, bound] = range(segment, index)
    return { drawn: segment.weight, now, units, bound, why: segment.why }
  })
}

type Range = [weight: number, bound: Chance['bound']]

/** Whether the wheel has prizes, but none that this player can win now. */
export function isSoldOut(wheel: Wheel, unavailable: readonly Unavailable[]): boolean {
  const chances = chancesNow(wheel, unavailable)
  const prizes = chances.filter(({ drawn }, index) => drawn > 0 && wheel.segments[index]?.prize !== 'none')
  return prizes.length > 0 && prizes.every(({ now }) => now === 0)
}

/** When the first of these prizes can be won again, if that is known. */
export function firstReturn(unavailable: readonly Unavailable[]): string | null {
  return unavailable.flatMap(({ until }) => until ?? []).toSorted()[0] ?? null
}

/** A replaced prize shows that it can't be won any more. */
export function afterPlay(unavailable: readonly Unavailable[], play: Play): Unavailable[] {
  const { fallbackReason: reason, proof } = play
  // The next unit, or the next part of the budget, may be released at any moment.
  if (reason === null || reason === 'not_released' || reason === 'budget') return [...unavailable]
  if (unavailable.some(({ segment }) => segment === proof.drawn)) return [...unavailable]
  return [...unavailable, { segment: proof.drawn, reason, until: null }]
}
