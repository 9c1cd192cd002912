/** The console's texts, from one dictionary. A second language would be a second file with the same keys. */
import english from './texts/en.json' with { type: 'json' }

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
export type TextKey = keyof typeof english

const locale = 'en'
const pluralRules = new Intl.PluralRules(locale)
const dictionary: Record<TextKey, string | PluralForms> = english

/** A text with its `{placeholders}` filled in. The number `count` chooses the plural form. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const entry = dictionary[key]
  const form =
    typeof entry === 'string' ? entry : (entry[pluralRules.select(Number(values.count))] ?? entry.other)
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

/** The text for a key built from parts, where the parts come from a closed list. */
export function textOf(key: string): string {
  return key in dictionary ? t(key as TextKey) : key
}

export function hasText(key: string): key is TextKey {
  return key in dictionary
}

// Numbers and times follow the person's locale, whatever the language of the texts.
export const habits = typeof navigator === 'undefined' ? locale : navigator.language

// Made once: making a formatter takes a hundred times as long as using it.
const numberFormat = new Intl.NumberFormat(habits, { maximumFractionDigits: 2 })
const centsFormat = new Intl.NumberFormat(habits, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function formatNumber(value: number): string {
  return numberFormat.format(value)
}

/** Whole amounts have no decimals, others two. */
export function formatMoney(value: number): string {
  return (Number.isInteger(value) ? numberFormat : centsFormat).format(value)
}

export function formatCompact(value: number): string {
  return new Intl.NumberFormat(habits, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

export function formatShare(value: number): string {
  return new Intl.NumberFormat(habits, { style: 'percent', maximumSignificantDigits: 3 }).format(value)
}

/** A time in the browser's zone, which it names. */
export function formatTime(iso: string): string {
  return withZone(new Date(iso), { dateStyle: 'medium', timeStyle: 'short' })
}

/** A time in a given time zone, which stands beside it. */
export function formatZoned(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat(habits, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(iso),
  )
}

/** A time of a wheel or campaign, in its own zone, which it names. */
export function formatInZone(iso: string, timeZone: string): string {
  return `${formatZoned(iso, timeZone)} (${timeZone})`
}

const clockFormat = new Intl.DateTimeFormat(habits, { timeStyle: 'short' })

/** The time of a moment of today. */
export function formatClock(iso: string): string {
  return clockFormat.format(new Date(iso))
}

/** With seconds, for logs. */
export function formatMoment(iso: string): string {
  return withZone(new Date(iso), { dateStyle: 'medium', timeStyle: 'medium' })
}

const zoneNameFormat = new Intl.DateTimeFormat(habits, { timeZoneName: 'short' })

/** Intl has no style for a short time with its zone. */
function withZone(time: Date, style: Intl.DateTimeFormatOptions): string {
  const zone = zoneNameFormat.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return `${new Intl.DateTimeFormat(habits, style).format(time)} ${zone}`
}

export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat(habits, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(iso),
  )
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago or ahead: "5 minutes ago", "in 3 days". */
export function formatDistance(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, size] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  return Math.abs(seconds) < 60 ? t('time.now') : relative.format(Math.round(seconds / size), unit)
}
