/** Patterns that wheels, settings and requests share. `http/answers/patterns.ts` has the words for those that fail. */

export const colorPattern = '^#[0-9a-fA-F]{6}$'
/** A time of day. */
export const clockPattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** As in BCP 47, such as `de` or `zh-Hant-TW`. */
export const languagePattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$'
export const timeZonePattern = '^[A-Za-z][A-Za-z0-9_+/-]{0,59}$'
/** One line of text, which may be empty. */
export const anyLinePattern = '^[^\\p{Cc}\\p{Cs}]*$'
export const linesPattern = '^(\\n|[^\\p{Cc}\\p{Cs}])*$'
/** Narrower than the format `date-time`, which allows a 60th second and a zone without minutes. */
export const momentPattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$'
/** Without a user name and password, which would be shown to everyone who wins. */
export const prizeLinkPattern = '^https://[^\\s\\p{Cc}\\p{Cs}@/]+(/[^\\s\\p{Cc}\\p{Cs}]*)?$'
/** A space at either end can't be seen, and nobody would type it to redeem the prize. */
export const prizeCodePattern = '^(?!\\s)[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}]$'
