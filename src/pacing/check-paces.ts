import { activeTime, type Pace, type Span } from '../fairness/pace.ts'
import { paceDaysMax, spansPerWheelMax } from '../limits.ts'
import type { FieldError } from '../refusals.ts'
import { isNoMoment, isNotBefore, noMoment } from '../wheel-document/check-wheel.ts'
import { isSamePace, overlap, spansOf } from './pace-spans.ts'
import { centsOf } from '../wheel-document/published-text.ts'
import { isTimeZone } from '../wheel-document/schedule.ts'
import type { PaceSchedule, WheelDocument, WheelSegment } from '../wheel-document/wheel-document.ts'

/**
 * Every reason why the paces and the budget of a wheel can't be published. `earlier`: the paces of the last version,
 * by prize.
 */
export function checkPaces(
  wheel: WheelDocument,
  now: Date,
  earlier: ReadonlyMap<string, Pace>,
): FieldError[] {
  if (!hasPossibleFrame(wheel)) return []
  const paced = wheel.segments.flatMap((segment, index) =>
    segment.pace === undefined ? [] : [{ segment, pace: segment.pace, at: `/segments/${index}` }],
  )
  const errors = paced.flatMap(({ segment, pace, at }) => [
    ...checkLimits(segment).map((name) => ({
      pointer: `${at}/${name}`,
      detail: 'does not go with a pace, whose units and periods say the same',
    })),
    ...checkSchedule(wheel, {
      schedule: pace,
      units: pace.units,
      lastCallMs: 1000 * (pace.lastCallSeconds ?? 0),
      now,
      earlier: earlier.get(segment.id),
    }).map(({ pointer, detail }) => ({ pointer: `${at}/pace${pointer}`, detail })),
  ])
  if (errors.length > 0 || wheel.budget === undefined) return [...errors, ...tooManySpans(wheel, errors)]
  const budget = checkBudget(wheel, wheel.budget, now, earlier.get(budgetId))
  return [...budget, ...tooManySpans(wheel, budget)]
}

/** Whether a pace can be resolved into spans. A draft may have anything in its times. */
export function hasPossibleTimes(wheel: WheelDocument, schedule: PaceSchedule): boolean {
  return hasPossibleFrame(wheel) && checkPeriods(schedule).length === 0
}

/** Whether time zone and opening times exist; checkWheel reports those that don't. */
function hasPossibleFrame({ timeZone, opensAt, closesAt }: WheelDocument): boolean {
  return isTimeZone(timeZone) && !isNoMoment(opensAt) && !isNoMoment(closesAt)
}

/** Stands for the budget where a run is named by its prize. No prize has this id. */
export const budgetId = '*'

function checkLimits(segment: WheelSegment): string[] {
  return (['stock', 'stockPerDay', 'winnableFrom', 'winnableUntil'] as const).filter(
    (name) => segment[name] !== undefined,
  )
}

function checkBudget(
  wheel: WheelDocument,
  budget: NonNullable<WheelDocument['budget']>,
  now: Date,
  earlier: Pace | undefined,
): FieldError[] {
  const units = centsOf(budget.amount)
  const errors = checkSchedule(wheel, { schedule: budget, units, lastCallMs: 0, now, earlier })
  if (!isWholeCents(budget.amount)) errors.push({ pointer: '/amount', detail: 'has parts of a cent' })
  if (wheel.segments.every(({ cost = 0 }) => cost === 0))
    errors.push({ pointer: '', detail: 'needs a prize with a cost' })
  const costs = wheel.segments.flatMap(({ cost = 0 }, index): FieldError[] => {
    const pointer = `/segments/${index}/cost`
    if (!isWholeCents(cost)) return [{ pointer, detail: 'has parts of a cent, which a budget can’t count' }]
    return centsOf(cost) > units ? [{ pointer, detail: 'is more than the whole budget' }] : []
  })
  return [...errors.map(({ pointer, detail }) => ({ pointer: `/budget${pointer}`, detail })), ...costs]
}

function isWholeCents(amount: number): boolean {
  return Math.abs(amount * 100 - centsOf(amount)) < 1e-6
}

type ScheduleFacts = {
  schedule: PaceSchedule
  units: number
  lastCallMs: number
  now: Date
  earlier: Pace | undefined
}

/** A pace that carries its run on may have begun. */
function checkSchedule(wheel: WheelDocument, facts: ScheduleFacts): FieldError[] {
  const { schedule, units, lastCallMs, now, earlier } = facts
  const errors = checkPeriods(schedule)
  if (errors.length > 0) return errors
  const spans = spansOf(wheel, schedule)
  const [first] = spans
  if (first === undefined) return [{ pointer: '/periods', detail: 'have no time in which the wheel is open' }]
  const isNew = earlier === undefined || !isSamePace({ units, spans, lastCallMs }, earlier)
  if (isNew && first[0] < now.getTime())
    return [{ pointer: '/periods/0/from', detail: 'is in the past. Choose a later time.' }]
  const ms = activeTime(spans)
  const [pointer, name] = schedule === wheel.budget ? ['/amount', 'cents'] : ['/units', 'units']
  return units > ms ? [{ pointer, detail: `are ${units} ${name}, more than the ${ms} milliseconds` }] : []
}

function checkPeriods(schedule: PaceSchedule): FieldError[] {
  const { periods, hours } = schedule
  const errors = periods.flatMap(({ from, until }, index): FieldError[] => {
    const at = `/periods/${index}`
    if (isNoMoment(from)) return [{ pointer: `${at}/from`, detail: noMoment }]
    if (isNoMoment(until)) return [{ pointer: `${at}/until`, detail: noMoment }]
    if (isNotBefore(from, until))
      return [{ pointer: `${at}/until`, detail: 'must be later than the beginning' }]
    const days = (Date.parse(until) - Date.parse(from)) / 86_400_000
    return days > paceDaysMax ? [{ pointer: at, detail: `is longer than ${paceDaysMax} days` }] : []
  })
  if (hours !== undefined && hours.from >= hours.to)
    errors.push({ pointer: '/hours/to', detail: 'must be later than the beginning' })
  if (errors.length === 0 && overlap(schedule)) errors.push({ pointer: '/periods', detail: 'overlap' })
  return errors
}

/** The published text is in every session's answer. */
function tooManySpans(wheel: WheelDocument, errors: readonly FieldError[]): FieldError[] {
  if (errors.length > 0) return []
  const schedules = [...wheel.segments.map(({ pace }) => pace), wheel.budget]
  const spans: Span[] = schedules.flatMap((one) => (one === undefined ? [] : spansOf(wheel, one)))
  if (spans.length <= spansPerWheelMax) return []
  const detail = `have paces with ${spans.length} separate times in all, more than ${spansPerWheelMax}`
  return [{ pointer: '/segments', detail }]
}
