import type { Schedule } from '../wheel-document/wheel-types.ts'
import { firstOpen, periodAt, periodOf } from './periods.ts'

/** A day of the calendar. It has 23 or 25 hours where clocks are changed. */
type PreviewedDay = { date: string; startsAt: Date; endsAt: Date; isOpen: boolean }

const days = { every: 'day', at: '00:00', weekday: 1 }

/** The days of a time zone, beginning with today, and whether a schedule is open on them. */
export function previewDays(
  schedule: Schedule,
  { timeZone, now, count }: { timeZone: string; now: Date; count: number },
): PreviewedDay[] {
  const today = periodAt(days, timeZone, now).number
  return Array.from({ length: count }, (_, index) => periodOf(days, timeZone, today + index))
    .filter(({ startsAt, endsAt }) => startsAt < endsAt)
    .map(({ number, startsAt, endsAt }) => ({
      date: firstDate.add({ days: number }).toString(),
      startsAt,
      endsAt,
      isOpen: firstOpen(schedule, { from: startsAt < now ? now : startsAt, to: endsAt }) !== undefined,
    }))
}

const firstDate = Temporal.PlainDate.from('1970-01-01')
