/** Reads days as people and spreadsheets write them. Pure. */
import { daysAfter } from '../../parts/zoned-time.ts'

export const dayOrders = ['dmy', 'mdy', 'ymd'] as const
export type DayOrder = (typeof dayOrders)[number]

/** The order in which a locale writes day, month and year. */
export function dayOrderOf(locale: string): DayOrder {
  const parts = new Intl.DateTimeFormat(locale, { calendar: 'gregory', dateStyle: 'short' }).formatToParts(0)
  const [first] = parts.filter(({ type }) => ['day', 'month', 'year'].includes(type))
  return first?.type === 'month' ? 'mdy' : first?.type === 'year' ? 'ymd' : 'dmy'
}

/** The order in which most of the texts are days. If several fit alike, the preferred one. */
export function guessDayOrder(texts: readonly string[], preferred: DayOrder): DayOrder {
  const fitting = (order: DayOrder) =>
    texts.filter((text) => readWrittenDay(text, order) !== undefined).length
  return [preferred, ...dayOrders].reduce((best, order) => (fitting(order) > fitting(best) ? order : best))
}

/** A text that has two meanings: another order reads all texts too, and this one as another day. */
export function ambiguousDay(texts: readonly string[], order: DayOrder): string | undefined {
  const days = texts.filter((text) => readWrittenDay(text, order) !== undefined)
  for (const other of dayOrders) {
    if (days.some((text) => readWrittenDay(text, other) === undefined)) continue
    const found = days.find((text) => readWrittenDay(text, other) !== readWrittenDay(text, order))
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The text as `2026-12-31`, or with a time as `2026-12-31T18:00`. Undefined if it is no day: one with month 13 is not
 * read in another order. A year of four digits in front, or dots, say the order by themselves.
 */
export function readWrittenDay(text: string, order: DayOrder): string | undefined {
  const found = /^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?(?:,?[ T](\d{1,2}:\d\d)(?::00)?)?$/.exec(text)
  if (found === null) return undefined
  const [, first, separator, second, third, clock] = found as unknown as string[]
  const numbers = [first, second, third] as [string, string, string]
  const [year, month, day] =
    first?.length === 4
      ? numbers
      : separator === '.' || order === 'dmy'
        ? [numbers[2], numbers[1], numbers[0]]
        : order === 'mdy'
          ? [numbers[2], numbers[0], numbers[1]]
          : ['', '', '']
  if (!/^(20)?\d\d$/.test(year) || day.length > 2) return undefined
  const iso = `20${year.slice(-2)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = clock?.padStart(5, '0')
  if (!isDay(iso) || (time !== undefined && time > '23:59')) return undefined
  return time === undefined ? iso : `${iso}T${time}`
}

function isDay(text: string): boolean {
  return daysAfter(text, 0) === text
}
