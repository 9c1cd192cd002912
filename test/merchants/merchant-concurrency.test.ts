import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MerchantConcurrency } from '../../src/concurrency/merchant-concurrency.ts'
import { overloaded } from '../../src/refusals.ts'

test('a merchant has a limited share of the places, and a place is released once', () => {
  const places = new MerchantConcurrency({ perMerchant: 2, inAll: 3 }, () => overloaded('exports'))
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

test('a caller has a share of the places of its merchant, and leaves the rest to the others', () => {
  const places = new MerchantConcurrency({ perMerchant: 5 }, () => overloaded('exports'))
  const people = { name: 'people', max: 3 }
  const enter = (name: string) => places.enter(1, 1, [{ name, max: 2 }, people])
  const leave = enter('ann')
  enter('ann')
  assert.throws(() => enter('ann'), { code: 'overloaded' })
  const other = enter('bob')
  assert.throws(() => enter('bob'), { code: 'overloaded' }, 'the share of people is taken')
  places.enter(1, 1, [{ name: 'token', max: 4 }])
  places.enter(1, 1, [{ name: 'token', max: 4 }])
  assert.throws(() => places.enter(1), { code: 'overloaded' })
  leave()
  other()
  enter('ann')
  assert.throws(() => enter('ann'), { code: 'overloaded' })
  places.enter(2, 1, [{ name: 'ann', max: 2 }, people])
})
