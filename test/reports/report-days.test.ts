import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prizeReports } from '../../src/reports/prize-reports.ts'
import { comparedPeriod, daysBetween, mondayOf, splitMonths } from '../../src/reports/report-days.ts'
import { times } from '../scenes/scene.ts'

test("the days of a report follow the merchant's time zone, across daylight saving changes", () => {
  const hours = (day: { from: Date; to: Date }) => (day.to.getTime() - day.from.getTime()) / 3_600_000
  const autumn = daysBetween('2026-10-24', '2026-10-26', 'Europe/Berlin')
  assert.deepEqual(
    autumn.map((day) => [day.day, day.from.toISOString(), hours(day)]),
    [
      ['2026-10-24', '2026-10-23T22:00:00.000Z', 24],
      ['2026-10-25', '2026-10-24T22:00:00.000Z', 25],
      ['2026-10-26', '2026-10-25T23:00:00.000Z', 24],
    ],
  )
  assert.equal(hours(daysBetween('2026-03-29', '2026-03-29', 'Europe/Berlin')[0] as never), 23)
  assert.equal(
    daysBetween('2026-01-01', '2026-01-01', 'Asia/Kathmandu')[0]?.from.toISOString(),
    '2025-12-31T18:15:00.000Z',
  )
  // Midnight does not exist on this day.
  assert.equal(
    daysBetween('2018-11-04', '2018-11-04', 'America/Sao_Paulo')[0]?.from.toISOString(),
    '2018-11-04T03:00:00.000Z',
  )
})

test('a period is compared with the days before it, or with the same days a week or a year before', () => {
  const march = { from: '2028-02-28', to: '2028-03-01' }
  assert.deepEqual(comparedPeriod(march, 'previous'), { from: '2028-02-25', to: '2028-02-27' })
  assert.deepEqual(comparedPeriod(march, 'week'), { from: '2028-02-21', to: '2028-02-23' })
  assert.deepEqual(comparedPeriod(march, 'year'), { from: '2027-02-28', to: '2027-03-01' })
  assert.deepEqual(['2028-02-28', '2028-03-05'].map(mondayOf), ['2028-02-28', '2028-02-28'])
})

test('a long period is read in whole months, with the days around them', () => {
  const split = (from: string, to: string) => splitMonths({ from, to })
  const spans = (...dates: string[]) =>
    times(dates.length / 2, (at) => ({ from: dates[2 * at], to: dates[2 * at + 1] }))
  assert.deepEqual(split('2027-11-17', '2028-03-05'), {
    months: spans('2027-12-01', '2028-03-01'),
    days: spans('2027-11-17', '2027-12-01', '2028-03-01', '2028-03-05'),
  })
  assert.deepEqual(split('2028-01-01', '2028-02-01'), { months: spans('2028-01-01', '2028-02-01'), days: [] })
  assert.deepEqual(split('2028-01-02', '2028-03-01').days, spans('2028-01-02', '2028-02-01'))
  for (const [from, to] of [
    ['2028-01-02', '2028-02-29'],
    ['2028-02-01', '2028-02-29'],
    ['2028-02-03', '2028-02-04'],
  ] as const)
    assert.deepEqual(split(from, to), { months: [], days: spans(from, to) })
})

test('expected wins are summed over versions with different weights', () => {
  const segment = { wheelId: 1, wheel: 'main', kind: 'handover', cost: 2 }
  const none = { ...segment, kind: 'none', cost: null }
  const [rare] = prizeReports(
    [
      { ...segment, version: 1, segment: 0, prizeId: 'rare', label: 'Old', weight: 1 },
      { ...none, version: 1, segment: 1, prizeId: 'none', label: 'None', weight: 3 },
      { ...segment, version: 2, segment: 1, prizeId: 'rare', label: 'New', weight: 1 },
      { ...none, version: 2, segment: 0, prizeId: 'none', label: 'None', weight: 1 },
    ],
    [
      { wheelId: 1, version: 1, drawn: 0, segment: 0, plays: 20 },
      { wheelId: 1, version: 1, drawn: 1, segment: 1, plays: 80 },
      { wheelId: 1, version: 2, drawn: 1, segment: 1, plays: 30 },
      { wheelId: 1, version: 2, drawn: 1, segment: 0, plays: 10 },
    ],
    [{ wheelId: 1, version: 2, segment: 1, state: 'redeemed', settlements: 7 }],
  )
  assert.deepEqual(rare, {
    wheel: 'main',
    prizeId: 'rare',
    kind: 'handover',
    label: 'New',
    given: 50,
    drawn: 60,
    expected: 25 + 20,
    deviation: Math.hypot(Math.sqrt(100 * 0.25 * 0.75), Math.sqrt(40 * 0.25)),
    cost: 100,
    claimed: 0,
    redeemed: 7,
    cancelled: 0,
    expired: 0,
    reversed: 0,
    held: 0,
    refused: 0,
  })
})
