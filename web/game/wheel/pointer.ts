/** The pointer: a tick for each segment border that passes it, and the flap that each border pushes aside. */
import { type Dial, segmentUnderPointer } from './angle.ts'

/**
 * About once per frame. An animation frame callback would force a layout of the page each time, which took 40 % of a
 * slow phone's main thread.
 */
const checkEveryMs = 16

/** Calls `onTick` for each border that passes the pointer, by the wheel's real angle. Returns a stop function. */
export function followTicks(wheel: () => Dial & { angle: number }, onTick: () => void): () => void {
  let last = segmentUnderPointer(wheel())
  const timer = setInterval(() => {
    const segment = segmentUnderPointer(wheel())
    if (segment !== last && !document.hidden) onTick()
    last = segment
  }, checkEveryMs)
  return () => clearInterval(timer)
}

type Flap = { swingMs: number; swingDegrees: number }

/** By the theme. */
export const flaps = {
  stiff: { swingMs: 100, swingDegrees: 10 },
  springy: { swingMs: 140, swingDegrees: 16 },
  loose: { swingMs: 190, swingDegrees: 22 },
} satisfies Record<string, Flap>

/**
 * Each border that passes pushes the pointer aside. If borders pass faster than it swings back, it stays aside, as a
 * real one does. Only one animation runs at a time: with two on one element, the browser moves both from the compositor
 * to the main thread.
 */
export function makeFlap(
  pointer: HTMLElement,
  { sign, swingMs, swingDegrees }: Flap & { sign: 1 | -1 },
): { push: () => void; end: () => void } {
  const leanDegrees = swingDegrees * 0.75
  let pushedAtMs = -Infinity
  let isLeaning = false
  let current: Animation | undefined
  const move = (degrees: number[], options: KeyframeAnimationOptions) => {
    current?.cancel()
    current = pointer.animate({ transform: degrees.map((one) => `rotate(${sign * one}deg)`) }, options)
  }
  const push = () => {
    const isFast = performance.now() - pushedAtMs < swingMs
    pushedAtMs = performance.now()
    if (isFast && isLeaning) return
    isLeaning = isFast
    if (isFast) move([swingDegrees, leanDegrees], { duration: 60, fill: 'forwards' })
    else move([0, swingDegrees, swingDegrees / 2, 0], { duration: swingMs })
  }
  /** At rest, it bounces a few more times. */
  const end = () => {
    const bounces = [leanDegrees / 2, -leanDegrees / 3, leanDegrees / 6, 0]
    move(bounces, { duration: swingMs * 3, easing: 'ease-out' })
  }
  return { push, end }
}
