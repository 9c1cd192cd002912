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

/** Days from one to another, the last one excluded. */
type DaySpan = { from: string; to: string }

/** The whole months in a span, and the days before and after them. */
export function splitMonths(span: DaySpan): { months: DaySpan[]; days: DaySpan[] } {
  const [first, end] = [Temporal.PlainDate.from(span.from), Temporal.PlainDate.from(span.to)]
  const from = first.day === 1 ? span.from : first.with({ day: 1 }).add({ months: 1 }).toString()
  const to = end.with({ day: 1 }).toString()
  if (from >= to) return { months: [], days: [span] }
  const rest = [
    { from: span.from, to: from },
    { from: to, to: span.to },
  ]
  return { months: [{ from, to }], days: rest.filter((days) => days.from < days.to) }
}

/** The periods that a period can be compared with. */
export const comparisons = ['previous', 'week', 'year'] as const
type Comparison = (typeof comparisons)[number]

/** The period to compare with: as many days just before it, or the same days a week or a year before. */
export function comparedPeriod(
  { from, to }: { from: string; to: string },
  comparison: Comparison,
): { from: string; to: string } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const back = { previous: { days: first.until(last).days + 1 }, week: { weeks: 1 }, year: { years: 1 } }[
    comparison
  ]
  return { from: first.subtract(back).toString(), to: last.subtract(back).toString() }
}

export function dayAfter(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString()
}

/** The Monday of the week of a date. */
export function mondayOf(date: string): string {
  const day = Temporal.PlainDate.from(date)
  return day.subtract({ days: day.dayOfWeek - 1 }).toString()
}

/** The Mondays from one to another, inclusive. */
export function weeksBetween(first: string, last: string): string[] {
  const weeks: string[] = []
  for (let date = Temporal.PlainDate.from(first); date.toString() <= last; date = date.add({ weeks: 1 }))
    weeks.push(date.toString())
  return weeks
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
