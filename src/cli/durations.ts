import { InvalidArgumentError } from 'commander'
import { spinLifetimeDaysMax } from '../limits.ts'
import { Mistake } from '../mistake.ts'

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const
/** A date this far ahead is still valid in JavaScript and PostgreSQL. */
const daysMax = 999_999

/** Parses `30s`, `15m`, `24h` or `90d` to seconds. */
export function parseDurationSeconds(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text)
  if (match === null) throw new InvalidArgumentError('Write a number and a unit: 30s, 15m, 24h or 90d.')
  const seconds = Number(match[1]) * unitSeconds[match[2] as keyof typeof unitSeconds]
  if (seconds > daysMax * unitSeconds.d) throw new InvalidArgumentError(`The largest value is ${daysMax}d.`)
  return seconds
}

export function parseWholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`Write a whole number from ${min} to ${max}.`)
    return value
  }
}

export function parseOnOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Write on or off.')
  return text === 'on'
}

export function parseName(text: string): string {
  if (text.length < 1 || text.length > 200) throw new Mistake('A name must have 1 to 200 characters.')
  return text
}

/** A lifetime of spins, in whole days. */
export function parseSpinLifetime(text: string): number | 'none' {
  if (text === 'none') return text
  const days = parseDurationSeconds(text) / 86_400
  if (!Number.isInteger(days) || days < 1 || days > spinLifetimeDaysMax)
    throw new InvalidArgumentError(`Write whole days from 1d to ${spinLifetimeDaysMax}d, or none.`)
  return days
}
