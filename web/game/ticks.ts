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

/** The pointer gives way to the border that passes; when they pass faster than it swings back, to every few of them. */
export function flap(pointer: HTMLElement, sign: 1 | -1): void {
  if (pointer.getAnimations().length > 0) return
  pointer.animate([{ rotate: '0deg' }, { rotate: `${sign * 16}deg`, offset: 0.3 }, { rotate: '0deg' }], 140)
}
