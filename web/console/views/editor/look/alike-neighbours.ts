import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { distance, isColour } from '../../../../game/look/colour.ts'

/** Neighbours with nearly the same colour. Contrast does not tell: red and green can be equally bright. */
export function alikeNeighbours(segments: readonly WheelSegment[]): [WheelSegment, WheelSegment][] {
  return segments.flatMap((one, index) => {
    const other = segments[(index + 1) % segments.length] as WheelSegment
    const isAlike = isColour(one.color) && isColour(other.color) && distance(one.color, other.color) < 24
    return isAlike ? [[one, other] as [WheelSegment, WheelSegment]] : []
  })
}
