/** Calls back for every border that passes the pointer, by the wheel's real angle, until it is stopped. */
import { type Pointer, segmentUnderPointer } from './angle.ts'

/** As often as a frame. Not a frame itself: each would lay out the page anew, 40 % of a slow phone's main thread. */
const lookEveryMs = 16

export function followTicks(
  wheel: () => { angle: number; count: number; pointer: Pointer },
  onTick: () => void,
): () => void {
  let last = segmentUnderPointer(wheel())
  const looking = setInterval(() => {
    const segment = segmentUnderPointer(wheel())
    if (segment !== last && !document.hidden) onTick()
    last = segment
  }, lookEveryMs)
  return () => clearInterval(looking)
}

const swingMs = 140
const swingDegrees = 16
const leanDegrees = 12

/**
 * The pointer gives way to each border that passes. When they come faster than it swings back, it stays pushed aside, as
 * a real one does. One animation at a time: the compositor runs none of two, and the main thread would have to.
 */
export function makeFlap(pointer: HTMLElement, sign: 1 | -1): { push: () => void; end: () => void } {
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
  return { push, end: () => current?.cancel() }
}
