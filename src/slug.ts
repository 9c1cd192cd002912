/** Permanent short names of merchants, wheels, prizes and pools. The database schema has the same rule. */
export const slugPattern = '^[a-z0-9][a-z0-9-]{0,39}$'

export function isSlug(text: string): boolean {
  return new RegExp(slugPattern).test(text)
}

/** An origin, in the form of a security header. */
export const originPattern = '^https?://([a-z0-9-]+\\.)*[a-z0-9-]+(:[0-9]{1,5})?$'
