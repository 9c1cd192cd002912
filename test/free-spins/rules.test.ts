// The rules of free spins, without a database: calendars, time zones, streaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ActiveFreeSpinRule } from '../../src/free-spin-rule/free-spin-rule.ts'
import { currentStreak, decideFreeSpins, nextCollection } from '../../src/free-spins/decide-free-spins.ts'
import { periodAt, periodOf } from '../../src/free-spins/periods.ts'
import { previewDays } from '../../src/free-spins/preview-days.ts'
import type { FreeSpinState } from '../../src/players/free-spin-rows.ts'
import type { Schedule } from '../../src/wheel-document/wheel-types.ts'
import { DayModel, dateOfNumber } from './day-model.ts'

const daily: ActiveFreeSpinRule = {
  amount: 1,
  every: 'day',
  at: '00:00',
  weekday: 1,
  zone: 'player',
  bank: 1,
  on: 'visit',
  streaks: [],
  endsAt: null,
  since: '1990-01-01T00:00:00Z',
}
const always: Schedule = { timeZone: 'UTC' }
const zones = [
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
] as const
// Changes of clocks, and the days that Apia and Kiritimati never had.
const starts = [
  '2011-12-24',
  '1994-12-27',
  '2018-10-31',
  '2019-02-13',
  '2026-03-25',
  '2026-10-01',
  '2027-04-01',
]
const hourMs = 3_600_000

const at = (text: string) => new Date(text)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const spans = (zone: string, day: string, count: number, rule: Partial<ActiveFreeSpinRule> = {}) => {
  const first = periodAt({ ...daily, ...rule }, zone, at(day))
  return times(count, (index) => {
    const { startsAt } = periodOf({ ...daily, ...rule }, zone, first.number + index)
    return startsAt.toISOString().replace(':00.000Z', 'Z')
  })
}

test('days and weeks begin by the calendar of the zone', () => {
  assert.deepEqual(spans('Europe/Berlin', '2026-03-28T12:00Z', 3), [
    '2026-03-27T23:00Z',
    '2026-03-28T23:00Z',
    '2026-03-29T22:00Z',
  ])
  // 02:30 does not exist on 29 March, and comes twice on 25 October.
  assert.equal(spans('Europe/Berlin', '2026-03-29T12:00Z', 1, { at: '02:30' })[0], '2026-03-29T01:30Z')
  assert.equal(spans('Europe/Berlin', '2026-10-25T12:00Z', 1, { at: '02:30' })[0], '2026-10-25T00:30Z')
  // Midnight itself is skipped.
  assert.equal(spans('America/Sao_Paulo', '2018-11-04T12:00Z', 1)[0], '2018-11-04T03:00Z')
  // Half an hour.
  assert.deepEqual(spans('Australia/Lord_Howe', '2026-04-04T15:00Z', 2), [
    '2026-04-04T13:00Z',
    '2026-04-05T13:30Z',
  ])
  // There was no 30 December.
  assert.deepEqual(spans('Pacific/Apia', '2011-12-29T20:00Z', 3), [
    '2011-12-29T10:00Z',
    '2011-12-30T10:00Z',
    '2011-12-30T10:00Z',
  ])
  const week = { every: 'week', weekday: 6, at: '18:00' }
  assert.deepEqual(spans('Europe/Berlin', '2026-10-24T15:59Z', 2, week), [
    '2026-10-17T16:00Z',
    '2026-10-24T16:00Z',
  ])
  assert.equal(spans('Europe/Berlin', '2026-10-25T12:00Z', 1, { every: 'PT4H' })[0], '2026-10-25T12:00Z')
})

