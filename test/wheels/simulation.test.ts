import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedDays } from '../../src/simulation/expected-days.ts'
import { type ForecastOrder, forecastWheel } from '../../src/simulation/forecast-wheel.ts'
import { Forecasts } from '../../src/simulation/forecasts.ts'
import type { WheelSegment } from '../../src/wheel-document/wheel-document.ts'
import { alwaysWins } from '../scenes/management-scene.ts'

const start = new Date('2026-11-16T00:00:00Z')
const nothing = { stocks: [], pools: [] }

/** A forecast of a wheel that always draws its first prize, for five days with ten plays each. */
function forecast(first: Partial<WheelSegment>, order: Partial<ForecastOrder> = {}) {
  const wheel = order.wheel ?? alwaysWins(first)
  return forecastWheel({
    facts: nothing,
    start,
    days: 5,
    playsPerDay: 10,
    spinsPerPlayer: 1,
    ...order,
    wheel,
  })
}

test('every play of a forecast is counted, those that get the fallback too', () => {
  const { plays, prizes, cost, days } = forecast({ stock: 25, cost: 2 })
  const [mug, empty] = prizes
  assert.equal(plays, 50)
  assert.deepEqual([mug?.given.expected, mug?.fallbacks, empty?.given.expected], [25, 25, 25])
  assert.deepEqual(cost, { expected: 50, low: 50, high: 50 })
  assert.deepEqual(
    days.map(({ day, cost: spent }) => [day, spent]),
    [
      ['2026-11-16', 20],
      ['2026-11-17', 20],
      ['2026-11-18', 10],
      ['2026-11-19', 0],
      ['2026-11-20', 0],
    ],
  )
  assert.deepEqual(
    mug?.stock?.byDay.map(({ expected }) => expected),
    [15, 5, 0, 0, 0],
  )
  const day = '2026-11-18'
  assert.deepEqual(mug?.stock?.runsOut, { share: 1, expected: day, earliest: day, latest: day })
  assert.equal(empty?.stock, null)
})

test('a forecast knows what was given already, limits per day and player, pools and dates', () => {
  const given = { stocks: [{ prizeId: 'mug', given: 20, day: 0, dayGiven: 0 }], pools: [] }
  const rest = forecast({ stock: 25 }, { facts: given }).prizes[0]
  assert.deepEqual([rest?.stock?.atStart, rest?.given.expected, rest?.stock?.left.expected], [5, 5, 0])
  assert.equal(forecast({ stockPerDay: 3 }).prizes[0]?.given.expected, 15)
  assert.equal(forecast({ limitPerPlayer: 2 }).prizes[0]?.given.expected, 50)
  assert.equal(forecast({ limitPerPlayer: 2 }, { spinsPerPlayer: 5 }).prizes[0]?.given.expected, 20)
  const pool = { stocks: [], pools: [{ pool: 'codes', uploaded: 12, taken: 4 }] }
  const codes = forecast({ prize: { kind: 'pool', pool: 'codes' } }, { facts: pool }).prizes[0]
  assert.deepEqual([codes?.stock?.atStart, codes?.given.expected], [8, 8])
  const late = forecast({ winnableFrom: '2026-11-18T12:00:00Z', winnableUntil: '2026-11-20T00:00:00Z' })
  assert.equal(late.prizes[0]?.given.expected, 15)
})

