/**
 * The angle of the wheel, in degrees clockwise. At 0, segment 0 begins at the top and the others follow clockwise.
 * Pure: randomness is an argument, so that a test can try every case.
 */
export type Pointer = 'top' | 'right' | 'bottom' | 'left'
export type Direction = 'clockwise' | 'counterclockwise'

/** `borders`: where each segment begins, and where the last one ends, at 360. */
export type Dial = { borders: readonly number[]; pointer: Pointer }

const pointerAngles: Record<Pointer, number> = { top: 0, right: 90, bottom: 180, left: 270 }

/** How close to a border the wheel may stop, as a share of the segment, so that the result is easy to see. */
export const borderShare = 0.15

/** No segment is narrower, so that its label can be read and its result be seen. */
const degreesMin = 8

export function equalBorders(count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => (index * 360) / count)
}

/** Segments as wide as their chances. Those that would be too narrow get the minimum, at the cost of the others. */
export function bordersByWeight(weights: readonly number[]): number[] {
  const widths = widthsByWeight(weights)
  const borders = widths.reduce((all, width) => [...all, (all.at(-1) as number) + width], [0])
  return borders.with(weights.length, 360)
}

/** An angle at which the segment is under the pointer. `chance` in [0, 1] chooses the place between its borders. */
export function restAngle({ segment, chance, borders, pointer }: Dial & { segment: number; chance: number }) {
  const [from, to] = borders.slice(segment, segment + 2) as [number, number]
  const share = borderShare + chance * (1 - 2 * borderShare)
  return wrap(pointerAngles[pointer] - (from + share * (to - from)))
}

/** The inverse: the segment that is under the pointer. */
export function segmentUnderPointer({ angle, borders, pointer }: Dial & { angle: number }): number {
  const place = wrap(pointerAngles[pointer] - angle)
  return borders.findLastIndex((border, index) => index < borders.length - 1 && border <= place)
}

/** The angle to turn to: `rest` plus whole turns, the first such angle at least `turnsMin` turns ahead. */
export function turnOn(turn: { from: number; rest: number; direction: Direction; turnsMin: number }): number {
  const sign = signOf(turn.direction)
  const nearest = turn.from + sign * turn.turnsMin * 360
  return nearest + sign * wrap(sign * (turn.rest - nearest))
}

export function signOf(direction: Direction): 1 | -1 {
  return direction === 'clockwise' ? 1 : -1
}

/** The same angle in [0, 360). The second remainder is for −1e-20, which would round up to 360. */
export function wrap(angle: number): number {
  return (((angle % 360) + 360) % 360) % 360
}

function widthsByWeight(weights: readonly number[]): number[] {
  const narrow = new Set<number>()
  for (;;) {
    const total = weights.reduce((sum, weight, index) => sum + (narrow.has(index) ? 0 : weight), 0)
    const rest = 360 - narrow.size * degreesMin
    const widths = weights.map((weight, index) => (narrow.has(index) ? degreesMin : (rest * weight) / total))
    const tooNarrow = widths.findIndex((width) => width < degreesMin)
    if (tooNarrow === -1) return widths
    narrow.add(tooNarrow)
  }
}
