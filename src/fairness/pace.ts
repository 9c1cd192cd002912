import { commitmentOf, fromHex, type Hashing } from './draw.ts'

/**
 * Pacing, as docs/fairness.md specifies it: when the units of a prize, or the cents of a budget, become available. Like
 * the draw, it is pure and shared by the server, the game page and `wheelhouse verify`. Whole numbers only, so that
 * every language computes the same.
 */

/** Active time, from the first millisecond to the one after the last, since 1970. */
export type Span = readonly [start: number, end: number]

/** A pace as it is published. `commitment` is SHA-256 of the pace key, which is revealed after the run. */
export type Pace = {
  run: number
  commitment: string
  units: number
  /** Sorted, and without overlaps. */
  spans: readonly Span[]
  /** In this last part of the active time, plays that draw the fallback get units that are left. */
  lastCallMs: number
}

type RunName = { merchantId: number; wheelId: number; prizeId: string; run: number }

const range = 2n ** 48n

/** The key of a run, in hex. It is derived, as server seeds are, and not stored. */
export function paceKey(secret: Uint8Array, of: RunName, hashing: Hashing): string {
  const message = `wheelhouse pace seed 1\n${of.merchantId}\n${of.wheelId}\n${of.prizeId}\n${of.run}`
  return hashing.hmacSha256(secret, message)
}

export const paceCommitment = commitmentOf

/** How many units are released at the time `at`, with one HMAC. */
export function releasedBy(pace: Pace, key: string, at: number, hashing: Hashing): number {
  const active = activeThrough(pace.spans, at)
  if (active === 0) return 0
  const all = BigInt(activeTime(pace.spans))
  const progress = BigInt(pace.units) * BigInt(active)
  const whole = progress / all
  if (whole >= BigInt(pace.units)) return pace.units
  const isNextReleased = (progress % all) * range >= placeOf(key, Number(whole) + 1, hashing) * all
  return Number(whole) + (isNextReleased ? 1 : 0)
}

/** The millisecond at which a unit, counted from 1, is released. */
export function momentOf(pace: Pace, key: string, unit: number, hashing: Hashing): number {
  const all = BigInt(activeTime(pace.spans))
  const due = (BigInt(unit - 1) * range + placeOf(key, unit, hashing)) * all
  const [units, one] = [BigInt(pace.units) * range, 1n]
  const active = (due + units - one) / units
  return atActive(pace.spans, Number(active > one ? active : one))
}

/** The first millisecond at which a unit can be released, whatever the key is. Anyone can compute it. */
export function earliestMoment({ units, spans }: Pace, unit: number): number {
  const active = (BigInt(unit - 1) * BigInt(activeTime(spans)) + BigInt(units - 1)) / BigInt(units)
  return atActive(spans, Math.max(1, Number(active)))
}

/** Where in its equal part of the active time a unit is released: a whole number below 2^48. */
function placeOf(key: string, unit: number, hashing: Hashing): bigint {
  const digest = hashing.hmacSha256(fromHex(key), `wheelhouse pace 1\n${unit}`)
  return BigInt(`0x${digest.slice(0, 12)}`)
}

/** All active milliseconds. */
export function activeTime(spans: readonly Span[]): number {
  return spans.reduce((sum, [start, end]) => sum + end - start, 0)
}

/** The active milliseconds up to `at`, including it. */
export function activeThrough(spans: readonly Span[], at: number): number {
  return spans.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(at + 1, end) - start), 0)
}

export function isActive(spans: readonly Span[], at: number): boolean {
  return spans.some(([start, end]) => at >= start && at < end)
}

export function isLastCall({ spans, lastCallMs }: Pace, at: number): boolean {
  return isActive(spans, at) && activeThrough(spans, at) > activeTime(spans) - lastCallMs
}

export function endOf(spans: readonly Span[]): number {
  return spans.at(-1)?.[1] ?? 0
}

/** The active millisecond with this number, from 1. */
function atActive(spans: readonly Span[], number: number): number {
  let left = number
  for (const [start, end] of spans) {
    if (left <= end - start) return start + left - 1
    left -= end - start
  }
  throw new RangeError(`there is no active millisecond ${number}`)
}
