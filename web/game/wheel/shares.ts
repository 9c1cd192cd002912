/** How chances are rounded and written. The console's editor and the game share this, so that they show the same. */

/**
 * Shares in whole units that add up to 100 %: rounded down, and the rest given to those that lost most. The smallest
 * share has two digits that count, with up to five decimals.
 */
export function shareUnits(weights: readonly number[]): { parts: number[]; decimals: number; whole: number } {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return { parts: weights.map(() => 0), decimals: 1, whole: 1_000 }
  const smallest = Math.min(...weights.filter((weight) => weight > 0)) / total
  const decimals = Math.min(5, Math.max(1, Math.ceil(-Math.log10(smallest * 100)) + 1))
  const whole = 100 * 10 ** decimals
  const exact = weights.map((weight) => (weight / total) * whole)
  const parts = exact.map(Math.floor)
  const missing = whole - parts.reduce((sum, part) => sum + part, 0)
  const byLoss = exact
    .map((value, index) => ({ index, loss: value - Math.floor(value) }))
    .toSorted((one, other) => other.loss - one.loss)
  for (const { index } of byLoss.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1
  return { parts: parts.map((part, index) => part || (exact[index] ?? 0)), decimals, whole }
}

/** A share that is too small for the decimals is not written as 0 %. */
export function formatUnits(
  units: number,
  { decimals, whole }: { decimals: number; whole: number },
  locale: string | readonly string[] | undefined,
): string {
  const digits =
    units > 0 && units < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: decimals }
  return new Intl.NumberFormat(locale as string, { style: 'percent', ...digits }).format(units / whole)
}
