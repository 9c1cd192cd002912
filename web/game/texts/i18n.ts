/** The page's own texts in the player's language. English is built in; other languages are loaded on demand. */
import english from '../../../src/languages/en/game.json' with { type: 'json' }
import { rightToLeft } from '../../../src/languages/right-to-left.ts'
import type { Address } from '../../../src/wheel-document/look-choices.ts'
import { formatUnits } from '../wheel/shares.ts'
import { type Dictionary, type DictionaryOf, loaders, type PluralForms, type TextKey } from './languages.ts'

/** A game in another language is better than none. */
const loadMsMax = 5_000

let dictionary: Dictionary = english
let address: Address = 'informal'
/** The whole tag, such as `de-AT`: numbers and times differ within a language too. */
let locale = 'en'

/** What the player asked for, by the address or the browser's settings, best first. */
let wanted: string[] = []

/** `asked`: a language that goes before those of the browser. */
export async function loadLanguage(
  asked: string | null = new URLSearchParams(location.search).get('lang'),
): Promise<void> {
  wanted = [...(asked === null ? [] : [asked]), ...navigator.languages].filter(isTag)
  await speak(wanted.find(isBuiltIn) ?? 'en')
}

/** Switches to the wheel's default language if the game has no texts in any of the player's languages. */
export async function loadDefaultLanguage(language: string | null): Promise<void> {
  if (language === null || !isTag(language) || !isBuiltIn(language) || wanted.some(isBuiltIn)) return
  if (locale !== language) await speak(language)
}

async function speak(tag: string): Promise<void> {
  const load = loaders.get(baseOf(tag))
  try {
    dictionary = load === undefined ? english : (await Promise.race([load(), tooLate()])).default
  } catch {
    // The texts could not be loaded, or not in time: the page stays in the language that it has.
    return
  }
  locale = tag
  document.documentElement.lang = tag
  document.documentElement.dir = rightToLeft.has(baseOf(tag)) ? 'rtl' : 'ltr'
}

/** The language of the page's own texts, without region and script. */
export function baseLanguage(): string {
  return baseOf(locale)
}

/** The whole tag, for browser functions that depend on the language. */
export function pageLocale(): string {
  return locale
}

export function tooLate(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), loadMsMax))
}

function isBuiltIn(tag: string): boolean {
  return baseOf(tag) === 'en' || loaders.has(baseOf(tag))
}

/**
 * The languages to look for in the merchant's own texts, best first: each that the player asked for, then without its
 * region, then without its script. `zh-TW` is `zh-TW`, `zh-Hant`, `zh`.
 */
export function preferredTags(): string[] {
  return [...new Set(wanted.flatMap(widen))]
}

function widen(tag: string): string[] {
  const { language, script } = new Intl.Locale(tag).maximize()
  const parts = tag.split('-')
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
  return [...shorter.slice(0, -1), `${language}-${script}`, language]
}

/** A text with its `{placeholders}` filled in. The number `count` chooses the plural form. */
export function t(key: TextKey, values: Values = {}): string {
  return textIn(dictionary, key, values)
}

type Values = Record<string, string | number>

/** A text of a part of the page that has its own texts in the same language. */
export function textIn<Key extends string>(from: DictionaryOf<Key>, key: Key, values: Values = {}): string {
  // A text that has no formal form is the same in both.
  const entry = (address === 'formal' ? from.formal?.[key] : undefined) ?? from[key]
  const form = typeof entry === 'string' ? entry : pluralForm(entry, Number(values.count))
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? formatNumber(value) : isolate(value)
  })
}

/** How the look wants its players to be addressed, in languages that distinguish it. */
export function setAddress(chosen: Address): void {
  address = chosen
}

/** Letters of right-to-left scripts, and characters that change the direction of what follows. */
const rightToLeftText = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufefc]/

/** Keeps a merchant's text from reordering the words around it. */
function isolate(text: string): string {
  const isNeeded = document.documentElement.dir === 'rtl' || rightToLeftText.test(text)
  return isNeeded ? `\u2068${text}\u2069` : text
}

/** Not every state has a text or a button. */
export function hasText(key: string): key is TextKey {
  return key in english
}

function pluralForm(forms: PluralForms, count: number): string {
  return forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
}

function formatNumber(value: number): string {
  return new Intl.NumberFormat(locale).format(value)
}

export function formatShare(value: number, units: { decimals: number; whole: number }): string {
  return formatUnits(value, units, locale)
}

export function formatList(items: string[]): string {
  return new Intl.ListFormat(locale, { type: 'unit' }).format(items)
}

/** Facts in one line. In a list, many languages would put "and" between them. */
export function joined(facts: string[]): string {
  return facts.join(' · ')
}

/** Such as "2 days 03:14:07". */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const two = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 })
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
  const days = Math.floor(seconds / 86_400)
  const unit = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return `${days === 0 ? '' : `${unit.format(days)} `}${clock.map((part) => two.format(part)).join(':')}`
}

export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
}

/** A time by its weekday, such as "Sunday, 18:00"; a later one with its date too. `aheadMs`: how far away it is. */
export function formatSoon(iso: string, aheadMs: number): string {
  const moment = new Date(iso)
  const isSoon = aheadMs < weekdaysMs
  const isThisYear = isSoon || moment.getFullYear() === new Date(moment.getTime() - aheadMs).getFullYear()
  const format = (form: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, form).format(moment)
  return t('time.soon', {
    day: format({
      weekday: 'long',
      ...(isSoon ? {} : { day: 'numeric', month: 'short' }),
      ...(isThisYear ? {} : { year: 'numeric' }),
    }),
    time: format({ timeStyle: 'short' }),
  })
}

/** Seven days on, the weekday is the same as today's. */
const weekdaysMs = 6 * 86_400_000

function baseOf(tag: string): string {
  return new Intl.Locale(tag).language
}

/** `lang` comes from the URL and may be anything. */
function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}