test('a forecast releases paced prizes and a budget over time, and gives the rest in the last call', () => {
  const periods = [{ from: '2026-11-16T00:00:00Z', until: '2026-11-21T00:00:00Z' }]
  const left = forecast({ pace: { units: 10, periods } }).prizes[0]?.stock?.byDay.map(
    ({ expected }) => expected,
  )
  assert.deepEqual(
    left?.map((units, day) => Math.abs(units - (8 - 2 * day)) <= 1),
    Array(5).fill(true),
  )
  const facts = { ...nothing, given: new Map([['mug', 6]]) }
  const going = forecast({ pace: { units: 10, periods } }, { facts }).prizes[0]
  assert.deepEqual([going?.stock?.byDay[0]?.expected, going?.given.expected], [4, 4], 'a run that goes on')
  const over = [{ from: '2026-11-16T00:00:00Z', until: '2026-11-18T00:00:00Z' }]
  const ended = forecast({ pace: { units: 40, periods: over } }).prizes[0]
  assert.equal(ended?.given.expected, 20, 'nothing after the end, whatever is left')
  const [mug, ...rest] = alwaysWins({ pace: { units: 10, periods, lastCallSeconds: 86_400 } }).segments
  const rare = { ...alwaysWins({}), segments: [{ ...(mug as WheelSegment), weight: 0 }, ...rest] }
  rare.segments[1] = { ...(rare.segments[1] as WheelSegment), weight: 1 }
  const called = forecast({}, { wheel: rare }).prizes[0]
  assert.ok((called?.given.expected ?? 0) >= 9, 'all of them on the last day')
  assert.equal(called?.stock?.byDay[3]?.expected, 10)
  const budget = { amount: 20, periods }
  const { cost } = forecast({}, { wheel: { ...alwaysWins({ cost: 1 }), budget } })
  assert.ok(cost.expected >= 19 && cost.expected <= 20)
  const [cheap, none] = alwaysWins({ cost: 2 }).segments as [WheelSegment, WheelSegment]
  const card = { ...cheap, id: 'card', cost: 10, pace: { units: 5, periods } }
  const unpaid = { ...alwaysWins({}), budget: { amount: 40, periods }, segments: [cheap, card, none] }
  const starved = forecast({}, { wheel: unpaid }).prizes[1]
  assert.ok((starved?.given.expected ?? 5) < 0.5 && (starved?.stock?.left.expected ?? 0) > 4.5)
  assert.deepEqual(starved?.reasons[0]?.reason, 'budget', 'cheaper prizes use the budget first')
  const total = starved?.reasons.reduce((sum, { count }) => sum + count, 0) ?? 0
  assert.ok(Math.abs(total - (starved?.fallbacks ?? 0)) < 1e-9)
})

test('a forecast has a range where chance decides, and the same one every time', () => {
  const wheel = alwaysWins({ cost: 1, stock: 1_000 })
  const fair = { ...wheel, segments: wheel.segments.map((segment) => ({ ...segment, weight: 1 })) }
  const once = forecast({}, { wheel: fair, playsPerDay: 200 })
  // 1,000 plays at one half: 500, and nine of ten runs within 1.64 standard deviations of 15.8.
  assert.ok(Math.abs(once.cost.expected - 500) < 5, `${once.cost.expected}`)
  assert.ok(once.cost.low > 460 && once.cost.low < 485, `${once.cost.low}`)
  assert.ok(once.cost.high > 515 && once.cost.high < 540, `${once.cost.high}`)
  assert.equal(once.prizes[0]?.stock?.runsOut.share, 0)
  assert.deepEqual(forecast({}, { wheel: fair, playsPerDay: 200 }), once)
})

test('plays are expected while the wheel is open, in its own time zone', () => {
  const wheel = alwaysWins(
    {},
    {
      timeZone: 'Europe/Berlin',
      openDays: [1, 2, 3, 4, 5, 7],
      openHours: { from: '09:00', to: '17:00' },
      opensAt: '2026-10-22T11:00:00Z',
      closesAt: '2026-10-26T00:00:00Z',
    },
  )
  const days = expectedDays(wheel, { start: new Date('2026-10-01T00:00:00Z'), days: 30, playsPerDay: 80 })
  assert.deepEqual(
    days.map(({ day, plays }) => [day, plays]),
    [
      ['2026-10-22', 40],
      ['2026-10-23', 80],
      ['2026-10-24', 0],
      ['2026-10-25', 80],
      ['2026-10-26', 0],
    ],
    'from 13:00 on the first day, never on Saturday, and 25 hours on Sunday',
  )
  const sunday = days[3]?.times.map(({ at }) => at.toISOString())
  assert.ok((sunday?.[0] ?? '') > '2026-10-25T08:00' && (sunday?.at(-1) ?? '') < '2026-10-25T16:00')
})

test('merchants take turns for forecasts, three of each wait, and abandoned ones end', async () => {
  const forecasts = new Forecasts()
  const wheel = alwaysWins({ stock: 25 })
  const order = (days: number) => ({
    wheel,
    facts: nothing,
    start,
    days,
    playsPerDay: 1_000 * days,
    spinsPerPlayer: 1,
  })
  const ended: string[] = []
  const [stays, leaves] = [new AbortController(), new AbortController()]
  const make = (merchantId: number, days: number, gone = stays) =>
    forecasts.make(order(days), { merchantId, gone: gone.signal }).then(
      () => ended.push(`${merchantId}: done`),
      () => ended.push(`${merchantId}: refused`),
    )
  const all = [make(1, 30, leaves), make(1, 1), make(1, 1), make(1, 1), make(2, 1)]
  leaves.abort()
  await Promise.all(all)
  // The fourth is refused at once, the first ends early, and the other merchant comes before the third.
  assert.deepEqual(ended, ['1: refused', '1: refused', '1: done', '2: done', '1: done'])
})
