/** Currencies, as in ISO 4217. They change only how amounts are shown. */
export const currencyPattern = '^[A-Z]{3}$'

const known = new Set(Intl.supportedValuesOf('currency'))

export function isCurrency(code: string): boolean {
  return known.has(code)
}
