/**
 * How a turn goes, as a pure function of time: it speeds up, holds its speed for as long as the answer takes, and runs
 * out evenly. The browser's animations in spin.ts follow the same curves; this function tells where they are.
 */
import { type Direction, signOf } from './angle.ts'

export type Turn = { from: number; direction: Direction; startMs: number; settling: Settling | null }
export type Settling = { from: number; to: number; startMs: number; durationMs: number }

export const speedUpMs = 600
const speedPerMs = 0.54

/** For one round at full speed. */
export const roundMs = 360 / speedPerMs

/** t² for speeding up and 1 − (1 − t)³ for running out; these Bézier curves are exactly those. */
export const speedUpEasing = 'cubic-bezier(0.333333, 0, 0.666667, 0.333333)'
export const runOutEasing = 'cubic-bezier(0.333333, 1, 0.666667, 1)'

export function angleAt(turn: Turn, timeMs: number): number {
  const { settling } = turn
  if (settling !== null && timeMs >= settling.startMs) {
    const left = 1 - Math.min(1, (timeMs - settling.startMs) / settling.durationMs)
    return settling.from + (settling.to - settling.from) * (1 - left ** 3)
  }
  const elapsed = Math.max(0, timeMs - turn.startMs)
  const distance =
    elapsed < speedUpMs
      ? (speedPerMs * elapsed ** 2) / (2 * speedUpMs)
      : speedPerMs * (elapsed - speedUpMs / 2)
  return turn.from + signOf(turn.direction) * distance
}

/** Runs out from full speed to `to`. The curve starts three times as fast as it is on average, hence the duration. */
export function settle(from: number, to: number, startMs: number): Settling {
  return { from, to, startMs, durationMs: (3 * Math.abs(to - from)) / speedPerMs }
}
