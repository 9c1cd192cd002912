/**
 * Turns the wheel with the Web Animations API. The whole path is one animation: browsers run only a single one on the
 * compositor, where a busy processor does not make it stutter. The final angle is also set as a plain style. A timer
 * backs up the animation's `finished` promise, which does not resolve while the tab is hidden, so the wheel always ends
 * at the right angle.
 */
import { type Direction, turnOn, wrap } from './angle.ts'
import { angleAt, pathOf, settle, type Settling, speedUpMs, type Turn } from './motion.ts'

export type Spin = {
  angleNow: () => number
  /** Stops at this angle; resolves when the wheel is at rest. */
  restAt: (angle: number) => Promise<void>
  /** Stops soon at any angle, because there is no result to show. */
  brake: () => Promise<void>
}

const turnsMin = 1.75
const brakeMs = 900
const brakeDegrees = 120
const graceMs = 150

export function startSpin(
  disc: HTMLElement,
  start: { from: number; direction: Direction; startSpeed: number },
): Spin {
  const turn: Turn = { ...start, settling: null }
  const pressedAt = timelineMs()
  const sincePress = () => timelineMs() - pressedAt
  let animation = follow(disc, turn, pressedAt)

  const runOut = async (settling: Settling) => {
    turn.settling = settling
    const { startMs, durationMs, to } = settling
    const before = animation
    animation = follow(disc, turn, pressedAt)
    before.cancel()
    await Promise.race([animation.finished, pause(startMs + durationMs + graceMs - sincePress())])
    place(disc, to)
    animation.cancel()
  }
  return {
    angleNow: () => angleAt(turn, sincePress()),
    restAt: (rest) => {
      const startMs = Math.max(sincePress(), speedUpMs)
      const from = angleAt(turn, startMs)
      return runOut(settle(turn, startMs, turnOn({ ...start, from, rest, turnsMin })))
    },
    brake: () => {
      const startMs = Math.max(sincePress(), speedUpMs)
      const ahead = start.direction === 'clockwise' ? brakeDegrees : -brakeDegrees
      return runOut({ startMs, durationMs: brakeMs, to: angleAt(turn, startMs) + ahead })
    },
  }
}

/** For players who prefer reduced motion: the wheel does not turn, but fades out and back in at its final angle. */
export function startReveal(disc: HTMLElement, start: { from: number }): Spin {
  let angle = start.from
  const pale = disc.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 300, fill: 'forwards' })
  const reveal = async (rest: number) => {
    angle = rest
    place(disc, rest)
    const back = disc.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 500 })
    pale.cancel()
    await Promise.race([back.finished, pause(500 + graceMs)])
  }
  return { angleNow: () => angle, restAt: reveal, brake: () => reveal(angle) }
}

export function place(disc: HTMLElement, angle: number): void {
  disc.style.transform = rotate(wrap(angle))
}

function follow(disc: HTMLElement, turn: Turn, pressedAt: number): Animation {
  const path = pathOf(turn)
  const duration = path.at(-1)?.atMs ?? 0
  const frames = path.map(({ angle, atMs, easing }) => ({
    transform: rotate(angle),
    offset: atMs / duration,
    easing,
  }))
  const animation = disc.animate(frames, { duration, fill: 'forwards' })
  animation.startTime = pressedAt
  return animation
}

function rotate(angle: number): string {
  return `rotate(${angle.toFixed(3)}deg)`
}

/** The clock of animations. It does not advance within a frame, so all values computed in one frame agree. */
function timelineMs(): number {
  return document.timeline.currentTime as number
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
