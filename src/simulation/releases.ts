import { activeThrough, activeTime, isActive, type Span } from '../fairness/pace.ts'
import { budgetId } from '../pacing/check-paces.ts'
import { spansOf } from '../pacing/pace-spans.ts'
import type { WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'

/** Units of a paced prize, or cents of a budget, in a simulated run. Each secret moment is the middle of its part. */
export type Release = { units: number; spans: readonly Span[]; lastCallMs: number; given: number }

/** What the runs that the wheel carries on have given, by prize; the budget's in cents. */
export type GivenInRuns = ReadonlyMap<string, number>

export function releaseOfPace(
  wheel: WheelDocument,
  { id, pace }: WheelSegment,
  given: GivenInRuns = new Map(),
): Release | undefined {
  if (pace === undefined) return undefined
  const lastCallMs = (pace.lastCallSeconds ?? 0) * 1_000
  return { units: pace.units, spans: spansOf(wheel, pace), lastCallMs, given: given.get(id) ?? 0 }
}

export function releaseOfBudget(wheel: WheelDocument, given: GivenInRuns = new Map()): Release | undefined {
  if (wheel.budget === undefined) return undefined
  const units = centsOf(wheel.budget.amount)
  return { units, spans: spansOf(wheel, wheel.budget), lastCallMs: 0, given: given.get(budgetId) ?? 0 }
}

/** Whether this many units can be given at that time. Outside of its times, a run gives nothing. */
export function hasReleased({ units, spans, given }: Release, wanted: number, at: number): boolean {
  if (!isActive(spans, at)) return false
  return given + wanted <= Math.floor((units * activeThrough(spans, at)) / activeTime(spans) + 0.5)
}

export function isInLastCall({ spans, lastCallMs }: Release, at: number): boolean {
  return isActive(spans, at) && activeThrough(spans, at) > activeTime(spans) - lastCallMs
}

export function centsOf(amount: number): number {
  return Math.round(amount * 100)
}
