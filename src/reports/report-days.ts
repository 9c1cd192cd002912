/** A day of a report: its date, and when it begins and ends in the merchant's time zone. */
export type ReportDay = { day: string; from: Date; to: Date }

/** The days from `first` to `last`, inclusive. A day has 23 or 25 hours where clocks change. */
export function daysBetween(first: string, last: string, timeZone: string): ReportDay[] {
  const days: ReportDay[] = []
  const end = Temporal.PlainDate.from(last)
  let date = Temporal.PlainDate.from(first)
  while (Temporal.PlainDate.compare(date, end) <= 0) {
    const next = date.add({ days: 1 })
    days.push({ day: date.toString(), from: startOf(date, timeZone), to: startOf(next, timeZone) })
    date = next
  }
  return days
}

/** The date in the merchant's time zone. */
export function dateAt(now: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}

/** When a day begins. That is not midnight where clocks change at midnight. */
function startOf(date: Temporal.PlainDate, timeZone: string): Date {
  return new Date(date.toZonedDateTime(timeZone).epochMilliseconds)
}
