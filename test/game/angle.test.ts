import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  bordersByWeight,
  borderShare,
  type Direction,
  equalBorders,
  type Pointer,
  restAngle,
  segmentUnderPointer,
  signOf,
  turnOn,
  wrap,
} from '../../web/game/wheel/angle.ts'
import {
  angleAt,
  fullSpeed,
  pathOf,
  settle,
  type Settling,
  speedUpMs,
  type Turn,
} from '../../web/game/wheel/motion.ts'

const pointer = fc.constantFrom<Pointer>('top', 'right', 'bottom', 'left')
const direction = fc.constantFrom<Direction>('clockwise', 'counterclockwise')
const chance = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))
const angle = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const turns = fc.double({ min: 0, max: 9, noNaN: true })
/** Equal segments, or segments by weight, of which some may be 0. */
const borders = fc.oneof(
  fc.integer({ min: 2, max: 24 }).map(equalBorders),
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 1e9 })), {
      minLength: 2,
      maxLength: 24,
    })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map(bordersByWeight),
)
const dial = borders.chain((all) =>
  fc.record({ borders: fc.constant(all), segment: fc.integer({ min: 0, max: all.length - 2 }), pointer }),
)

test('the wheel stops inside the drawn segment, for every count, pointer, direction and random offset', () => {
  fc.assert(
    fc.property(dial, chance, direction, angle, turns, (place, where, way, from, turnsMin) => {
      const rest = restAngle({ ...place, chance: where })
      const to = turnOn({ from, rest, direction: way, turnsMin })
      assert.equal(segmentUnderPointer({ ...place, angle: rest }), place.segment)
      assert.equal(segmentUnderPointer({ ...place, angle: to }), place.segment)
    }),
    { numRuns: 5_000 },
  )
})

test('the wheel never stops on a border or near one', () => {
  fc.assert(
    fc.property(dial, chance, fc.constantFrom(-1, 1), (place, where, side) => {
      const rest = restAngle({ ...place, chance: where })
      const [from, to] = place.borders.slice(place.segment, place.segment + 2) as [number, number]
      const nudged = rest + side * (to - from) * borderShare * 0.99
      assert.equal(segmentUnderPointer({ ...place, angle: nudged }), place.segment)
    }),
  )
})

test('segments by weight are as wide as their chances, and none is too narrow to be seen', () => {
  assert.deepEqual(bordersByWeight([1, 2, 1]), [0, 90, 270, 360])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 24 }), (weights) => {
      const all = bordersByWeight(weights)
      const widths = weights.map((_, index) => (all[index + 1] as number) - (all[index] as number))
      assert.ok(widths.every((width) => width > 7.99))
      const [large, other] = weights
        .map((weight, index) => ({ weight, width: widths[index] as number }))
        .filter(({ width }) => width > 8.01)
      if (large !== undefined && other !== undefined)
        assert.ok(Math.abs(large.width / other.width - large.weight / other.weight) < 1e-6)
    }),
  )
})

test('the wheel turns in the right direction, by at least the minimum number of turns and less than one more', () => {
  fc.assert(
    fc.property(angle, angle, direction, turns, (from, rest, way, turnsMin) => {
      const distance = (turnOn({ from, rest, direction: way, turnsMin }) - from) * signOf(way)
      assert.ok(distance >= turnsMin * 360 - 1e-6 && distance < (turnsMin + 1) * 360 + 1e-6)
    }),
  )
})

test('an angle is normalised to one turn', () => {
  fc.assert(fc.property(angle, (any) => assert.ok(wrap(any) >= 0 && wrap(any) < 360)))
  assert.equal(wrap(-1e-20), 0)
})

const settled = fc
  .record({
    direction,
    from: fc.double({ min: 0, max: 360, noNaN: true }),
    startSpeed: fc.double({ min: 0, max: fullSpeed, noNaN: true }),
    waitMs: fc.integer({ min: 0, max: 30_000 }),
    rest: fc.double({ min: 0, max: 360, noNaN: true }),
  })
  .map(({ waitMs, rest, ...start }): Turn & { settling: Settling } => {
    const turn: Turn = { ...start, settling: null }
    const startMs = Math.max(waitMs, speedUpMs)
    const to = turnOn({ ...start, from: angleAt(turn, startMs), rest, turnsMin: 1.75 })
    return { ...turn, settling: settle(turn, startMs, to) }
  })

test('the wheel only moves forward, without a jump, from the press through the wait to the stop', () => {
  fc.assert(
    fc.property(settled, (turn) => {
      const { startMs, durationMs, to } = turn.settling
      const frameMs = 1000 / 60
      let last = turn.from
      for (let timeMs = 0; timeMs <= startMs + durationMs + frameMs; timeMs += frameMs) {
        const step = (angleAt(turn, timeMs) - last) * signOf(turn.direction)
        assert.ok(step >= -1e-6 && step < 12, `a step of ${step}° at ${timeMs} ms`)
        last = angleAt(turn, timeMs)
      }
      assert.equal(last, to)
    }),
  )
})

/** A browser's easing between two keyframes, for the curves used here, whose x is linear in time. */
function eased(easing: string, x: number): number {
  if (easing === 'linear') return x
  const [x1, y1, x2, y2] = (easing.match(/[\d.]+/g) as string[]).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  assert.deepEqual([x1, x2], [0.333333, 0.666667])
  return 3 * x * (1 - x) ** 2 * y1 + 3 * x ** 2 * (1 - x) * y2 + x ** 3
}

test('the browser animates exactly the computed path', () => {
  fc.assert(
    fc.property(settled, fc.double({ min: 0, max: 1, noNaN: true }), (turn, x) => {
      const path = pathOf(turn)
      for (const [index, corner] of path.slice(0, -1).entries()) {
        const next = path[index + 1] as typeof corner
        const computed = angleAt(turn, corner.atMs + (next.atMs - corner.atMs) * x)
        const followed = corner.angle + (next.angle - corner.angle) * eased(corner.easing, x)
        assert.ok(Math.abs(computed - followed) < 0.01, `${computed}° and ${followed}°`)
      }
    }),
  )
})
