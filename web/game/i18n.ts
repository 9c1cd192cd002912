/** The page's own texts in the player's language. English is built in; the others are loaded when they are needed. */
import english from './languages/en.json' with { type: 'json' }
import { type Dictionary, loaders, type PluralForms, rightToLeft, type TextKey } from './languages.ts'

let dictionary: Dictionary = english
/** The whole tag, such as `de-AT`: numbers and times differ within a language too. */
let locale = 'en'

export async function loadLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get('lang')
  const wanted = [...(asked === null ? [] : [asked]), ...navigator.languages].filter(isTag)
  const tag = wanted.find((one) => baseOf(one) === 'en' || loaders.has(baseOf(one))) ?? 'en'
  const load = loaders.get(baseOf(tag))
  if (load !== undefined) {
    try {
      dictionary = (await load()).default
    } catch {
      // Better to play in English than not to play.
      return
    }
  }
  locale = tag
  document.documentElement.lang = tag
  document.documentElement.dir = rightToLeft.has(baseOf(tag)) ? 'rtl' : 'ltr'
}

/** The languages to look for among a merchant's own texts, best first. */
export function preferredTags(): string[] {
  return [locale, baseOf(locale)]
}

/** A text with its `{places}` filled in. The number `count` chooses the plural form. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const entry = dictionary[key]
  const form = typeof entry === 'string' ? entry : pluralForm(entry, Number(values.count))
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? formatNumber(value) : isolate(value)
  })
}

/** Keeps a name in another script from turning the words around it, which happens where they run from the right. */
function isolate(text: string): string {
  return document.documentElement.dir === 'rtl' ? `\u2068${text}\u2069` : text
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

export function formatShare(value: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 3 }).format(value)
}

export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
}

function baseOf(tag: string): string {
  return new Intl.Locale(tag).language
}

/** `lang` comes from the address, where anybody may have written anything. */
function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}
