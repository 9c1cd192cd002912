import { openingAt } from '../wheel-document/schedule.ts'
import type { WheelDocument } from '../wheel-document/wheel-document.ts'

/** A day in the wheel's time zone, and the plays that are expected at each time of it. */
export type ExpectedDay = { day: string; plays: number; times: { at: Date; plays: number }[] }

const timesPerDay = 48

/**
 * The days on which a wheel is played from `start` on. Plays are spread evenly over the time in which it is open. A day
 * that is cut short by `start`, `opensAt` or `closesAt` has fewer plays.
 */
export function expectedDays(
  wheel: WheelDocument,
  { start, days, playsPerDay }: { start: Date; days: number; playsPerDay: number },
): ExpectedDay[] {
  const { opensAt, closesAt, ...withoutDates } = wheel
  const first = firstMoment(start, opensAt)
  const last = closesAt === undefined ? Infinity : new Date(closesAt).getTime()
  const dates = Array.from({ length: days }, (_, index) => dateOf(first, wheel.timeZone).add({ days: index }))
  return dates
    .filter((date) => startOf(date, wheel.timeZone) < last)
    .map((date) => {
      const open = timesOf(date, wheel.timeZone).filter((at) => openingAt(withoutDates, at).isOpen)
      const played = open.filter((at) => at >= first && at.getTime() < last)
      const plays = open.length === 0 ? 0 : Math.round((playsPerDay * played.length) / open.length)
      return { day: date.toString(), plays, times: spread(plays, played) }
    })
}

function firstMoment(start: Date, opensAt: string | undefined): Date {
  return opensAt === undefined ? start : new Date(Math.max(start.getTime(), new Date(opensAt).getTime()))
}

function dateOf(moment: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
}

function startOf(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds
}

/** Times in the middle of equal parts of the day, which has 23 or 25 hours where clocks change. */
function timesOf(date: Temporal.PlainDate, timeZone: string): Date[] {
  const start = startOf(date, timeZone)
  const part = (startOf(date.add({ days: 1 }), timeZone) - start) / timesPerDay
  return Array.from({ length: timesPerDay }, (_, index) => new Date(start + (index + 0.5) * part))
}

function spread(plays: number, times: readonly Date[]): ExpectedDay['times'] {
  const until = (index: number) => Math.round((plays * index) / times.length)
  return times.map((at, index) => ({ at, plays: until(index + 1) - until(index) }))
}
