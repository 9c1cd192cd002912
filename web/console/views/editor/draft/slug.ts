/** A short name derived from the typed text, different from the taken names. */
export function slugOf(text: string, taken: readonly string[]): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '')
  const base = plain === '' ? 'new' : plain
  for (let number = 1; ; number++) {
    const slug = number === 1 ? base : `${base}-${number}`
    if (!taken.includes(slug)) return slug
  }
}
