import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { advance, hashOfPlay, type RunEntry, runStart } from '../../src/fairness/award-chain.ts'
import { hashing } from '../../src/fairness/hashing.ts'
import {
  activeThrough,
  activeTime,
  isLastCall,
  momentOf,
  type Pace,
  paceCommitment,
  paceKey,
  releasedBy,
  type Span,
} from '../../src/fairness/pace.ts'
import { type Gate, type GatedPlay, judgeGates, type PacedVersion } from '../../src/fairness/verify-gates.ts'
import {
  checkGates,
  isGateOfRun,
  numbersOf,
  type RevealedRun,
  verifyRun,
} from '../../src/fairness/verify-run.ts'
import { checkPaces } from '../../src/pacing/check-paces.ts'
import { spansOf } from '../../src/pacing/pace-spans.ts'
import { publishedText } from '../../src/wheel-document/published-text.ts'
import { openingAt } from '../../src/wheel-document/schedule.ts'
import {
  defaultWheel,
  type WheelDocument,
  type WheelSegment,
} from '../../src/wheel-document/wheel-document.ts'
import { repository, times } from '../scenes/scene.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const paceOf = (key: string, spans: readonly Span[], units: number, lastCallMs = 0): Pace => ({
  run: 1,
  commitment: paceCommitment(key, hashing),
  units,
  spans,
  lastCallMs,
})

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
]

test('the released units are the count of moments that have passed, in every zone and over daylight saving', () => {
  const schedules = fc.record({
    timeZone: fc.constantFrom(...zones),
    // A day around the changes of spring and autumn, and any other.
    start: fc.constantFrom('2026-03-28', '2026-10-24', '2026-10-31', '2026-04-04', '2026-07-01'),
    length: fc.integer({ min: 1, max: 12 }),
    days: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 4, maxLength: 7 }), {
      nil: undefined,
    }),
    hours: fc.constantFrom(undefined, { from: '01:30', to: '03:30' }, { from: '09:00', to: '18:00' }),
    units: fc.integer({ min: 1, max: 60 }),
    key: fc.integer().map((number) => sha256(`key ${number}`)),
    chances: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
  })
  fc.assert(
    fc.property(schedules, ({ timeZone, start, length, days, hours, units, key, chances }) => {
      const from = `${start}T00:00:00Z`
      const until = new Date(Date.parse(from) + length * 86_400_000).toISOString()
      const wheel: WheelDocument = { ...defaultWheel, timeZone, ...(days && { openDays: days }) }
      const spans = spansOf(wheel, { periods: [{ from, until }], ...(hours && { hours }) })
      fc.pre(spans.length > 0)
      const pace = paceOf(key, spans, units)
      const moments = times(units, (index) => momentOf(pace, key, index + 1, hashing))
      const counted = (at: number) => moments.filter((moment) => moment <= at).length
      const [first, last] = [Date.parse(from), Date.parse(until)]
      const some = chances.map((chance) => Math.floor(first + chance * (last - first)))
      for (const at of [...some, ...moments.flatMap((one) => [one - 1, one, one + 1]), first - 1, last])
        assert.equal(releasedBy(pace, key, at, hashing), counted(at), `at ${at}`)
      assert.equal(counted(last - 1), units, 'all units are released within the active time')
      // The wheel is open at every moment of the active time, by the rule that refuses plays.
      for (const moment of moments) assert.ok(openingAt(wheel, new Date(moment)).isOpen)
    }),
    { numRuns: 60 },
  )
})

test('the active time follows the wall clock over the end of summer time', () => {
  const wheel: WheelDocument = { ...defaultWheel, timeZone: 'Europe/Berlin', openDays: [6, 7, 1] }
  const periods = [{ from: '2026-10-23T22:00:00Z', until: '2026-10-28T00:00:00Z' }]
  const spans = spansOf(wheel, { periods, hours: { from: '02:00', to: '10:00' } })
  assert.deepEqual(
    spans.map(([start, end]) => [new Date(start).toISOString(), (end - start) / 3_600_000]),
    [
      ['2026-10-24T00:00:00.000Z', 8],
      // 02:00 occurs twice; the hours begin with the first.
      ['2026-10-25T00:00:00.000Z', 9],
      ['2026-10-26T01:00:00.000Z', 8],
    ],
  )
  assert.deepEqual(
    spansOf({ ...wheel, openDays: [6, 7] }, { periods }).length,
    1,
    'adjacent days are one span',
  )
})

