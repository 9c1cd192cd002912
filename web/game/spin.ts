/**
 * Turns the wheel with the Web Animations API: the compositor does the work, so a busy processor does not make it
 * stutter. All times are the document timeline's. What counts at rest is set as a plain style, and a timer stands by for
 * the animation's own end, which never comes while the tab is hidden; so the wheel rests right after any sleep.
 */
import { type Direction, turnOn, wrap } from './angle.ts'
import { angleAt, roundMs, runOutEasing, settle, speedUpEasing, speedUpMs, type Turn } from './motion.ts'

export type Spin = {
  angleNow: () => number
  /** Comes to rest at this angle, and says so. */
  restAt: (angle: number) => Promise<void>
  /** Stops soon, wherever it is: there is no result to show. */
  brake: () => Promise<void>
}

const turnsMin = 1.75
const brakeMs = 900
const graceMs = 150

export function startSpin(disc: HTMLElement, start: { from: number; direction: Direction }): Spin {
  const turn: Turn = { ...start, startMs: now(), settling: null }
  const cruiseMs = turn.startMs + speedUpMs
  const cruiseFrom = angleAt(turn, cruiseMs)
  const round = start.direction === 'clockwise' ? 360 : -360
  const animations: Animation[] = []
  const animate = (
    angles: { from: number; to: number },
    startMs: number,
    timing: KeyframeAnimationOptions,
  ) => {
    const animation = disc.animate(
      [{ transform: rotate(angles.from) }, { transform: rotate(angles.to) }],
      timing,
    )
    animation.startTime = startMs
    animations.push(animation)
    return animation
  }
  animate({ from: turn.from, to: cruiseFrom }, turn.startMs, { duration: speedUpMs, easing: speedUpEasing })
  animate({ from: cruiseFrom, to: cruiseFrom + round }, cruiseMs, { duration: roundMs, iterations: Infinity })

  const runOut = async (to: number, settling: Turn['settling'] & object) => {
    turn.settling = settling
    const { durationMs, startMs, from } = settling
    const last = animate({ from, to }, startMs, {
      duration: durationMs,
      easing: runOutEasing,
      fill: 'forwards',
    })
    await Promise.race([last.finished, pause(startMs - now() + durationMs + graceMs)])
    place(disc, to)
    for (const animation of animations) animation.cancel()
  }
  return {
    angleNow: () => angleAt(turn, now()),
    restAt: (rest) => {
      const startMs = Math.max(now(), cruiseMs)
      const from = angleAt(turn, startMs)
      const to = turnOn({ from, rest, direction: start.direction, turnsMin })
      return runOut(to, settle(from, to, startMs))
    },
    brake: () => {
      const from = angleAt(turn, now())
      return runOut(from + round / 3, { from, to: from + round / 3, startMs: now(), durationMs: brakeMs })
    },
  }
}

/** For those who asked for less motion: no turning, the wheel pales and comes back at its place. */
export function startReveal(disc: HTMLElement, start: { from: number }): Spin {
  let angle = start.from
  disc.animate([{ opacity: 1 }, { opacity: 0.3 }], { duration: 300, fill: 'forwards' })
  const reveal = async (rest: number) => {
    angle = rest
    place(disc, rest)
    const fade = disc.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: 500 })
    await Promise.race([fade.finished, pause(500 + graceMs)])
    for (const animation of disc.getAnimations()) animation.cancel()
  }
  return { angleNow: () => angle, restAt: reveal, brake: () => reveal(angle) }
}

export function place(disc: HTMLElement, angle: number): void {
  disc.style.transform = rotate(wrap(angle))
}

function rotate(angle: number): string {
  return `rotate(${angle.toFixed(3)}deg)`
}

function now(): number {
  return document.timeline.currentTime as number
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
