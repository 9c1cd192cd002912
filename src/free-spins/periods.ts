import { type FreeSpinRule, minutesOf } from '../free-spin-rule/free-spin-rule.ts'
import { momentOn, openingAt, zoned } from '../wheel-document/schedule.ts'
import type { Schedule } from '../wheel-document/wheel-types.ts'

/** A day, a week or another time for which there are free spins. The next one begins when it ends. */
export type Period = { number: number; startsAt: Date; endsAt: Date }

type Grid = Pick<FreeSpinRule, 'every' | 'at' | 'weekday'>

/** The period of a moment. */
export function periodAt(grid: Grid, timeZone: string, moment: Date): Period {
  let number = guess(grid, timeZone, moment)
  while (moment < startOf(grid, timeZone, number)) number--
  while (moment >= startOf(grid, timeZone, number + 1)) number++
  return periodOf(grid, timeZone, number)
}

/**
 * The period of a number. It is empty if the calendar has no such day: the clocks of Apia went from the end of 29
 * December 2011 to the 31st.
 */
export function periodOf(grid: Grid, timeZone: string, number: number): Period {
  return {
    number,
    startsAt: startOf(grid, timeZone, number),
    endsAt: startOf(grid, timeZone, number + 1),
  }
}

/** The first moment within a time at which a schedule is open, or undefined. */
export function firstOpen(schedule: Schedule, { from, to }: { from: Date; to?: Date }): Date | undefined {
  const { isOpen, opensAt } = openingAt(schedule, from)
  const first = isOpen ? from : opensAt
  return first === null || (to !== undefined && first >= to) ? undefined : first
}

/**
 * Days and weeks begin by the calendar of the time zone, so they have 23 or 25 hours where clocks are changed. A time
 * of day that is skipped counts an hour later, one that comes twice counts the first time. Other periods have a fixed
 * length and count from 1970, in no time zone.
 */
function startOf({ every, at, weekday }: Grid, timeZone: string, number: number): Date {
  const minutes = minutesOf(every)
  if (minutes !== undefined) return new Date(number * minutes * 60_000)
  const days = every === 'week' ? number * 7 + weekday - firstWeekday : number
  return momentOn(firstDate.add({ days }), at, timeZone)
}

function guess({ every, weekday }: Grid, timeZone: string, moment: Date): number {
  const minutes = minutesOf(every)
  if (minutes !== undefined) return Math.floor(moment.getTime() / minutes / 60_000)
  const { days } = firstDate.until(zoned(moment, timeZone).toPlainDate())
  return every === 'week' ? Math.floor((days + firstWeekday - weekday) / 7) : days
}

const firstDate = Temporal.PlainDate.from('1970-01-01')
const firstWeekday = firstDate.dayOfWeek
