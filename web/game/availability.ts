/** What can be won now: the published chances, and the prizes that this player can't get at the moment. Pure. */
import { weightTotal } from '../../src/fairness/draw.ts'
import type { Play, Unavailable } from './api.ts'
import type { Wheel } from './published.ts'

export type Chance = { drawn: number; now: number; why: Unavailable | null }

/** The chance of each segment: to be drawn, and to be the result now, since the fallback replaces some. */
export function chancesNow(
  { segments, fallback }: Pick<Wheel, 'segments' | 'fallback'>,
  unavailable: readonly Unavailable[],
): Chance[] {
  const total = weightTotal(segments.map(({ weight }) => weight))
  const whyNot = (index: number) => unavailable.find(({ segment }) => segment === index) ?? null
  const lost = segments.reduce((sum, { weight }, index) => sum + (whyNot(index) === null ? 0 : weight), 0)
  return segments.map(({ weight }, index) => {
    const why = whyNot(index)
    const now = index === fallback ? weight + lost : why === null ? weight : 0
    return { drawn: weight / total, now: now / total, why }
  })
}

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
