import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { LoopTurns } from '../../src/http/transport/loop-turns.ts'
import { requestsPerTurnMax } from '../../src/limits.ts'
import { times } from '../scenes/scene.ts'

test('a turn of the event loop begins a limited number of requests, and callers take turns', async () => {
  const turns = new LoopTurns()
  const begun: string[] = []
  const ask = (caller: string, name = caller) => turns.run(caller, () => begun.push(name))
  for (const index of times(3 * requestsPerTurnMax, (number) => number)) ask('loud', `loud ${index}`)
  assert.equal(begun.length, requestsPerTurnMax)
  ask('quiet')
  ask('other')
  ask('quiet')
  assert.equal(begun.length, requestsPerTurnMax, 'nobody overtakes those who wait')
  await endOfTurn()
  assert.equal(begun.length, 2 * requestsPerTurnMax)
  const second = begun.slice(requestsPerTurnMax)
  const first = requestsPerTurnMax
  assert.deepEqual(second.slice(0, 5), [`loud ${first}`, 'quiet', 'other', `loud ${first + 1}`, 'quiet'])
  while (begun.length < 3 * requestsPerTurnMax + 3) await endOfTurn()
  assert.deepEqual(
    begun.filter((name) => name.startsWith('loud')),
    times(3 * requestsPerTurnMax, (index) => `loud ${index}`),
  )
  await endOfTurn()
  ask('quiet', 'alone')
  assert.equal(begun.at(-1), 'alone', 'an idle server begins a request at once')
})
