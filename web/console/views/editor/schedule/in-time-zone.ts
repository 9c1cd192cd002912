import type { PaceSchedule, WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { zonedMoment, zonedText } from '../../../parts/zoned-time.ts'
import { changed } from '../draft/change.ts'

/** The wheel in another time zone, with the same clock times: 9:00 stays 9:00, in the new zone. */
export function inTimeZone(wheel: WheelDocument, timeZone: string): WheelDocument {
  /** A time that the clocks of the new zone skip keeps its moment. */
  const moved = (iso: string): string =>
    zonedMoment(zonedText(iso, wheel.timeZone), timeZone)?.toISOString() ?? iso
  const movedIfAny = (iso: string | undefined) => (iso === undefined ? undefined : moved(iso))
  const schedule = <T extends PaceSchedule>(one: T): T => ({
    ...one,
    periods: one.periods.map(({ from, until }) => ({ from: moved(from), until: moved(until) })),
  })
  const { opensAt, closesAt, budget } = wheel
  const dates = { opensAt: movedIfAny(opensAt), closesAt: movedIfAny(closesAt) }
  const segments = wheel.segments.map((segment) =>
    changed(segment, {
      winnableFrom: movedIfAny(segment.winnableFrom),
      winnableUntil: movedIfAny(segment.winnableUntil),
      pace: segment.pace && schedule(segment.pace),
    }),
  )
  return changed(wheel, { ...dates, timeZone, segments, budget: budget && schedule(budget) })
}
