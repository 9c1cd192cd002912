// What a publication changes for players and for the budget, as pure rules.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { effectsOf, type Facts, usualPlays } from '../../web/console/views/editor/publishing/effects.ts'

const at = Date.parse('2026-11-18T12:00:00Z')
const facts: Facts = { at, given: new Map(), codesLeft: new Map(), playsPerDay: 100 }

/** Two prizes, which are won at 12 % and 8 %, and nothing. */
function wheelWith(mug: Partial<WheelSegment> = {}, rest: Partial<WheelDocument> = {}): WheelDocument {
  const [fallback] = defaultWheel.segments.filter(({ id }) => id === defaultWheel.fallback)
  assert(fallback !== undefined)
  const prize = { ...fallback, prize: { kind: 'handover' as const } }
  return {
    ...defaultWheel,
    segments: [
      { ...prize, id: 'mug', label: 'Mug', weight: 12, cost: 2, ...mug },
      { ...prize, id: 'pen', label: 'Pen', weight: 8, cost: 0.5 },
      { ...fallback, weight: 80 },
    ],
    ...rest,
  }
}

const seriousOf = (
  mug: Partial<WheelSegment>,
  more: Partial<Facts> = {},
  rest: Partial<WheelDocument> = {},
) => effectsOf(wheelWith(), wheelWith(mug, rest), { ...facts, ...more }).serious.join(' | ')

test('a weight of 1,200 in the place of 12 is told: chances, and what a spin costs', () => {
  const { chances, serious, hasOtherChances } = effectsOf(wheelWith(), wheelWith({ weight: 1_200 }), facts)
  assert.deepEqual(
    chances.map(({ label, before, after, isJump }) => [label, before, after, isJump]),
    [
      ['Mug', '12%', '93.17%', true],
      ['Pen', '8%', '0.62%', true],
      ['No prize', '80%', '6.21%', false],
    ],
  )
  assert.deepEqual([serious.length, hasOtherChances], [3, true])
  assert.match(serious.join(), /Mug is won 7\.8 times as often: 93\.17% instead of 12%/)
  assert.match(serious.join(), /Less than half as often as before: Pen\./)
  assert.match(serious.join(), /A spin costs 1\.87 on average, instead of 0\.28\./)
})

test('a harmless change has no serious effect, and neither has a first version', () => {
  assert.equal(seriousOf({ label: 'Cup', weight: 14, stock: 50 }), '')
  const first = effectsOf(undefined, wheelWith(), facts)
  assert.deepEqual([first.serious, first.known, first.outdated], [[], [], []])
  assert.deepEqual(
    first.chances.map(({ before }) => before),
    [null, null, null],
  )
})

test('a prize that can not be won is told, with the reason', () => {
  const day = (text: string) => `2026-11-${text}T00:00:00Z`
  assert.match(seriousOf({ weight: 0 }), /Mug can’t be won: its weight is 0\./)
  assert.match(seriousOf({ stock: 5 }, { given: new Map([['mug', 5]]) }), /Mug is gone: all 5 were won\./)
  assert.match(seriousOf({ winnableUntil: day('17') }), /Mug can’t be won any more: its time ended on/)
  assert.match(
    seriousOf({ winnableFrom: day('25') }, {}, { closesAt: day('20') }),
    /Mug can’t be won: its time begins on .*, and the wheel closes before\./,
  )
  const budget = { amount: 10, periods: [{ from: day('01'), until: day('30') }] }
  assert.match(
    seriousOf({ cost: 20 }, {}, { budget }),
    /Mug can’t be won: it costs more than the whole budget/,
  )
})

test('a prize that could not be won before either needs no confirmation', () => {
  const before = wheelWith({ weight: 0 })
  const { serious, known } = effectsOf(before, { ...before, name: 'Other' }, facts)
  assert.deepEqual([serious, known], [[], ['Mug can’t be won: its weight is 0.']])
  assert.match(
    effectsOf(before, wheelWith(), facts).serious.join(),
    /Mug could not be won before\. Now its chance is 12%/,
  )
})

test('codes that do not last are told, by the plays of a usual day', () => {
  const pool = { prize: { kind: 'pool' as const, pool: 'mugs' } }
  const withCodes = (count: number, more: object = {}) => ({ codesLeft: new Map([['mugs', count]]), ...more })
  assert.match(
    seriousOf(pool, withCodes(120)),
    /The codes of “mugs” last for about 10 days: 120 are left, and 12 wins a day are expected\./,
  )
  assert.equal(seriousOf(pool, withCodes(400)), '')
  assert.equal(seriousOf(pool, withCodes(120), { closesAt: '2026-11-25T00:00:00Z' }), '')
  assert.equal(seriousOf(pool, withCodes(120, { playsPerDay: undefined })), '')
  assert.equal(seriousOf({ ...pool, stock: 100 }, withCodes(120)), '')
})

test('the plays of a usual day are those of the last week, without today, since the first play', () => {
  const days = (...plays: number[]) => plays.map((one) => ({ plays: one }))
  assert.equal(usualPlays(days(900, 0, 0, 0, 0, 10, 20, 0, 5)), 10)
  assert.equal(usualPlays(days(0, 0, 0, 0, 0, 0, 0, 0, 7)), 7)
  assert.equal(usualPlays(days(0, 0, 0)), undefined)
  assert.equal(usualPlays([]), undefined)
})
