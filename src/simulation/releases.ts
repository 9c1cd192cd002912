import { activeThrough, activeTime, isActive, type Span } from '../fairness/pace.ts'
import { spansOf } from '../wheels/pace-spans.ts'
import type { WheelDocument, WheelSegment } from '../wheels/wheel-document.ts'

/** Units of a paced prize, or cents of a budget, in a simulated run. The secret moments are taken as evenly spread. */
export type Release = { units: number; spans: readonly Span[]; lastCallMs: number; given: number }

export function releaseOfPace(wheel: WheelDocument, { pace }: WheelSegment): Release | undefined {
  if (pace === undefined) return undefined
  const lastCallMs = (pace.lastCallSeconds ?? 0) * 1_000
  return { units: pace.units, spans: spansOf(wheel, pace), lastCallMs, given: 0 }
}

export function releaseOfBudget(wheel: WheelDocument): Release | undefined {
  if (wheel.budget === undefined) return undefined
  const units = centsOf(wheel.budget.amount)
  return { units, spans: spansOf(wheel, wheel.budget), lastCallMs: 0, given: 0 }
}

/** Whether so many units can be given at that time. */
export function hasReleased({ units, spans, given }: Release, wanted: number, at: number): boolean {
  return given + wanted <= Math.floor((units * activeThrough(spans, at)) / activeTime(spans))
}

export function isInLastCall({ spans, lastCallMs }: Release, at: number): boolean {
  return isActive(spans, at) && activeThrough(spans, at) > activeTime(spans) - lastCallMs
}

export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}
