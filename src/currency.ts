/** Currencies, as in ISO 4217. They change only how amounts are shown. */
export const currencyPattern = '^[A-Z]{3}$'

const known = new Set(Intl.supportedValuesOf('currency'))

export function isCurrency(code: string): boolean {
  return known.has(code)
}

/** A sum or product of costs as a decimal number. As binary fractions, 0.1 and 0.2 make 0.30000000000000004. */
export function exactCost(computed: number): number {
  return Number(computed.toPrecision(15))
}
