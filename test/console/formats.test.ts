// Money and times as the console writes them.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { rangeOf } from '../../web/console/parts/search-fields.ts'
import {
  formatCompactMoney,
  formatFor,
  formatInZone,
  formatMoney,
  formatTime,
  moneyInFields,
} from '../../web/console/texts.ts'

const evening = '2026-07-01T20:30:00Z'
// The notation is that of the machine.
const digits = (text: string) => text.replace(/[^\d.,€¥]/g, '').replaceAll(',', '.')

afterEach(() => formatFor(undefined))

test('an amount has the sign and the decimals of its currency', () => {
  formatFor({ timeZone: 'UTC', currency: 'EUR' })
  for (const [value, shown] of [
    [1.9, /1\.90/],
    [2, /2\.00/],
    [0.0034, /0\.0034/],
  ] as const) {
    assert.match(digits(formatMoney(value)), shown)
    assert.match(formatMoney(value), /€/)
  }
  assert.match(formatCompactMoney(12_000), /€/)
  assert.deepEqual(moneyInFields(), { sign: '€', decimals: 2 })
  formatFor({ timeZone: 'UTC', currency: 'JPY' })
  assert.equal(digits(formatMoney(190)).replace('¥', ''), '190')
  assert.match(digits(formatMoney(0.8)), /0\.8/, 'less than one yen is not nothing')
  assert.equal(moneyInFields().decimals, 0)
})

test('without a currency, an amount is a plain number', () => {
  formatFor({ timeZone: 'UTC', currency: null })
  assert.deepEqual([formatMoney(2), digits(formatMoney(1.9))], ['2', '1.90'])
  assert.deepEqual(moneyInFields(), { sign: undefined, decimals: 2 })
})

test("times and filters are in the merchant's zone, and another zone is named", () => {
  formatFor({ timeZone: 'Asia/Tokyo', currency: null })
  assert.match(formatTime(evening), /2.*0?5:30/)
  assert.doesNotMatch(formatTime(evening), /Tokyo|GMT|JST/)
  assert.equal(formatInZone(evening, 'Asia/Tokyo'), formatTime(evening))
  assert.match(formatInZone(evening, 'America/Lima'), /3:30.*\(America\/Lima\)/)
  assert.deepEqual(rangeOf({ from: '2026-07-01', to: '2026-07-01' }), {
    from: '2026-06-30T15:00:00.000Z',
    to: '2026-07-01T15:00:00.000Z',
  })
  assert.deepEqual(rangeOf({ from: '', to: '2026-99-99' }), { from: undefined, to: undefined })
})
