/** The merchant's own texts in the language of the player: the best that there is, else the wheel's default language. */
import { preferredTags } from './i18n.ts'
import type { Wheel } from './published.ts'

/** Texts by language tag, as published: untrusted. */
export type Translations = Record<string, Partial<Record<string, unknown>>>

/** The text of that name in the first of the player's languages that has it, or null. */
export function translated(translations: Translations, name: string, ...others: string[]): string | null {
  const byTag = new Map(Object.entries(translations).map(([tag, texts]) => [tag.toLowerCase(), texts]))
  const texts = [...preferredTags(), ...others].map((tag) => byTag.get(tag.toLowerCase())?.[name])
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? null
}

/** The same wheel with its labels in the player's language. Proofs are checked against the published labels. */
export function localised(wheel: Wheel): Wheel {
  const segments = wheel.segments.map((segment) => {
    const { label, translations } = segment
    const base = wheel.language === null ? {} : { [wheel.language]: { label } }
    return { ...segment, label: translated({ ...translations, ...base }, 'label') ?? label }
  })
  return { ...wheel, segments }
}