test('the worked example of a run in docs/fairness.md matches the code', () => {
  const text = readFileSync(join(repository, 'docs', 'fairness.md'), 'utf8')
  const cell = (name: string): string =>
    new RegExp(`\\| ${name}\\s*\\| (.*?)\\s*\\|`).exec(text)?.[1]?.replaceAll('`', '') ?? ''
  const key = cell('`K`')
  const pace = paceOf(key, JSON.parse(cell('spans')) as Span[], Number(cell('`U`')))
  assert.equal(pace.commitment, cell('pace commitment'))
  const moments = times(pace.units, (index) => momentOf(pace, key, index + 1, hashing))
  assert.equal(moments.join(', '), cell('released at'))
  const start = runStart(pace.commitment, hashing)
  assert.equal(start.head, cell('`head\\(0\\)`'))
  const [, at = ''] = /at (\d+)/.exec(cell('entry 1')) ?? []
  const entry: RunEntry = { kind: 'award', unit: 1, at: Number(at), play: hashOfPlay('a', hashing) }
  assert.equal(advance(start, entry, hashing).head, cell('`head\\(1\\)`'))
})

test('pacing never changes: frozen vectors', () => {
  const secret = Buffer.from(sha256('pace vector'), 'hex')
  const key = paceKey(secret, { merchantId: 7, wheelId: 3, prizeId: 'mug', run: 2 }, hashing)
  const spans: Span[] = [
    [1_790_000_000_000, 1_790_000_600_000],
    [1_790_086_400_000, 1_790_087_000_000],
  ]
  const pace = paceOf(key, spans, 5, 60_000)
  const entry: RunEntry = { kind: 'award', unit: 1, at: 1_790_000_123_456, play: hashOfPlay('a', hashing) }
  const start = runStart(pace.commitment, hashing)
  assert.deepEqual(
    {
      key,
      commitment: pace.commitment,
      moments: times(5, (index) => momentOf(pace, key, index + 1, hashing)),
      released: [1_789_999_999_999, 1_790_000_300_000, 1_790_086_500_000, 1_790_087_000_000].map((at) =>
        releasedBy(pace, key, at, hashing),
      ),
      start: start.head,
      head: advance(start, entry, hashing).head,
    },
    {
      key: 'ed07c0320113578610274ef1f1194f8551d5d1bc2ef3d078a3b90c6abdcd5c9a',
      commitment: '25ed31cd0675e9d9a5b981809bc2514c6589a3e9a4026ddcbdc22229c2bbce26',
      moments: [
        1_790_000_068_898, 1_790_000_445_966, 1_790_086_464_606, 1_790_086_738_019, 1_790_086_854_424,
      ],
      released: [0, 1, 3, 5],
      start: 'cd2bfa68e4c84ef3138f2cd86733cda1aee84e7946e3937c2dabeb68f305fd6a',
      head: '4ba9b09a9b31897d77e4622821e086750f3b7f98ebbca9b72035bc7135063506',
    },
  )
  assert.equal(activeTime(spans), 1_200_000)
  assert.equal(activeThrough(spans, 1_790_086_400_000), 600_001)
  assert.equal(isLastCall(pace, 1_790_086_939_999), false)
  assert.equal(isLastCall(pace, 1_790_086_940_000), true)
})

/** A run whose units were all given a millisecond after their moments, to plays named by their number. */
function honestRun(units = 6): RevealedRun {
  const key = sha256('honest')
  const pace = paceOf(key, [[1_790_000_000_000, 1_790_000_600_000]], units)
  const entries = times(units, (index): RunEntry => ({
    kind: 'award',
    unit: index + 1,
    at: momentOf(pace, key, index + 1, hashing),
    play: hashOfPlay(`play ${index + 1}`, hashing),
  }))
  return closed({ ...pace, key, entries, head: '' })
}

