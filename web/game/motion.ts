/**
 * The motion of a turn as a pure function of time: the wheel speeds up, keeps its speed until the answer arrives, and
 * slows down evenly. The browser's animation in spin.ts follows the same path; `angleAt` computes its current angle.
 */
import { type Direction, signOf } from './angle.ts'

/** Times are in milliseconds since the press. */
export type Turn = { from: number; direction: Direction; settling: Settling | null }
export type Settling = { startMs: number; durationMs: number; to: number }

export const speedUpMs = 600
const speedPerMs = 0.54

/** The path ends after an hour of turning, longer than any player waits. */
const waitMsMax = 3_600_000

export function angleAt(turn: Turn, timeMs: number): number {
  const { settling } = turn
  if (settling === null || timeMs < settling.startMs) return angleBeforeSettling(turn, timeMs)
  const from = angleBeforeSettling(turn, settling.startMs)
  const left = 1 - Math.min(1, (timeMs - settling.startMs) / settling.durationMs)
  return from + (settling.to - from) * (1 - left ** 3)
}

function angleBeforeSettling({ from, direction }: Turn, timeMs: number): number {
  const distance =
    timeMs < speedUpMs ? (speedPerMs * timeMs ** 2) / (2 * speedUpMs) : speedPerMs * (timeMs - speedUpMs / 2)
  return from + signOf(direction) * distance
}

/** Slows down from full speed. The curve starts at three times its average speed, hence the duration. */
export function settle(turn: Turn, startMs: number, to: number): Settling {
  return { startMs, to, durationMs: (3 * Math.abs(to - angleAt(turn, startMs))) / speedPerMs }
}

/** The points of the path, each with the easing to the next. These Bézier curves are exactly t², t and 1 − (1 − t)³. */
export function pathOf(turn: Turn): { angle: number; atMs: number; easing: string }[] {
  const startMs = turn.settling?.startMs ?? waitMsMax
  const corner = (atMs: number, easing: string) => ({ angle: angleAt(turn, atMs), atMs, easing })
  return [
    corner(0, 'cubic-bezier(0.333333, 0, 0.666667, 0.333333)'),
    corner(speedUpMs, 'linear'),
    corner(startMs, 'cubic-bezier(0.333333, 1, 0.666667, 1)'),
    ...(turn.settling === null ? [] : [corner(startMs + turn.settling.durationMs, 'linear')]),
  ]
}
