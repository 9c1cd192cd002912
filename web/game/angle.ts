/**
 * The angle of the wheel, in degrees clockwise. At 0, segment 0 begins at the top and the others follow clockwise, all
 * equally wide. Pure: randomness is an argument, so that a test can try every case.
 */
export type Pointer = 'top' | 'right' | 'bottom' | 'left'
export type Direction = 'clockwise' | 'counterclockwise'

type Dial = { count: number; pointer: Pointer }

const pointerAngles: Record<Pointer, number> = { top: 0, right: 90, bottom: 180, left: 270 }

/** How close to a border the wheel may stop, as a share of the segment, so that the result is easy to see. */
export const borderShare = 0.15

/** An angle at which the segment is under the pointer. `chance` in [0, 1] chooses the place between its borders. */
export function restAngle({ segment, chance, count, pointer }: Dial & { segment: number; chance: number }) {
  const share = borderShare + chance * (1 - 2 * borderShare)
  return wrap(pointerAngles[pointer] - ((segment + share) * 360) / count)
}

/** The inverse: the segment that is under the pointer. */
export function segmentUnderPointer({ angle, count, pointer }: Dial & { angle: number }): number {
  return Math.floor((wrap(pointerAngles[pointer] - angle) * count) / 360) % count
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