test('free spins are those of a list of lots, in five zones and across changes of clocks', () => {
  const step = fc.record({
    minutes: fc.integer({ min: 1, max: 3 * 1_440 }),
    uses: fc.integer({ min: 0, max: 2 }),
  })
  const property = fc.property(
    fc.constantFrom(...zones),
    fc.constantFrom(...starts),
    fc.integer({ min: 1, max: 4 }),
    fc.array(step, { minLength: 5, maxLength: 15 }),
    (zone, start, bank, steps) => {
      const model = new DayModel(zone, bank)
      let state: FreeSpinState | undefined
      let lots: { expiresAt: Date; left: number }[] = []
      let now = Date.parse(`${start}T00:00:00Z`)
      for (const { minutes, uses } of steps) {
        const then = now
        now += minutes * 60_000
        model.pass(then, now)
        lots = lots.filter(({ expiresAt }) => expiresAt.getTime() > now)
        const rule = { ...daily, bank }
        const given = { rule, schedule: always, state, timeZone: zone, interruptions: [], now: new Date(now) }
        const next = nextCollection({ ...given, now: new Date(then) })
        const decided = decideFreeSpins(given)
        const expected = model.visit(now)
        assert.deepEqual(
          decided?.due.map(({ period, amount }) => ({ date: dateOfNumber(period), spins: amount })) ?? [],
          expected,
        )
        if (state !== undefined && next !== undefined)
          assert.equal(next.getTime() <= now, expected.length > 0, 'what was announced comes')
        state = decided?.state ?? state
        lots.push(...(decided?.due ?? []).map(({ expiresAt, amount }) => ({ expiresAt, left: amount })))
        let due = uses
        for (const lot of lots) {
          const used = Math.min(due, lot.left)
          lot.left -= used
          due -= used
        }
        model.use(uses)
        assert.equal(
          lots.reduce((sum, { left }) => sum + left, 0),
          model.spins,
        )
        assert.equal(state?.streak, model.streak)
      }
    },
  )
  fc.assert(property, { numRuns: 100 })
})

test('26 zones in a day give at most two free spins, and nobody gains by moving', () => {
  const everywhere = times(
    26,
    (index) => `Etc/GMT${index < 14 ? '-' : '+'}${index < 14 ? 14 - index : index - 13}`,
  )
  const property = fc.property(
    fc.shuffledSubarray(everywhere, { minLength: 26 }),
    fc.integer({ min: 0, max: 48 }),
    (order, offset) => {
      let state: FreeSpinState | undefined
      const collected: { at: number; startsAt: number }[] = []
      for (let half = 0; half < 30 * 48; half++) {
        const now = new Date(Date.UTC(2026, 4, 1) + (offset + half) * (hourMs / 2))
        const timeZone = order[half % order.length] as string
        const given = { rule: daily, schedule: always, state, timeZone, interruptions: [], now }
        const zone = state?.timeZone ?? timeZone
        const decided = decideFreeSpins(given)
        if (decided === undefined) continue
        collected.push({ at: now.getTime(), startsAt: periodAt(daily, zone, now).startsAt.getTime() })
        state = decided.state
      }
      for (const [index, { at: moment, startsAt }] of collected.entries()) {
        const within = collected.filter((one) => one.at >= moment && one.at < moment + 24 * hourMs)
        assert.ok(within.length <= 2)
        if (index > 0) assert.ok(startsAt - (collected[index - 1]?.startsAt ?? 0) >= 20 * hourMs)
      }
      assert.ok(collected.length <= 31)
      assert.equal(state?.streak, collected.length, 'a move breaks no streak')
    },
  )
  fc.assert(property, { numRuns: 8 })
})

test('a wrong clock never gives a period twice', () => {
  const jump = fc.integer({ min: -40 * 24, max: 40 * 24 })
  const property = fc.property(fc.array(jump, { minLength: 2, maxLength: 40 }), (jumps) => {
    let state: FreeSpinState | undefined
    const given: number[] = []
    for (const hours of jumps) {
      const now = new Date(Date.UTC(2026, 4, 1) + hours * hourMs)
      const one = { rule: { ...daily, bank: 3 }, schedule: always, state, interruptions: [], now }
      const decided = decideFreeSpins(one)
      given.push(...(decided?.due.map(({ period }) => period) ?? []))
      state = decided?.state ?? state
    }
    assert.deepEqual(
      given,
      [...new Set(given)].toSorted((one, other) => one - other),
    )
  })
  fc.assert(property)
})

