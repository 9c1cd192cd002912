import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from '../../src/recent-map.ts'
import { times } from '../scenes/scene.ts'

test('a cache keeps the entries used last, at least as many as promised and at most twice as many', () => {
  const cache = new RecentMap<number, number>(100)
  for (let key = 0; key < 1_000; key++) {
    cache.set(key, key)
    // Entry 0 is used all the time.
    assert.equal(cache.get(0), 0)
  }
  // Looking for an entry that is gone changes nothing; finding one makes it a recent one.
  const gone = times(800, (index) => 1 + index).filter((key) => cache.get(key) === undefined)
  assert.equal(gone.length, 800, 'at most 200 are kept')
  for (let key = 999; key > 900; key--) assert.equal(cache.get(key), key)
  cache.set(7, 8)
  assert.equal(cache.get(7), 8)
  cache.delete(7)
  assert.equal(cache.get(7), undefined)
})
