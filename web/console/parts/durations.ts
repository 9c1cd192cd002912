import { t } from '../texts.ts'

export const unitSeconds = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 }
export type Unit = keyof typeof unitSeconds
export const units = Object.keys(unitSeconds) as Unit[]

/** The largest unit in which the duration is a whole number. */
export function largestUnitOf(seconds: number): Unit {
  return units.findLast((unit) => seconds % unitSeconds[unit] === 0) ?? 'seconds'
}

/** Such as `7 days`. */
export function formatDuration(seconds: number): string {
  const unit = largestUnitOf(seconds)
  return t(`duration.in.${unit}`, { count: seconds / unitSeconds[unit] })
}
