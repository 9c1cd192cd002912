import { slugPattern } from '../../slug.ts'

/** One line of text. */
export const linePattern = '^[^\\p{Cc}\\p{Cs}]+$'
/** One line of text that begins with a visible character, or with spaces before it (also no-break and ideographic ones). */
export const textPattern = '^[ \u00a0\u3000\ufeff]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$'
export const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
export const hashPattern = '^[0-9a-f]{64}$'
/** No control characters, no lone surrogates, no white space at either end. */
export const playerIdPattern = '^[^\\s\\p{Cc}\\p{Cs}]([^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}])?$'

/** What is wrong with a text that does not match. */
export const patternDetails: ReadonlyMap<unknown, string> = new Map([
  [linePattern, 'must be one line, without control characters and lone surrogates'],
  [textPattern, 'must be one line with visible characters, without control characters and lone surrogates'],
  [uuidPattern, 'must be a UUID in lower case'],
  [hashPattern, 'must be 64 hexadecimal digits in lower case'],
  [playerIdPattern, 'must have no control characters, no lone surrogates, and no white space at either end'],
  [slugPattern, 'must be up to 40 lower-case letters, digits and hyphens, and must not begin with a hyphen'],
])
