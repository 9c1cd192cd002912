import type english from '../../../src/languages/en/game.json'

export type TextKey = keyof typeof english
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
type Texts<Key extends string> = Record<Key, string | PluralForms>
/** `formal`: the texts that differ if the player is addressed formally. Languages without the distinction have none. */
export type DictionaryOf<Key extends string> = Texts<Key> & { formal?: Partial<Texts<Key>> }
export type Dictionary = DictionaryOf<TextKey>

/** Each folder is a language. All but English are loaded on demand. */
const files = import.meta.glob<{ default: Dictionary }>([
  '../../../src/languages/*/game.json',
  '!../../../src/languages/en/game.json',
])

/** How to load each language, by its tag. English is built in. */
export const loaders = new Map(
  Object.entries(files).map(([path, load]) => [path.split('/').at(-2) as string, load]),
)

/** The tags of the languages that the game has texts for. */
export const languageTags = ['en', ...loaders.keys()].toSorted()
