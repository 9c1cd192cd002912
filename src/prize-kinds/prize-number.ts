/**
 * The number of a prize, short enough to be read out at a till: the second in which it was won, and the end of the
 * play's id, which other players don't know. In Crockford's base 32, which has no letters that look like digits. Pages
 * share this file.
 */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Six digits of seconds last until 2054. */
const firstSecond = Date.UTC(2020, 0, 1) / 1000

export function prizeNumber({ playId, wonAt }: { playId: string; wonAt: string }): string {
  const second = Math.floor(Date.parse(wonAt) / 1000) - firstSecond
  const text = inDigits(second, 6) + inDigits(Number.parseInt(playId.slice(-5), 16), 4)
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

function inDigits(value: number, length: number): string {
  return Array.from(
    { length },
    (_, index) => digits[Math.floor(value / 32 ** (length - 1 - index)) & 31],
  ).join('')
}

/** What a number says of its prize; undefined if it is none. Case, spaces, dashes and invisible marks are ignored. */
export function readPrizeNumber(text: string): { wonFrom: Date; playIdEnd: string } | undefined {
  const typed = text
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const values = Array.from(typed, (digit) => digits.indexOf(digit))
  if (values.length !== 10 || values.includes(-1)) return undefined
  const valueOf = (part: number[]) => part.reduce((sum, value) => sum * 32 + value, 0)
  const wonFrom = new Date((firstSecond + valueOf(values.slice(0, 6))) * 1000)
  return { wonFrom, playIdEnd: valueOf(values.slice(6)).toString(16).padStart(5, '0') }
}
