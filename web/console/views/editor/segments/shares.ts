import { formatUnits, shareUnits } from '../../../../game/wheel/shares.ts'
import { habits } from '../../../texts.ts'

/** Shares as texts that add up to 100 %. */
export function shareTexts(weights: readonly number[]): string[] {
  const units = shareUnits(weights)
  return units.parts.map((part) => formatUnits(part, units, habits))
}

/** The share of some of them, as the sum of the shown shares. */
export function shareText(weights: readonly number[], isCounted: (index: number) => boolean): string {
  const units = shareUnits(weights)
  const sum = units.parts.reduce((total, part, index) => total + (isCounted(index) ? part : 0), 0)
  return formatUnits(sum, units, habits)
}
