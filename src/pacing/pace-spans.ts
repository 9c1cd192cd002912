import { endOf, type Pace, type Span } from '../fairness/pace.ts'
import { momentOn, zoned } from '../wheel-document/schedule.ts'
import type { PaceSchedule, WheelDocument } from '../wheel-document/wheel-document.ts'

/**
 * The active time of a pace: its periods, as far as they are within its own days and hours and within those of the
 * wheel. Daylight saving is resolved here, once, and the result is published: no verifier needs a table of time zones.
 */
export function spansOf(wheel: WheelDocument, schedule: PaceSchedule): Span[] {
  const spans = schedule.periods
    .map(({ from, until }): Span => [Date.parse(from), Date.parse(until)])
    .toSorted(([one], [other]) => one - other)
    .flatMap((period) => withinDays(wheel, schedule, within(openTime(wheel), period)))
  const merged: Span[] = []
  for (const [start, end] of spans) {
    const isAdjacent = merged.length > 0 && endOf(merged) === start
    const first = isAdjacent ? (merged.pop() as Span)[0] : start
    merged.push([first, end])
  }
  return merged
}

/** A pace with its times resolved. What is equal here belongs to the same run. */
export type ResolvedPace = Pick<Pace, 'units' | 'spans' | 'lastCallMs'>

export function isSamePace(one: ResolvedPace, other: ResolvedPace): boolean {
  const text = ({ units, spans, lastCallMs }: ResolvedPace) => JSON.stringify([units, lastCallMs, spans])
  return text(one) === text(other)
}

/** Whether two periods have a moment in common. */
export function overlap({ periods }: PaceSchedule): boolean {
  const sorted = periods.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))
  return sorted.some(({ from }, index) => {
    const before = sorted[index - 1]
    return before !== undefined && Date.parse(from) < Date.parse(before.until)
  })
}

function openTime({ opensAt, closesAt }: WheelDocument): Span {
  return [
    opensAt === undefined ? -Infinity : Date.parse(opensAt),
    closesAt === undefined ? Infinity : Date.parse(closesAt),
  ]
}

function within([start, end]: Span, [from, until]: Span): Span {
  return [Math.max(start, from), Math.min(end, until)]
}

/** The part of a period on these days and hours. An hour that a change of the clocks skips is not there. */
function withinDays(wheel: WheelDocument, { days, hours }: PaceSchedule, period: Span): Span[] {
  const { timeZone, openDays, openHours } = wheel
  const isAlways = [days, hours, openDays, openHours].every((limit) => limit === undefined)
  if (isAlways || period[0] >= period[1]) return period[0] < period[1] ? [period] : []
  const spans: Span[] = []
  let date = zoned(new Date(period[0]), timeZone).toPlainDate()
  for (;;) {
    const start = momentOn(date, '00:00', timeZone).getTime()
    if (start >= period[1]) return spans
    const next = date.add({ days: 1 })
    const today = date.dayOfWeek
    if ((days ?? [today]).includes(today) && (openDays ?? [today]).includes(today)) {
      const whole: Span = [start, momentOn(next, '00:00', timeZone).getTime()]
      const onDate = (own: typeof hours): Span =>
        own === undefined
          ? whole
          : [momentOn(date, own.from, timeZone).getTime(), momentOn(date, own.to, timeZone).getTime()]
      const span = within(period, within(onDate(hours), onDate(openHours)))
      if (span[0] < span[1]) spans.push(span)
    }
    date = next
  }
}
