/** The console's texts, from one dictionary. A second language would be a second file with the same keys. */
import { hereZone } from './parts/zoned-time.ts'
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

// The merchant whose view is open says in which zone its times are, and in which currency its amounts.
let ownZone = hereZone
let ownCurrency: string | null = null

/** Called before a view is drawn: with its merchant, or without one. */
export function formatFor(merchant: { timeZone: string; currency: string | null } | undefined): void {
  ownZone = merchant?.timeZone ?? hereZone
  ownCurrency = merchant?.currency ?? null
}

/** The zone of all times that name no other. */
export function zoneOfView(): string {
  return ownZone
}

/**
 * An amount in the merchant's currency, with as many decimals as that has: 1.90 €, ¥190. Less than its smallest coin
 * shows two digits. Without a currency, whole amounts have no decimals, others two.
 */
export function formatMoney(value: number): string {
  if (ownCurrency === null) return (Number.isInteger(value) ? numberFormat : centsFormat).format(value)
  const isTiny = value !== 0 && Math.abs(value) < 10 ** -decimalsOf(ownCurrency)
  return moneyFormat(ownCurrency, isTiny ? { maximumSignificantDigits: 2 } : {}).format(value)
}

export function formatCompact(value: number): string {
  return new Intl.NumberFormat(habits, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

export function formatCompactMoney(value: number): string {
  if (ownCurrency === null) return formatCompact(value)
  return moneyFormat(ownCurrency, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** What a field for an amount shows: the sign of the currency, and its decimals. Stored amounts have two at most. */
export function moneyInFields(): { sign: string | undefined; decimals: number } {
  if (ownCurrency === null) return { sign: undefined, decimals: 2 }
  const parts = moneyFormat(ownCurrency, {}).formatToParts(0)
  const sign = parts.find(({ type }) => type === 'currency')?.value
  return { sign, decimals: Math.min(2, decimalsOf(ownCurrency)) }
}

function decimalsOf(currency: string): number {
  return moneyFormat(currency, {}).resolvedOptions().maximumFractionDigits ?? 2
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

/** A merchant has one currency, so `$` says enough. */
function moneyFormat(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([currency, options])
  const found = moneyFormats.get(key)
  if (found !== undefined) return found
  const own = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const format = new Intl.NumberFormat(habits, { ...own, ...options })
  moneyFormats.set(key, format)
  return format
}

export function formatShare(value: number): string {
  return new Intl.NumberFormat(habits, { style: 'percent', maximumSignificantDigits: 3 }).format(value)
}

/** A time in the merchant's zone, which each page names once. */
export function formatTime(iso: string): string {
  return formatZoned(iso, ownZone)
}

/** A time in a given time zone, which stands beside it. */
export function formatZoned(iso: string, timeZone: string): string {
  return timeFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso))
}

/** A time of a wheel or campaign, in its own zone, which it names unless the page does. */
export function formatInZone(iso: string, timeZone: string): string {
  return `${formatZoned(iso, timeZone)}${otherZone(timeZone)}`
}

/** The name of a zone, in brackets, unless the page names it. */
export function otherZone(timeZone: string): string {
  return timeZone === ownZone ? '' : ` (${timeZone})`
}

/** The time of a moment of today. */
export function formatClock(iso: string): string {
  return timeFormat({ timeStyle: 'short', timeZone: ownZone }).format(new Date(iso))
}

/** With seconds, for logs. */
export function formatMoment(iso: string): string {
  return timeFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone: ownZone }).format(new Date(iso))
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const format = timeFormats.get(key) ?? new Intl.DateTimeFormat(habits, options)
  timeFormats.set(key, format)
  return format
}

/** A day such as `2026-12-31`, in words. */
export function formatDate(day: string): string {
  return timeFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
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
