import type english from './languages/en.json'

export type TextKey = keyof typeof english
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
export type Dictionary = Record<TextKey, string | PluralForms>

/** Every file in the folder is a language; all but English are loaded when a player needs them. */
const files = import.meta.glob<{ default: Dictionary }>(['./languages/*.json', '!./languages/en.json'])

/** How to load each language, by its tag. English is built in. */
export const loaders = new Map(
  Object.entries(files).map(([path, load]) => [path.slice('./languages/'.length, -'.json'.length), load]),
)

/** The tags of the languages in which the game itself speaks. */
export const languageTags = ['en', ...loaders.keys()].toSorted()

/** Languages that are written from right to left, whether or not the game speaks them yet. */
export const rightToLeft = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])
