import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedReads } from '../../src/concurrency/shared-reads.ts'

/** Reads that the test ends, each with its number. */
function heldReads() {
  const reads: PromiseWithResolvers<number>[] = []
  const shared = new SharedReads()
  const ask = (name: string) =>
    shared.read(name, () => {
      reads.push(Promise.withResolvers())
      return (reads.at(-1) as PromiseWithResolvers<number>).promise
    })
  return { ask, reads, end: (index: number) => reads[index]?.resolve(index) }
}

test('who asks during a read shares the next one, which begins after all of them have asked', async () => {
  const { ask, reads, end } = heldReads()
  const [first, ...others] = [ask('a'), ask('a'), ask('a')]
  assert.equal(reads.length, 1)
  end(0)
  assert.equal(await first, 0)
  assert.equal(reads.length, 2)
  const last = ask('a')
  end(1)
  assert.deepEqual(await Promise.all(others), [1, 1])
  end(2)
  assert.equal(await last, 2)
  assert.equal(reads.length, 3)
})

test('other things are read at the same time, and a failure is only that of its own read', async () => {
  const { ask, reads, end } = heldReads()
  const [one, two] = [ask('a'), ask('a')]
  const other = ask('b')
  assert.equal(reads.length, 2)
  reads[0]?.reject(new Error('down'))
  await assert.rejects(one, /down/)
  end(1)
  assert.equal(await other, 1)
  end(2)
  assert.equal(await two, 2)
})
