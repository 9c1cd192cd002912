/** Times in a given time zone, for fields that show no zone of their own. Not every browser has Temporal yet. */

/** The time zone of this browser. */
export const hereZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What to suggest for something new: the merchant's zone, or this browser's while nobody has chosen one. */
export function zoneOfMerchant({ timeZone }: { timeZone: string }): string {
  return timeZone === 'UTC' ? hereZone : timeZone
}

/** A moment as the text of a `datetime-local` field, such as `2026-05-01T09:00`; empty if it is none. */
export function zonedText(iso: string | undefined, timeZone: string): string {
  const ms = Date.parse(iso ?? '')
  return Number.isNaN(ms) ? '' : textAt(ms, timeZone)
}

/** The moment of such a text. Undefined for a time that the clocks skip in spring; the first of two in autumn. */
export function zonedMoment(text: string, timeZone: string): Date | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const dayMs = 86_400_000
  const offsets = [asUtc - dayMs, asUtc + dayMs].map(
    (near) => Date.parse(`${textAt(near, timeZone)}Z`) - near,
  )
  const full = text.replace(/(T\d\d:\d\d):00$/, '$1')
  const found = offsets.map((offset) => asUtc - offset).filter((ms) => textAt(ms, timeZone) === full)
  return found.length === 0 ? undefined : new Date(Math.min(...found))
}

/** The day of a moment, such as `2026-05-01`. */
export function zonedDay(ms: number, timeZone: string): string {
  return textAt(ms, timeZone).slice(0, 10)
}

/** When such a day begins. Undefined if it is no day. */
export function dayStart(day: string, timeZone: string): Date | undefined {
  // Some zones change their clocks at midnight and skip it.
  return zonedMoment(`${day}T00:00`, timeZone) ?? zonedMoment(`${day}T01:00`, timeZone)
}

/** The day that is `count` days after one; before it, if negative. */
export function daysAfter(day: string, count: number): string {
  const ms = Date.parse(`${day}T00:00Z`) + count * 86_400_000
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, 10)
}

function textAt(ms: number, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day] = ['year', 'month', 'day'].map((part) => parts.get(part as 'year') ?? '')
  const date = `${year?.padStart(4, '0')}-${month}-${day}`
  const clock = `${parts.get('hour')}:${parts.get('minute')}`
  return `${date}T${clock}${parts.get('second') === '00' ? '' : `:${parts.get('second')}`}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter
}