test('closed days, pauses and outages break no streak, and a missed open day does', () => {
  const weekdays: Schedule = {
    timeZone: 'Europe/Berlin',
    openDays: [1, 2, 3, 4, 5],
    openHours: { from: '09:00', to: '17:00' },
  }
  const rule = { ...daily, streaks: [{ length: 3, spins: 5 }] }
  const visit = (state: FreeSpinState | undefined, now: string, interruptions: [string, string][] = []) => {
    const breaks = interruptions.map(([from, to]) => ({ startsAt: at(from), endsAt: at(to) }))
    const given = {
      rule,
      schedule: weekdays,
      state,
      timeZone: 'Europe/Berlin',
      interruptions: breaks,
      now: at(now),
    }
    return { decided: decideFreeSpins(given), streak: currentStreak(given), next: nextCollection(given) }
  }
  const thursday = visit(undefined, '2026-11-12T09:00Z').decided
  const friday = visit(thursday?.state, '2026-11-13T09:00Z').decided
  assert.equal(friday?.state.streak, 2)
  // The weekend is closed, and so is the evening.
  const sunday = visit(friday?.state, '2026-11-15T09:00Z')
  assert.deepEqual([sunday.decided, sunday.streak, sunday.next], [undefined, 2, at('2026-11-16T08:00Z')])
  const monday = visit(friday?.state, '2026-11-16T15:59Z').decided
  assert.deepEqual([monday?.state.streak, monday?.due[0]?.amount], [3, 6], 'with the extra spins')
  assert.equal(visit(friday?.state, '2026-11-16T16:00Z').decided, undefined)
  const late = visit(friday?.state, '2026-11-17T09:00Z')
  assert.deepEqual([late.decided?.state.streak, late.streak, late.decided?.state.bestStreak], [1, 0, 2])
  const hour: [string, string] = ['2026-11-16T13:00Z', '2026-11-16T14:00Z']
  assert.equal(visit(friday?.state, '2026-11-17T09:00Z', [hour]).decided?.state.streak, 3)
  const moment: [string, string] = ['2026-11-16T13:00Z', '2026-11-16T13:59Z']
  assert.equal(visit(friday?.state, '2026-11-17T09:00Z', [moment]).decided?.state.streak, 1)
  assert.equal(visit(friday?.state, '2026-11-17T09:00Z', [moment, moment]).decided?.state.streak, 1)
  const minute: [string, string] = ['2026-11-16T15:00Z', '2026-11-16T15:01Z']
  assert.equal(visit(friday?.state, '2026-11-17T09:00Z', [minute, moment]).decided?.state.streak, 3)
})

test('a spin comes when it was announced, and a new time zone counts once that spin is collected', () => {
  const berlin = { rule: daily, schedule: always, timeZone: 'Europe/Berlin', interruptions: [] }
  const first = decideFreeSpins({ ...berlin, state: undefined, now: at('2026-05-01T10:00Z') })
  const midnight = at('2026-05-01T22:00Z')
  assert.deepEqual(nextCollection({ ...berlin, state: first?.state, now: at('2026-05-01T11:00Z') }), midnight)
  // The player opens the game in New York, where it is still 1 May at that time.
  const moved = { ...berlin, timeZone: 'America/New_York', state: first?.state }
  assert.deepEqual(nextCollection({ ...moved, now: at('2026-05-01T20:00Z') }), midnight)
  assert.equal(decideFreeSpins({ ...moved, now: new Date(midnight.getTime() - 1) }), undefined)
  const second = decideFreeSpins({ ...moved, now: midnight })
  assert.deepEqual([second?.timeZone, second?.state.timeZone], ['Europe/Berlin', 'America/New_York'])
  const later = { ...moved, state: second?.state }
  assert.deepEqual(nextCollection({ ...later, now: at('2026-05-01T23:00Z') }), at('2026-05-03T04:00Z'))
})

