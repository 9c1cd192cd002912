/** Short names that people choose once and that stay: merchants, wheels, prizes, pools. The schema has the same rule. */
export const slugPattern = '^[a-z0-9][a-z0-9-]{0,39}$'

export function isSlug(text: string): boolean {
  return new RegExp(slugPattern).test(text)
}

/** An origin, as it goes into a security header. */
export const originPattern = '^https?://([a-z0-9-]+\\.)*[a-z0-9-]+(:[0-9]{1,5})?$'
