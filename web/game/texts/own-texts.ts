/** The merchant's own texts in the language of the player: the best there is, else the wheel's default language. */
import { preferredTags } from './i18n.ts'
import { breakable } from './breakable.ts'
import type { OwnText, Translations, Wheel } from '../wheel/published.ts'

/** A text of the merchant and its language, if that is known. */
export type Words = { text: string; lang: string | null }

/** The text of that name in the first of the player's languages that has it, else the original one. */
export function wordsIn(translations: Translations, name: string, original: string | null): Words | null {
  const found = firstIn(translations, preferredTags(), name)
  if (found !== null || original === null) return found
  const [lang = null] = Object.entries(translations).find(([, texts]) => texts[name] === original) ?? []
  return { text: original, lang }
}

/** The merchant's own text in the player's language, the wheel's default one, or the page's, or null. */
export function ownText({ texts, language }: Wheel, name: OwnText): Words | null {
  const ofPage = document.documentElement.lang
  return firstIn(texts, [...preferredTags(), ...(language === null ? [] : [language]), ofPage], name)
}

/** The same wheel with its labels in the player's language. Proofs are checked against the published labels. */
export function localised(wheel: Wheel): Wheel {
  const segments = wheel.segments.map((segment) => {
    const { label, translations } = segment
    const base = wheel.language === null ? {} : { [wheel.language]: { label } }
    const { text, lang } = wordsIn({ ...translations, ...base }, 'label', label) as Words
    return { ...segment, label: text, lang }
  })
  return { ...wheel, segments }
}

/** Shows a text, and says in which language it is unless it is the page's: it may be read aloud in another voice. */
export function write<T extends Element>(element: T, words: string | Words): T {
  const { text, lang } = typeof words === 'string' ? { text: words, lang: null } : words
  element.textContent = breakable(text, lang ?? document.documentElement.lang)
  markLanguage(element, lang)
  return element
}

export function markLanguage(element: Element, lang: string | null): void {
  const isForeign = lang !== null && baseOf(lang) !== baseOf(document.documentElement.lang)
  if (isForeign) element.setAttribute('lang', lang)
  else element.removeAttribute('lang')
}

function firstIn(translations: Translations, tags: readonly string[], name: string): Words | null {
  const byTag = new Map(
    Object.entries(translations).map(([tag, texts]) => [tag.toLowerCase(), { tag, texts }]),
  )
  for (const wanted of tags) {
    const { tag: lang, texts } = byTag.get(wanted.toLowerCase()) ?? {}
    const text = texts?.[name]
    if (lang !== undefined && typeof text === 'string' && text.trim() !== '') return { text, lang }
  }
  return null
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}