function closed(run: RevealedRun): RevealedRun {
  const start = runStart(run.commitment, hashing)
  const { head } = run.entries.reduce((state, entry) => advance(state, entry, hashing), start)
  return { ...run, head }
}

const failing = (run: RevealedRun): string[] =>
  verifyRun(run, false, hashing)
    .filter(({ holds }) => !holds)
    .map(({ name }) => name)

test('a run that cheats is detected, whichever way', () => {
  const run = honestRun()
  assert.deepEqual(failing(run), [])
  const changed = (index: number, entry: Partial<RunEntry>) =>
    run.entries.map((one, at) => (at === index ? { ...one, ...entry } : one))
  const early = closed({ ...run, entries: changed(2, { at: (run.entries[2]?.at ?? 0) - 1 }) })
  assert.deepEqual(failing(early), ['moments'], 'an award before its moment')
  const skipped = closed({ ...run, entries: run.entries.toSpliced(2, 1) })
  assert.ok(failing(skipped).includes('units'), 'a skipped unit')
  assert.deepEqual(failing({ ...run, key: sha256('other') })[0], 'key', 'another key')
  assert.deepEqual(failing({ ...run, entries: run.entries.slice(0, -1) }), ['chain'], 'a hidden award')
  const swapped = { ...run, entries: changed(1, { play: hashOfPlay('another', hashing) }) }
  assert.deepEqual(failing(swapped), ['chain'], 'an award that went to another play')
  const backwards = closed({ ...run, entries: changed(5, { at: run.entries[0]?.at ?? 0 }) })
  assert.ok(failing(backwards).includes('times'))
  const returned: RunEntry = { kind: 'return', unit: 1, at: 1_790_000_500_000, play: sha256('play 1') }
  const again: RunEntry = { kind: 'award', unit: 7, at: 1_790_000_599_000, play: sha256('play 7') }
  const twice = [...run.entries.filter(({ at }) => at < 1_790_000_500_000), returned]
  assert.deepEqual(failing(closed({ ...run, entries: twice })), [])
  assert.deepEqual(failing(closed({ ...run, entries: [...run.entries, again] })), ['moments'], 'one too many')
})

test('a loser alone detects a gate that was wrong', () => {
  const run = honestRun()
  const at = (run.entries[2]?.at ?? 0) + 5
  const state = run.entries
    .slice(0, 3)
    .reduce((before, entry) => advance(before, entry, hashing), runStart(run.commitment, hashing))
  const gate = { segment: 0, run: 1, released: 3, ...state }
  const play = { playId: 'mine', playedAt: new Date(at).toISOString(), isAward: false }
  assert.equal(isGateOfRun(gate, play, run, hashing), true)
  assert.equal(isGateOfRun({ ...gate, released: 2 }, play, run, hashing), false, 'fewer released than were')
  assert.equal(isGateOfRun({ ...gate, awards: 4 }, play, run, hashing), false, 'more given than were')
  assert.equal(isGateOfRun({ ...gate, head: sha256('no') }, play, run, hashing), false, 'another chain')
  const { released: _released, awards: _awards, returned: _returned, ...secret } = gate
  assert.equal(isGateOfRun(secret, play, run, hashing), true, 'the head alone fixes the numbers')
  assert.equal(isGateOfRun({ ...secret, head: sha256('no') }, play, run, hashing), false)
  assert.deepEqual(numbersOf(secret, play, run, hashing), { released: 3, awards: 3, returned: 0 })
})

