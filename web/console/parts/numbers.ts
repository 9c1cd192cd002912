/**
 * Reads numbers as people type and paste them. Both `3.20` and `3,20` are accepted in every locale, so are digits in
 * groups. Only `1.500` or `1,500` could mean two things; then the locale decides.
 */
export type NumberRules = { min: number; max: number; decimalsMax: number }
export type NumberProblem = 'notNumber' | 'notWhole' | 'decimals' | 'range'

export function readNumber(
  text: string,
  rules: NumberRules,
  locale: string,
): { value: number } | { problem: NumberProblem } {
  const plain = plainNumber(text, decimalSeparator(locale))
  if (plain === undefined) return { problem: 'notNumber' }
  const decimals = plain.split('.')[1]?.length ?? 0
  if (decimals > rules.decimalsMax) return { problem: rules.decimalsMax === 0 ? 'notWhole' : 'decimals' }
  const value = Number(plain)
  return value < rules.min || value > rules.max ? { problem: 'range' } : { value }
}

/** The text for a number in a field. No digit groups: inserting a digit would break them. */
export function showNumber(value: number, locale: string, options: { decimalsMin: number }): string {
  return formatOf(locale, Number.isInteger(value) ? 0 : options.decimalsMin).format(value)
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string, minimumFractionDigits: number): Intl.NumberFormat {
  const key = `${locale} ${minimumFractionDigits}`
  let format = formats.get(key)
  if (format === undefined) {
    const digits = { minimumFractionDigits, maximumFractionDigits: 20 }
    format = new Intl.NumberFormat(locale, { useGrouping: false, numberingSystem: 'latn', ...digits })
    formats.set(key, format)
  }
  return format
}

const currency = '(?:\\p{Sc}\\s*)?'
const pattern = new RegExp(`^${currency}([-+−]?)${currency}([\\d.,\\s'’]*\\d)[.,]?\\s*${currency}$`, 'u')

/** As JavaScript writes it, such as `-1234.5`. Undefined if the text is no number. */
function plainNumber(text: string, decimalOfLocale: string): string | undefined {
  const [, sign, digits] = pattern.exec(westernDigits(text.trim())) ?? []
  if (digits === undefined) return undefined
  const at = decimalIndex(digits, decimalOfLocale)
  const whole = at < 0 ? digits : digits.slice(0, at)
  const fraction = at < 0 ? '' : digits.slice(at + 1)
  if (!isWhole(whole) || !/^\d*$/.test(fraction)) return undefined
  const minus = sign === '-' || sign === '−' ? '-' : ''
  return `${minus}${whole.replace(/\D/g, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

/** The index of the decimal separator, or -1. */
function decimalIndex(digits: string, decimalOfLocale: string): number {
  const separators = digits.replace(/\d/g, '')
  const last = separators.at(-1) ?? ''
  if (last !== '.' && last !== ',') return -1
  const at = digits.lastIndexOf(last)
  if (separators.length > 1) return separators.indexOf(last) === separators.length - 1 ? at : -1
  const couldBeGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
  return couldBeGroup && last !== decimalOfLocale ? -1 : at
}

/** Digits alone, or in groups with one kind of separator: by thousands, or as in India. */
function isWhole(whole: string): boolean {
  return (
    /^\d*$/.test(whole) ||
    (/^\d{1,3}(?:([.,\s'’])\d{2,3}(?:\1\d{2,3})*)?$/.test(whole) && /\d{3}$/.test(whole))
  )
}

const separators = new Map<string, string>()

export function decimalSeparator(locale: string): string {
  const found = separators.get(locale) ?? findSeparator(locale)
  separators.set(locale, found)
  return found
}

function findSeparator(locale: string): string {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** Arabic, Persian, Devanagari and full-width digits and separators, without marks of the writing direction. */
function westernDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[٠-٩۰-۹०-९０-９]/g, (digit) =>
      String(((digit.codePointAt(0) as number) - firstDigit(digit)) % 10),
    )
    .replaceAll('٫', '.')
    .replace(/[٬，]/g, ',')
    .replaceAll('．', '.')
}

function firstDigit(digit: string): number {
  return ['٠', '۰', '०', '０']
    .map((zero) => zero.codePointAt(0) as number)
    .findLast((zero) => zero <= (digit.codePointAt(0) as number)) as number
}
