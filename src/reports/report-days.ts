/** A day of a report: its date, and the moments at which it begins and ends where the merchant is. */
export type ReportDay = { day: string; from: Date; to: Date }

/** The days from `first` to `last`, both counted in. Days have 23 or 25 hours where clocks change. */
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

/** The date where the merchant is. */
export function dateAt(now: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}

/** The first moment of a day, which is not midnight where the clocks change at midnight. */
function startOf(date: Temporal.PlainDate, timeZone: string): Date {
  return new Date(date.toZonedDateTime(timeZone).epochMilliseconds)
}
