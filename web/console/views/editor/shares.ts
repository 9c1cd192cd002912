import { habits } from '../../texts.ts'

/**
 * Shares as texts that add up to 100 %: rounded down, and the rest given to those that lost most. The smallest share has
 * at least one digit that is not zero, with up to four decimals.
 */
export function shareTexts(weights: readonly number[]): string[] {
  const units = shareUnits(weights)
  return units.parts.map((part) => formatUnits(part, units.decimals))
}

/** The share of some of them, as the sum of the shown shares. */
export function shareText(weights: readonly number[], isCounted: (index: number) => boolean): string {
  const { parts, decimals } = shareUnits(weights)
  const sum = parts.reduce((total, part, index) => total + (isCounted(index) ? part : 0), 0)
  return formatUnits(sum, decimals)
}

function shareUnits(weights: readonly number[]): { parts: number[]; decimals: number } {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return { parts: weights.map(() => 0), decimals: 1 }
  const smallest = Math.min(...weights.filter((weight) => weight > 0)) / total
  const decimals = Math.min(4, Math.max(1, Math.ceil(-Math.log10(smallest * 100))))
  const whole = 100 * 10 ** decimals
  const exact = weights.map((weight) => (weight / total) * whole)
  const parts = exact.map(Math.floor)
  const missing = whole - parts.reduce((sum, part) => sum + part, 0)
  const byLoss = exact
    .map((value, index) => ({ index, loss: value - Math.floor(value) }))
    .toSorted((one, other) => other.loss - one.loss)
  for (const { index } of byLoss.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1
  return { parts, decimals }
}

/** By the number of decimals. */
const formats = [0, 1, 2, 3, 4].map(
  (maximumFractionDigits) => new Intl.NumberFormat(habits, { style: 'percent', maximumFractionDigits }),
)

function formatUnits(units: number, decimals: number): string {
  return (formats[decimals] as Intl.NumberFormat).format(units / (100 * 10 ** decimals))
}
