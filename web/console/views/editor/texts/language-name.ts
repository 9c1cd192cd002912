const names = new Intl.DisplayNames('en', { type: 'language' })

/** Such as "German" for `de`. */
export function languageName(tag: string): string {
  return names.of(tag) ?? tag
}