test('the time of a winning play is that of its award in the chain', () => {
  const run = honestRun()
  const { at = 0 } = run.entries[3] ?? {}
  const { head } = run.entries
    .slice(0, 3)
    .reduce((before, entry) => advance(before, entry, hashing), runStart(run.commitment, hashing))
  const gate: Gate = { segment: 0, run: 1, head }
  const won = { playId: 'play 4', playedAt: new Date(at).toISOString(), isAward: true }
  assert.equal(isGateOfRun(gate, won, run, hashing), true)
  assert.equal(isGateOfRun(gate, { ...won, playId: 'play 5' }, run, hashing), false, 'another winner')
  const moved = { ...won, playedAt: new Date(at + 1).toISOString() }
  assert.equal(isGateOfRun(gate, moved, run, hashing), false, 'the play was moved in time')
  const entries = run.entries.map((entry, index) => (index === 3 ? { ...entry, at: at + 1 } : entry))
  assert.deepEqual(failing({ ...run, entries }), ['chain'], 'the award was moved in time')
  assert.equal(isGateOfRun(gate, won, closed({ ...run, entries }), hashing), false, 'with a new chain')
})

test('a proof without numbers is judged at once as far as it can be, and after the run entirely', () => {
  const run = honestRun()
  const [first, second] = run.entries as [RunEntry, RunEntry]
  const { head } = runStart(run.commitment, hashing)
  const version: PacedVersion = { fallback: 1, segments: [{ pace: run }, {}] }
  const runs = new Map([[run.commitment, run]])
  const play = (segment: number, reason: string | null, at: number, gates?: Gate[]) => ({
    playId: 'play 1',
    segment,
    fallbackReason: reason,
    playedAt: new Date(at).toISOString(),
    proof: { drawn: 0, ...(gates && { gates }) },
  })
  const gate: Gate = { segment: 0, run: 1, head }
  const cases = [
    [play(0, null, first.at, [gate]), 'later', 'proved'],
    [play(1, 'not_released', first.at - 1, [gate]), 'later', 'proved'],
    // The first unit was released, and withheld.
    [play(1, 'not_released', first.at, [gate]), 'later', 'wrong'],
    [play(1, 'not_released', second.at, [{ ...gate, head: sha256('no') }]), 'later', 'wrong'],
    [play(0, null, first.at - 1, [gate]), 'later', 'wrong'],
    [play(1, 'player_limit', first.at, [gate]), 'trusted', 'proved'],
    // A player who can't win learns nothing about the gate.
    [play(1, 'player_limit', first.at), 'trusted', 'proved'],
    [play(1, 'not_released', first.at), 'wrong', 'wrong'],
  ] as const
  for (const [made, atOnce, afterwards] of cases) {
    assert.equal(judgeGates(made, version), atOnce, JSON.stringify(made))
    if (atOnce !== 'wrong')
      assert.equal(checkGates(made, version, runs, hashing), afterwards, JSON.stringify(made))
  }
})

test('the gates in a proof must explain the result, at once', () => {
  const pace = paceOf(sha256('k'), [[1_000, 2_000]], 10, 100)
  const version: PacedVersion = { fallback: 1, segments: [{ pace, cost: 300 }, {}] }
  const gate = { segment: 0, run: 1, released: 4, awards: 3, returned: 0, head: 'x' }
  const shut = { ...gate, awards: 4 }
  const play = (segment: number, reason: string | null, gates: Gate[], ms = 1_500, drawn = 0): GatedPlay => ({
    segment,
    fallbackReason: reason,
    playedAt: new Date(ms).toISOString(),
    proof: { drawn, gates },
  })
  const cases: [GatedPlay, string, PacedVersion?][] = [
    [play(0, null, [gate]), 'proved'],
    [play(0, null, [shut]), 'wrong'],
    [play(0, null, []), 'wrong'],
    [play(1, 'not_released', [shut]), 'proved'],
    [play(1, 'not_released', [gate]), 'wrong'],
    [play(1, 'not_released', [{ ...shut, run: 2 }]), 'wrong'],
    [play(1, 'player_limit', [gate]), 'trusted'],
    [play(1, 'player_limit', [shut]), 'wrong'],
    [play(1, 'not_winnable_now', [], 2_000), 'proved'],
    [play(1, 'not_winnable_now', []), 'wrong'],
    [play(1, null, [], 1_500, 1), 'none'],
    // The last call, from 1,900 on.
    [play(0, null, [gate], 1_950, 1), 'proved'],
    [play(1, null, [shut], 1_950, 1), 'proved'],
    [play(1, null, [gate], 1_950, 1), 'wrong'],
    [play(1, null, [{ ...gate, reason: 'player_limit' }], 1_950, 1), 'trusted'],
    [play(0, null, [gate], 1_850, 1), 'wrong'],
  ]
  const budget = paceOf(sha256('b'), [[1_000, 1_900]], 900)
  const paid = { ...version, budget }
  const money = { segment: null, run: 1, released: 500, awards: 200, returned: 0, head: 'y' }
  cases.push(
    [play(0, null, [gate, money]), 'proved', paid],
    [play(1, 'budget', [gate, { ...money, awards: 201 }]), 'proved', paid],
    [play(1, 'budget', [gate, money]), 'wrong', paid],
    [play(0, null, [gate]), 'wrong', paid],
    [play(1, 'budget', [gate], 1_950), 'proved', paid],
  )
  for (const [made, verdict, of = version] of cases)
    assert.equal(judgeGates(made, of), verdict, JSON.stringify(made))
})

