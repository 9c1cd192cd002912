/** The position of a label and its icon in a segment that points up, on a disc of radius 100. Pure. */
import type { Pointer } from './angle.ts'

export type Layout = {
  /** The rotation of the text, upright under the pointer where there is room. */
  turn: number
  label: { radius: number; width: number; height: number; size: number }
  icon: { radius: number; size: number }
}

/** The hub covers the middle, and the pointer's tip the rim. */
const inner = 32
const outer = 92

type Place = { count: number; pointer: Pointer; hasIcon: boolean }

export function layoutOf(segment: Place): Layout {
  const isPointerVertical = segment.pointer === 'top' || segment.pointer === 'bottom'
  return isPointerVertical && segment.count <= 8 ? acrossSegment(segment) : alongSegment(segment)
}

function acrossSegment({ count, pointer, hasIcon }: Place): Layout {
  const radius = hasIcon ? 57 : 66
  return {
    turn: pointer === 'top' ? 0 : 180,
    label: {
      radius,
      width: Math.min(100, widthAt(radius - 6, count) * 0.86),
      height: hasIcon ? 26 : 36,
      size: count <= 4 ? 13 : count <= 6 ? 11 : 10,
    },
    icon: { radius: 80, size: 18 },
  }
}

function alongSegment({ count, pointer, hasIcon }: Place): Layout {
  const iconSize = Math.min(16, widthAt(84, count) * 0.7)
  const end = hasIcon ? outer - iconSize - 2 : outer
  const height = widthAt(inner + 14, count) * 0.84
  return {
    turn: pointer === 'left' ? 90 : -90,
    label: { radius: (inner + end) / 2, width: end - inner, height, size: Math.min(11, height / 1.12) },
    icon: { radius: outer - iconSize / 2, size: iconSize },
  }
}

function widthAt(radius: number, count: number): number {
  return 2 * radius * Math.tan(Math.PI / Math.max(3, count))
}
