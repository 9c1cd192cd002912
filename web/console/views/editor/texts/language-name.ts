import { t } from '../../../texts.ts'

const names = new Intl.DisplayNames('en', { type: 'language' })
const namedMax = 4

/** Such as "German" for `de`. */
export function languageName(tag: string): string {
  return names.of(tag) ?? tag
}

/** Such as "French, German". Of many, the first ones and how many more there are. */
export function languageNames(tags: Iterable<string>): string {
  const all = [...new Set(tags)].map(languageName).toSorted((one, other) => one.localeCompare(other))
  if (all.length <= namedMax) return all.join(', ')
  const named = all.slice(0, namedMax - 1)
  return t('texts.more', { names: named.join(', '), count: all.length - named.length })
}