test('a pace or a budget that can not work is refused at publication, with the reason', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  const period = { from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z' }
  const pace = { units: 10, periods: [period] }
  const wheel = (first: Partial<WheelSegment>, rest: Partial<WheelDocument> = {}): WheelDocument => ({
    ...defaultWheel,
    ...rest,
    segments: defaultWheel.segments.map((one, index) => (index === 0 ? { ...one, ...first } : one)),
  })
  const problems = (document: WheelDocument) =>
    checkPaces(document, now, new Map()).map(({ pointer, detail }) => `${pointer} ${detail}`)
  assert.deepEqual(problems(wheel({ pace })), [])
  assert.deepEqual(problems(wheel({ pace, cost: 5 }, { budget: { amount: 50, periods: [period] } })), [])
  const wrong: [WheelDocument, RegExp][] = [
    [
      wheel({
        pace: {
          ...pace,
          periods: [period, { ...period, from: '2026-12-01T23:00:00Z', until: '2026-12-03T00:00:00Z' }],
        },
      }),
      /^\/segments\/0\/pace\/periods overlap/,
    ],
    [
      wheel({ pace: { ...pace, periods: [{ ...period, from: '2026-11-16T11:59:59Z' }] } }),
      /from is in the past/,
    ],
    [
      wheel({ pace: { ...pace, periods: [{ from: period.until, until: period.from }] } }),
      /until must be later/,
    ],
    [
      wheel({ pace: { units: 1001, periods: [{ ...period, until: '2026-12-01T00:00:01Z' }] } }),
      /units are 1001 units, more than the 1000/,
    ],
    [wheel({ pace, stock: 5 }), /^\/segments\/0\/stock does not go with a pace/],
    [wheel({ pace: { ...pace, hours: { from: '10:00', to: '09:00' } } }), /hours\/to must be later/],
    [wheel({ pace: { ...pace, days: [7] } }), /no time in which the wheel is open/],
    [wheel({}, { budget: { amount: 50, periods: [period] } }), /^\/budget needs a prize with a cost/],
    [wheel({ cost: 60 }, { budget: { amount: 50, periods: [period] } }), /more than the whole budget/],
    [wheel({ cost: 0.005 }, { budget: { amount: 50, periods: [period] } }), /parts of a cent/],
  ]
  for (const [document, expected] of wrong) assert.match(problems(document).join('; '), expected)
  // What has begun may stay as it is; a change of it begins a new run.
  const begun = { ...pace, periods: [{ ...period, from: '2026-11-01T00:00:00Z' }] }
  const same: Pace = paceOf(sha256('k'), spansOf(wheel({}), begun), 10)
  const earlier = new Map([['one-spin', same]])
  assert.deepEqual(checkPaces(wheel({ pace: begun }), now, earlier), [])
  assert.equal(checkPaces(wheel({ pace: { ...begun, units: 11 } }), now, earlier).length, 1)
  const fallback = { ...defaultWheel.segments[1], pace } as WheelSegment
  assert.match(publishedText(wheel({ ...fallback, id: 'x' })), /"limited":true/)
})
