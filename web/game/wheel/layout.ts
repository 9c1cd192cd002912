/** The places for a label and its icon in a segment that points up, on a disc of radius 100. Pure. */
import type { Pointer } from './angle.ts'
import { lineHeight, type Room } from './label.ts'

export type Layout = {
  /** The rotation of the text, upright under the pointer where there is room. */
  turn: number
  label: Room
  icon: { radius: number; size: number }
}

type Place = { degrees: number; pointer: Pointer; hasIcon: boolean; isEmoji: boolean }

/** The hub covers the middle, and the pointer's tip the rim. */
const inner = 33
const outer = 91
const rim = 96

/** The ways to write the label, the preferred one first. */
export function layoutsOf(place: Place): Layout[] {
  const isPointerVertical = place.pointer === 'top' || place.pointer === 'bottom'
  return isPointerVertical && place.degrees >= 40
    ? [acrossSegment(place), alongSegment(place)]
    : [alongSegment(place)]
}

/** Lines from side to side, which get wider towards the rim. */
function acrossSegment({ degrees, pointer, hasIcon, isEmoji }: Place): Layout {
  const top = hasIcon ? 70 : 88
  const preferred = hasIcon ? 57 : 66
  const isUpright = pointer === 'top'
  return {
    turn: isUpright ? 0 : 180,
    icon: { radius: 80, size: 18 },
    label: {
      sizeMax: isEmoji ? 30 : degrees >= 90 ? 14 : degrees >= 60 ? 12 : 10.5,
      linesMax: 4,
      fit: (lines, size) => {
        const height = lines * size * lineHeight
        if (height > top - inner) return null
        // As far out as needed: there the lines are longest.
        const radius = Math.max(Math.min(preferred, top - height / 2), inner + height / 2)
        return [radius, top - height / 2].map((middle) => ({
          radius: middle,
          widths: Array.from({ length: lines }, (_, line) => {
            const fromInside = isUpright ? lines - 1 - line : line
            const bottom = middle - height / 2 + fromInside * size * lineHeight
            return chord(bottom - size * 0.08, bottom + size * lineHeight, degrees) * 0.94
          }),
        }))
      },
    },
  }
}

/** Lines from the middle to the rim, side by side. */
function alongSegment({ degrees, pointer, hasIcon, isEmoji }: Place): Layout {
  const iconSize = Math.min(16, chord(78, 90, degrees) * 0.75)
  const end = hasIcon ? outer - iconSize - 2 : outer
  return {
    turn: pointer === 'left' ? 90 : -90,
    icon: { radius: outer - iconSize / 2, size: iconSize },
    label: {
      sizeMax: isEmoji ? 26 : 11,
      linesMax: degrees >= 28 ? 3 : 2,
      fit: (lines, size) => {
        const half = (lines * size * lineHeight) / 2 + size * 0.08
        const from = Math.max(inner, half / Math.tan(radians(Math.min(degrees, 170) / 2)) + 0.5)
        const to = Math.min(end, Math.sqrt(Math.max(0, rim ** 2 - half ** 2)))
        if (to - from < size) return null
        const width = (to - from) * 0.97
        return [{ radius: (from + to) / 2, widths: Array.from({ length: lines }, () => width) }]
      },
    },
  }
}

/** The width at the narrowest place between two radii, within the segment and the rim. */
function chord(bottom: number, top: number, degrees: number): number {
  const inSegment = degrees >= 170 ? Infinity : bottom * Math.tan(radians(degrees / 2))
  return 2 * Math.min(inSegment, Math.sqrt(Math.max(0, rim ** 2 - top ** 2)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
