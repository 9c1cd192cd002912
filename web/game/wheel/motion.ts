/**
 * The motion of a turn as a pure function of time: the wheel speeds up, keeps its speed until the answer arrives, and
 * slows down evenly. The browser's animation in spin.ts follows the same path; `angleAt` computes its current angle.
 */
import { type Direction, signOf } from './angle.ts'

/** Times are in milliseconds since the press, speeds in degrees per millisecond. */
/** `startSpeed`: of a push, at most `fullSpeed`; 0 for a press. */
export type Turn = { from: number; direction: Direction; startSpeed: number; settling: Settling | null }
export type Settling = { startMs: number; durationMs: number; to: number }

export const speedUpMs = 600
export const fullSpeed = 0.54

/** The path ends after an hour of turning, longer than any player waits. */
const waitMsMax = 3_600_000

export function angleAt(turn: Turn, timeMs: number): number {
  const { settling } = turn
  if (settling === null || timeMs < settling.startMs) return angleBeforeSettling(turn, timeMs)
  const from = angleBeforeSettling(turn, settling.startMs)
  const left = 1 - Math.min(1, (timeMs - settling.startMs) / settling.durationMs)
  // Exactly `to` at the end.
  return settling.to - (settling.to - from) * left ** 3
}

function angleBeforeSettling({ from, direction, startSpeed }: Turn, timeMs: number): number {
  const atFullSpeedMs = Math.max(0, timeMs - speedUpMs)
  const shareOfSpeedUp = Math.min(1, timeMs / speedUpMs)
  const speedNow = startSpeed + (fullSpeed - startSpeed) * shareOfSpeedUp
  const speedingUp = ((startSpeed + speedNow) / 2) * Math.min(timeMs, speedUpMs)
  return from + signOf(direction) * (speedingUp + fullSpeed * atFullSpeedMs)
}

/** Slows down from full speed. The curve starts at three times its average speed, hence the duration. */
export function settle(turn: Turn, startMs: number, to: number): Settling {
  return { startMs, to, durationMs: (3 * Math.abs(to - angleAt(turn, startMs))) / fullSpeed }
}

/** The points of the path, each with the easing to the next. These Bézier curves are exact. */
export function pathOf(turn: Turn): { angle: number; atMs: number; easing: string }[] {
  const startMs = turn.settling?.startMs ?? waitMsMax
  const corner = (atMs: number, easing: string) => ({ angle: angleAt(turn, atMs), atMs, easing })
  return [
    corner(0, speedUpEasing(turn)),
    corner(speedUpMs, 'linear'),
    corner(startMs, 'cubic-bezier(0.333333, 1, 0.666667, 1)'),
    ...(turn.settling === null ? [] : [corner(startMs + turn.settling.durationMs, 'linear')]),
  ]
}

/** Even acceleration, as a cubic curve: its slopes at both ends are the speeds there, relative to their average. */
function speedUpEasing({ startSpeed }: Turn): string {
  const average = (startSpeed + fullSpeed) / 2
  const [first, last] = [startSpeed / average / 3, 1 - fullSpeed / average / 3]
  return `cubic-bezier(0.333333, ${first.toFixed(6)}, 0.666667, ${last.toFixed(6)})`
}