test('a bank begins with the first visit, and saves spins but no streak', () => {
  const rule = { ...daily, bank: 3, streaks: [{ length: 2, spins: 5 }] }
  const given = { rule, schedule: always, timeZone: 'UTC', interruptions: [] }
  const first = decideFreeSpins({ ...given, state: undefined, now: at('2026-05-10T10:00Z') })
  assert.deepEqual([first?.due.length, first?.state.streak], [1, 1])
  const back = decideFreeSpins({ ...given, state: first?.state, now: at('2026-05-12T10:00Z') })
  assert.deepEqual(
    back?.due.map(({ amount, streak }) => [amount, streak]),
    [
      [1, null],
      [1, 1],
    ],
    'the missed day gives its spin, and the streak begins anew',
  )
})

test('another rule counts from the next period on, and another time zone once in seven days', () => {
  const first = decideFreeSpins({
    rule: daily,
    schedule: always,
    state: undefined,
    timeZone: 'Europe/Berlin',
    interruptions: [],
    now: at('2026-05-01T10:00Z'),
  })
  const visit = (now: string, more: object = {}) =>
    decideFreeSpins({
      rule: daily,
      schedule: always,
      state: first?.state,
      timeZone: 'Asia/Tokyo',
      interruptions: [],
      now: at(now),
      ...more,
    })
  assert.equal(
    visit('2026-05-01T16:00Z'),
    undefined,
    'in Tokyo it is 2 May, but the day in Berlin is not over',
  )
  const moved = visit('2026-05-01T22:00Z')
  assert.equal(moved?.state.timeZone, 'Asia/Tokyo')
  // It is 3 May in Tokyo at 15:00, before 2 May is over in Berlin.
  assert.equal(visit('2026-05-02T15:00Z', { state: moved?.state }), undefined)
  assert.equal(visit('2026-05-03T15:00Z', { state: moved?.state })?.state.streak, 3)
  // Once in seven days.
  const back = visit('2026-05-03T15:00Z', { state: moved?.state, timeZone: 'Europe/Berlin' })
  assert.equal(back?.state.timeZone, 'Asia/Tokyo')
  // Every four hours instead of daily: the next period is the first.
  const often = { rule: { ...daily, every: 'PT4H', since: '2026-05-01T10:30Z' } }
  assert.equal(visit('2026-05-01T11:59Z', often), undefined)
  assert.equal(visit('2026-05-01T12:00Z', often)?.due.length, 1)
  // The clock of a server was wrong: the next period is far away.
  const ahead = { ...often, state: visit('2026-07-01T12:00Z', often)?.state }
  assert.equal(visit('2026-05-01T12:00Z', ahead), undefined)
  const given = { schedule: always, interruptions: [], now: at('2026-05-01T12:00Z'), ...ahead }
  assert.deepEqual(nextCollection(given), at('2026-07-01T16:00Z'))
  const ended = { rule: { ...daily, endsAt: '2026-05-02T09:00Z' } }
  assert.equal(visit('2026-05-02T08:59Z', ended)?.due.length, 1)
  assert.equal(visit('2026-05-02T09:00Z', ended), undefined)
})

test('the days of a preview are those of the calendar, with the hours that they have', () => {
  const daysOf = (timeZone: string, now: string, schedule: Partial<Schedule> = {}) =>
    previewDays({ timeZone, ...schedule }, { timeZone, now: new Date(now), count: 4 }).map(
      ({ date, startsAt, endsAt, isOpen }) => [
        date,
        (endsAt.getTime() - startsAt.getTime()) / 3_600_000,
        isOpen,
      ],
    )
  const hours = { openDays: [4, 6, 7], openHours: { from: '09:00', to: '18:00' } }
  // On Thursday evening it has closed for the day.
  assert.deepEqual(daysOf('Europe/Berlin', '2027-03-25T20:00:00Z', hours), [
    ['2027-03-25', 24, false],
    ['2027-03-26', 24, false],
    ['2027-03-27', 24, true],
    ['2027-03-28', 23, true],
  ])
  assert.deepEqual(daysOf('Pacific/Apia', '2011-12-29T12:00:00Z'), [
    ['2011-12-29', 24, true],
    ['2011-12-31', 24, true],
    ['2012-01-01', 24, true],
  ])
})
