import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MerchantPlaces } from '../src/merchant-places.ts'
import { overloaded } from '../src/refusals.ts'

test('a merchant has a limited share of the places, and a place is released once', () => {
  const places = new MerchantPlaces({ perMerchant: 2, inAll: 3 }, () => overloaded('exports'))
  const leave = places.enter(1)
  places.enter(1)
  assert.throws(() => places.enter(1), { code: 'overloaded' })
  const other = places.enter(2)
  assert.throws(() => places.enter(3), { code: 'overloaded' }, 'all places are taken')
  leave()
  leave()
  assert.equal(places.count, 2)
  places.enter(1)
  assert.throws(() => places.enter(1), { code: 'overloaded' })
  other()
  places.enter(3)
})
