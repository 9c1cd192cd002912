import type { Schedule } from './wheel-types.ts'

type Opening = { isOpen: boolean; opensAt: Date | null; closesAt: Date | null }

const daysAheadMax = 8

/** Whether a wheel is open at a given time, when it opens next, and when it closes for good. */
export function openingAt(wheel: Schedule, now: Date): Opening {
  const closesAt = wheel.closesAt === undefined ? null : new Date(wheel.closesAt)
  if (closesAt !== null && now >= closesAt) return { isOpen: false, opensAt: null, closesAt }
  const start =
    wheel.opensAt === undefined ? now : new Date(Math.max(now.getTime(), new Date(wheel.opensAt).getTime()))
  const opensAt = nextOpening(wheel, start)
  if (opensAt === null || (closesAt !== null && opensAt >= closesAt))
    return { isOpen: false, opensAt: null, closesAt }
  return opensAt <= now ? { isOpen: true, opensAt: null, closesAt } : { isOpen: false, opensAt, closesAt }
}

/** When an open wheel closes, for a while or for good. Null if no end is known. */
export function openUntil(wheel: Schedule, now: Date): Date | null {
  const ends = [wheel.closesAt === undefined ? null : new Date(wheel.closesAt), endOfHours(wheel, now)]
  return ends.filter((end) => end !== null).toSorted((one, other) => Number(one) - Number(other))[0] ?? null
}

/** The wheel's schedule within a campaign's dates. The wheel itself, if the campaign has none. */
export function within(
  wheel: Schedule,
  { opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null },
): Schedule {
  if (opensAt === null && closesAt === null) return wheel
  const starts = [wheel.opensAt, opensAt?.toISOString()].filter((text) => text !== undefined)
  const ends = [wheel.closesAt, closesAt?.toISOString()].filter((text) => text !== undefined)
  const byTime = (one: string, other: string) => Date.parse(one) - Date.parse(other)
  const [start, end] = [starts.toSorted(byTime).at(-1), ends.toSorted(byTime)[0]]
  return {
    ...wheel,
    ...(start === undefined ? {} : { opensAt: start }),
    ...(end === undefined ? {} : { closesAt: end }),
  }
}

/** The day of `now` in a wheel's or merchant's time zone, counted from 1970-01-01. Daily limits start again with it. */
export function localDay({ timeZone }: { timeZone: string }, now: Date): number {
  // All plays of a batch have the same time, so the last answer is kept.
  if (latest.timeZone !== timeZone || latest.ms !== now.getTime()) {
    const { days } = firstDate.until(zoned(now, timeZone).toPlainDate())
    latest = { timeZone, ms: now.getTime(), day: days }
  }
  return latest.day
}

/** When the day of `now` began in the wheel's time zone. */
export function dayStart({ timeZone }: { timeZone: string }, now: Date): Date {
  return momentOn(zoned(now, timeZone).toPlainDate(), '00:00', timeZone)
}

/** When the next day begins in the wheel's time zone. */
export function nextDay({ timeZone }: { timeZone: string }, now: Date): Date {
  return momentOn(zoned(now, timeZone).toPlainDate().add({ days: 1 }), '00:00', timeZone)
}

const firstDate = Temporal.PlainDate.from('1970-01-01')
let latest = { timeZone: 'UTC', ms: 0, day: 0 }

/** Whether it is the name of a time zone. An offset such as +02:00 is not: it knows no daylight saving. */
export function isTimeZone(name: string): boolean {
  try {
    // Temporal also reads times with an offset, such as T12+02.
    return /^[a-z]/i.test(name) && zoned(new Date(0), name).timeZoneId.toLowerCase() === name.toLowerCase()
  } catch {
    return false
  }
}

/** The first time from `start` on that is within the opening days and hours. */
function nextOpening(wheel: Schedule, start: Date): Date | null {
  if (wheel.openDays === undefined && wheel.openHours === undefined) return start
  const here = zoned(start, wheel.timeZone)
  for (let ahead = 0; ahead < daysAheadMax; ahead++) {
    const date = here.toPlainDate().add({ days: ahead })
    if (!isOpenDay(wheel, date)) continue
    const from = momentOn(date, wheel.openHours?.from ?? '00:00', wheel.timeZone)
    if (start < closingOn(wheel, date)) return start > from ? start : from
  }
  return null
}

/** The end of today's opening hours, or of the last of several open days in a row. */
function endOfHours(wheel: Schedule, now: Date): Date | null {
  if (wheel.openDays === undefined && wheel.openHours === undefined) return null
  const today = zoned(now, wheel.timeZone).toPlainDate()
  if (wheel.openHours !== undefined) return closingOn(wheel, today)
  for (let ahead = 1; ahead < daysAheadMax; ahead++)
    if (!isOpenDay(wheel, today.add({ days: ahead }))) return closingOn(wheel, today.add({ days: ahead - 1 }))
  return null
}

function isOpenDay({ openDays }: Schedule, date: Temporal.PlainDate): boolean {
  return openDays === undefined || openDays.includes(date.dayOfWeek)
}

function closingOn({ openHours, timeZone }: Schedule, date: Temporal.PlainDate): Date {
  return openHours === undefined
    ? momentOn(date.add({ days: 1 }), '00:00', timeZone)
    : momentOn(date, openHours.to, timeZone)
}

export function momentOn(date: Temporal.PlainDate, clock: string, timeZone: string): Date {
  return new Date(
    date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(clock) }).epochMilliseconds,
  )
}

export function zoned(moment: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone)
}
