/** Calls back for every border that passes the pointer, by the wheel's real angle, until it is stopped. */
import { type Pointer, segmentUnderPointer } from './angle.ts'

export function followTicks(
  wheel: () => { angle: number; count: number; pointer: Pointer },
  onTick: () => void,
): () => void {
  let last = segmentUnderPointer(wheel())
  let frame = requestAnimationFrame(function look() {
    const segment = segmentUnderPointer(wheel())
    if (segment !== last) onTick()
    last = segment
    frame = requestAnimationFrame(look)
  })
  return () => cancelAnimationFrame(frame)
}

/** The pointer gives way to the border that passes. */
export function flap(pointer: HTMLElement, sign: 1 | -1): void {
  pointer.animate([{ rotate: '0deg' }, { rotate: `${sign * 16}deg`, offset: 0.3 }, { rotate: '0deg' }], 140)
}
