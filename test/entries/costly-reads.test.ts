import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CostlyReads } from '../../src/concurrency/costly-reads.ts'

test('what took long to read is used again for twenty times as long, and by all who ask meanwhile', async () => {
  let now = 0
  let reads = 0
  const costly = new CostlyReads(() => now)
  const ask = (name: string, tookMs: number) =>
    costly.read(name, async () => {
      now += tookMs
      return ++reads
    })
  assert.deepEqual(await Promise.all([ask('a', 2_000), ask('a', 2_000), ask('a', 2_000)]), [1, 1, 1])
  now += 39_999
  assert.equal(await ask('a', 2_000), 1)
  assert.equal(await ask('b', 2_000), 2, 'something else')
  now += 1
  assert.equal(await ask('a', 900), 3)
  assert.equal(await ask('a', 900), 4, 'read fast, so always new')
})

test('a read that failed is not kept', async () => {
  const costly = new CostlyReads()
  await assert.rejects(
    costly.read('a', async () => Promise.reject(new Error('down'))),
    /down/,
  )
  assert.equal(await costly.read('a', async () => 1), 1)
})
