/** The texts of the entry, in the language of the page. Only visitors' pages load them. */
import english from '../../../src/languages/en/entry.json' with { type: 'json' }
import type { DictionaryOf } from '../texts/languages.ts'
import { baseLanguage, textIn, tooLate } from '../texts/i18n.ts'

export type EntryTextKey = keyof typeof english
type EntryDictionary = DictionaryOf<EntryTextKey>

const folder = '../../../src/languages'
const files = import.meta.glob<{ default: EntryDictionary }>([
  '../../../src/languages/*/entry.json',
  '!../../../src/languages/en/entry.json',
])

let dictionary: EntryDictionary = english

/** Called again once the wheel's default language is known. Texts that don't arrive in time stay in English. */
export async function loadEntryTexts(): Promise<void> {
  const load = files[`${folder}/${baseLanguage()}/entry.json`]
  try {
    dictionary = load === undefined ? english : (await Promise.race([load(), tooLate()])).default
  } catch {
    dictionary = english
  }
}

export function say(key: EntryTextKey, values: Record<string, string | number> = {}): string {
  return textIn(dictionary, key, values)
}

export function hasEntryText(key: string): key is EntryTextKey {
  return key in english
}
