import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeenNames } from '../../src/players/seen-names.ts'
import { times } from '../scenes/scene.ts'

test('nearly all names are remembered while they fill two fifths of the table', () => {
  const seen = new SeenNames(1_024)
  const names = times(400, (index) => `player-${index}`)
  assert.equal(names.filter((name) => seen.has(name)).length, 0)
  for (const name of names) seen.add(name)
  assert.ok(names.filter((name) => seen.has(name)).length >= 390)
})

test('a row keeps the four names that were added last', () => {
  const seen = new SeenNames(4)
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'a', 'e'].map((name) => seen.add(name)),
    [true, true, true, true, false, true],
  )
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name) => seen.has(name)),
    [true, false, true, true, true],
  )
})
