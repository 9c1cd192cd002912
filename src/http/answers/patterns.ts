import { currencyPattern } from '../../currency.ts'
import { originPattern, slugPattern } from '../../slug.ts'
import {
  anyLinePattern,
  clockPattern,
  colorPattern,
  languagePattern,
  linesPattern,
  momentPattern,
  prizeCodePattern,
  prizeLinkPattern,
  timeZonePattern,
} from '../../text-patterns.ts'

/** One line of text. */
export const linePattern = '^[^\\p{Cc}\\p{Cs}]+$'
/** One line of text that begins with a visible character, or spaces before it (also no-break and ideographic). */
export const textPattern = '^[ \u00a0\u3000\ufeff]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$'
export const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
export const hashPattern = '^[0-9a-f]{64}$'
/** No control characters, no lone surrogates, no white space at either end. */
export const playerIdPattern = '^[^\\s\\p{Cc}\\p{Cs}]([^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}])?$'

export const webhookIdPattern = '^wh_[0-9a-f]{16}$'
/** Beside the format `date`. */
export const dayPattern = '^20'
export const periodPattern = '^(day|week|PT([0-9]{1,4}H)?([0-9]{1,4}M)?)$'

const noTime =
  'must be a time with its zone, such as 2026-11-20T18:00:00Z; in an address, + is written as %2B'
const noDay = 'must be a day of this century, such as 2026-11-20'

/** What is wrong with a text that does not match. */
export const patternDetails: ReadonlyMap<unknown, string> = new Map([
  [anyLinePattern, 'must be one line, without control characters and lone surrogates'],
  [linesPattern, 'must have no control characters other than line breaks, and no lone surrogates'],
  [colorPattern, 'must be a colour as #rrggbb'],
  [clockPattern, 'must be a time of day with two digits each, such as 09:00'],
  [languagePattern, 'must be a language as in BCP 47, such as de or pt-BR'],
  [timeZonePattern, 'must be a time zone, such as Europe/Berlin'],
  [currencyPattern, 'must be a currency as in ISO 4217, such as EUR'],
  [momentPattern, noTime],
  [prizeLinkPattern, 'must be an https address without a user name and without spaces'],
  [prizeCodePattern, 'must be one line without control characters and without a space at either end'],
  [originPattern, 'must be the origin of a page in lower case, such as https://shop.example, without a path'],
  [webhookIdPattern, 'must be the `webhookId` of a webhook'],
  [dayPattern, noDay],
  [periodPattern, 'must be day, week, or a duration in hours and minutes, such as PT4H'],
  [linePattern, 'must be one line, without control characters and lone surrogates'],
  [textPattern, 'must be one line with visible characters, without control characters and lone surrogates'],
  [uuidPattern, 'must be a UUID in lower case'],
  [hashPattern, 'must be 64 hexadecimal digits in lower case'],
  [playerIdPattern, 'must have no control characters, no lone surrogates, and no white space at either end'],
  [slugPattern, 'must be up to 40 lower-case letters, digits and hyphens, and must not begin with a hyphen'],
])

/** What is wrong with a text that does not have the format. */
export const formatDetails: ReadonlyMap<unknown, string> = new Map([
  ['date-time', noTime],
  ['date', noDay],
])
