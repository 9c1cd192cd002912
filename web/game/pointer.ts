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

const swingMs = 140
const swingDegrees = 16
const leanDegrees = 12

/**
 * Each border that passes pushes the pointer aside. If borders pass faster than it swings back, it stays aside, as a
 * real one does. Only one animation runs at a time: with two on one element, the browser moves both from the compositor
 * to the main thread.
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
