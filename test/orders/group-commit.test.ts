import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Pipeline } from '../../src/orders/pipelines.ts'
import { contendedWaitMaxMs } from '../../src/limits.ts'
import { GroupCommit, type GroupCommitOptions } from '../../src/orders/group-commit.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { asSuperuser, makeMerchant, makeServer, post, times, until, untilSteady } from '../scenes/scene.ts'

type Item = { merchant: number; name: string }

/** Batches of names, each released by the test, so that the contents of a batch do not depend on timing. */
function heldBatches(options: Partial<GroupCommitOptions<Item, string>> = {}) {
  const batches: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const group = new GroupCommit<Item, string>({
    run: async (items) => {
      batches.push(items.map(({ name }) => name))
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return items.map(({ name }) => name)
    },
    laneOf: () => 0,
    laneCount: 1,
    batchesMax: 1,
    merchantOf: ({ merchant }) => merchant,
    playerOf: ({ name }) => name,
    batchMax: 4,
    sharedBatchMax: 4,
    queueMax: 100,
    queueMaxPerMerchant: 50,
    queueMinPerMerchant: 50,
    expectedWaitMaxMs: 60_000,
    batchWaitMaxMs: 60_000,
    waitMaxMs: 60_000,
    ...options,
  })
  const submit = (merchant: number, name: string) => group.submit({ merchant, name })
  const releaseBatch = async () => {
    gates.shift()?.resolve()
    await endOfTurn()
    await endOfTurn()
  }
  return { group, batches, submit, releaseBatch }
}

describe('group commit', () => {
  test('a single caller does not wait, and later calls go into the next batch', async () => {
    const { batches, submit, releaseBatch } = heldBatches()
    const first = submit(1, 'a')
    await endOfTurn()
    assert.deepEqual(batches, [['a']])
    const others = [submit(1, 'b'), submit(2, 'c')]
    await releaseBatch()
    assert.equal(await first, 'a')
    assert.deepEqual(batches, [['a'], ['b', 'c']])
    await releaseBatch()
    assert.deepEqual(await Promise.all(others), ['b', 'c'])
  })

  test('a lane that rests after a batch answers it at once, and sends what came meanwhile in one batch', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { batches, submit, releaseBatch } = heldBatches({ restMsAfter: () => 10 })
    const first = submit(1, 'a')
    await endOfTurn()
    await releaseBatch()
    assert.equal(await first, 'a')
    const others = [submit(1, 'b')]
    await endOfTurn()
    others.push(submit(2, 'c'))
    await endOfTurn()
    assert.deepEqual(batches, [['a']])
    t.mock.timers.tick(10)
    await endOfTurn()
    assert.deepEqual(batches, [['a'], ['b', 'c']])
    await releaseBatch()
    assert.deepEqual(await Promise.all(others), ['b', 'c'])
  })

  test('batches that change the same contended row are sent one after another', async () => {
    const contendedOf = ({ merchant }: Item) => (merchant === 1 ? 7 : undefined)
    const begin = async () => {
      const since = performance.now()
      const held = heldBatches({ batchesMax: 2, batchWaitMaxMs: 0, contendedOf })
      const all = [held.submit(1, 'a')]
      await endOfTurn()
      all.push(held.submit(1, 'b'), held.submit(2, 'c'))
      await endOfTurn()
      return { ...held, all, tookMs: performance.now() - since }
    }
    let begun = await begin()
    // On a machine that stalls, `b` may rightly have stopped waiting.
    while (begun.tookMs >= contendedWaitMaxMs) begun = await begin()
    const { batches, submit, releaseBatch, all } = begun
    assert.deepEqual(batches, [['a'], ['c']])
    await releaseBatch()
    assert.deepEqual(batches, [['a'], ['c'], ['b']])
    // A batch that takes long holds up no other.
    await releaseBatch()
    all.push(submit(1, 'd'))
    await until(() => batches.length === 4)
    assert.deepEqual(batches[3], ['d'])
    await releaseBatch()
    await releaseBatch()
    assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd'])
  })

  test('one more batch follows in a pipeline that is open, and no batch joins two pipelines', async () => {
    const begin = async () => {
      const pipelines: Pipeline[] = []
      const gates: PromiseWithResolvers<void>[] = []
      const { group, submit } = heldBatches({
        batchesMax: 4,
        batchWaitMaxMs: 0,
        contendedOf: ({ merchant }) => merchant,
        run: async (items, pipeline) => {
          pipelines.push(pipeline)
          pipeline.isOpen = items.every(({ name }) => name !== 'closed')
          const gate = Promise.withResolvers<void>()
          gates.push(gate)
          await gate.promise
          return items.map(({ name }) => name)
        },
      })
      const since = performance.now()
      const all: Promise<string>[] = []
      const counts: number[] = []
      for (const [merchant, name] of [
        [1, 'a'],
        [1, 'b'],
        [1, 'c'],
        [2, 'closed'],
        [2, 'd'],
      ] as const) {
        all.push(submit(merchant, name))
        await endOfTurn()
        await endOfTurn()
        counts.push(pipelines.length)
      }
      const release = async () => {
        gates.shift()?.resolve()
        await endOfTurn()
        await endOfTurn()
      }
      const end = async () => {
        while (gates.length > 0) await release()
        assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'closed', 'd'])
        await group.close()
      }
      return { pipelines, counts, release, end, tookMs: performance.now() - since }
    }
    let begun = await begin()
    // On a machine that stalls, `c` and `d` may rightly have stopped waiting.
    for (; begun.tookMs >= contendedWaitMaxMs; begun = await begin()) await begun.end()
    const { pipelines, counts, release, end } = begun
    assert.deepEqual(counts, [1, 2, 2, 3, 3], '`c` waits; a pipeline that is not open has one batch')
    assert.equal(pipelines[0], pipelines[1])
    assert.notEqual(pipelines[2], pipelines[0])
    await release()
    assert.equal(pipelines.length, 4)
    assert.equal(pipelines[3], pipelines[0], 'the third one follows the second')
    await end()
  })

  test('a merchant that floods the queue gets no more than its share', async () => {
    const { batches, submit, releaseBatch } = heldBatches()
    const all = [submit(1, 'first')]
    await endOfTurn()
    all.push(
      ...times(10, (index) => submit(1, `flood-${index}`)),
      submit(2, 'calm-1'),
      submit(3, 'calm-2'),
      submit(2, 'calm-3'),
    )
    await releaseBatch()
    assert.deepEqual(batches[1], ['flood-0', 'calm-1', 'calm-2', 'flood-1'])
    await releaseBatch()
    assert.deepEqual(batches[2], ['calm-3', 'flood-2', 'flood-3', 'flood-4'])
    while (batches.length < 5) await releaseBatch()
    await releaseBatch()
    assert.equal((await Promise.all(all)).length, 14)
  })

  test('a second batch starts once it is as large as the previous ones', async () => {
    const { batches, submit, releaseBatch, group } = heldBatches({ batchesMax: 2, batchMax: 100 })
    const all = times(40, (index) => submit(1, `first-${index}`))
    // Sixteen fill a batch, which does not wait for the end of the event loop turn.
    assert.deepEqual(
      batches.map(({ length }) => length),
      [16, 16],
    )
    await releaseBatch()
    assert.equal(batches.length, 2, 'the other batch will end soon')
    await releaseBatch()
    assert.equal(batches[2]?.length, 8)
    all.push(submit(1, 'alone'))
    await endOfTurn()
    await endOfTurn()
    assert.equal(batches.length, 3)
    while (group.queueLength > 0) await releaseBatch()
    await releaseBatch()
    assert.equal((await Promise.all(all)).length, 41)
  })

  test('a second batch starts when the first takes long, even without further calls', async () => {
    const { batches, submit, releaseBatch } = heldBatches({ batchesMax: 2, batchWaitMaxMs: 1 })
    const both = [submit(1, 'slow')]
    await endOfTurn()
    both.push(submit(1, 'second'))
    await until(() => batches.length === 2)
    await releaseBatch()
    await releaseBatch()
    assert.deepEqual(await Promise.all(both), ['slow', 'second'])
  })

  test('two batches in flight have no player in common', async () => {
    const { batches, submit, releaseBatch } = heldBatches({
      batchesMax: 2,
      batchWaitMaxMs: 0,
      playerOf: ({ name }) => name[0] ?? '',
    })
    const first = submit(1, 'a1')
    await endOfTurn()
    const others = [submit(1, 'a2'), submit(1, 'b1'), submit(1, 'a3')]
    await until(() => batches.length === 2)
    assert.deepEqual(batches, [['a1'], ['b1']])
    await releaseBatch()
    await first
    assert.deepEqual(batches, [['a1'], ['b1'], ['a2', 'a3']])
    await releaseBatch()
    await releaseBatch()
    assert.deepEqual(await Promise.all(others), ['a2', 'b1', 'a3'])
  })

  test('batches are smaller while several merchants send', async () => {
    const { batches, submit, releaseBatch } = heldBatches({ batchMax: 100, sharedBatchMax: 3 })
    const all = [submit(1, 'first')]
    await endOfTurn()
    all.push(...times(7, (index) => submit(1, `flood-${index}`)))
    await releaseBatch()
    assert.equal(batches[1]?.length, 7)
    all.push(...times(7, (index) => submit(1, `again-${index}`)), submit(2, 'calm'))
    await releaseBatch()
    assert.deepEqual(batches[2], ['again-0', 'calm', 'again-1'])
    while (batches.length < 5) await releaseBatch()
    await releaseBatch()
    assert.equal((await Promise.all(all)).length, 16)
  })

  test('a full queue refuses at once, for one merchant and for all', async () => {
    const { submit, releaseBatch, group } = heldBatches({ queueMax: 5, queueMaxPerMerchant: 3 })
    const kept = [submit(1, 'running')]
    await endOfTurn()
    kept.push(...times(3, () => submit(1, 'x')))
    await assert.rejects(submit(1, 'too much'), { code: 'overloaded', detail: /queue is full/ })
    kept.push(submit(2, 'y'), submit(3, 'z'))
    await assert.rejects(submit(4, 'too much for all'), { code: 'overloaded' })
    while (group.queueLength > 0) await releaseBatch()
    await releaseBatch()
    assert.equal((await Promise.all(kept)).length, 6)
  })

  test('while no batch ends, a merchant may queue only a few calls', async () => {
    const { submit, releaseBatch, group } = heldBatches({ queueMinPerMerchant: 2, expectedWaitMaxMs: 20 })
    const kept = [submit(1, 'running')]
    await endOfTurn()
    kept.push(submit(1, 'a'), submit(1, 'b'))
    await until(() => group.isFullFor(1))
    await assert.rejects(submit(1, 'too much'), { code: 'overloaded', detail: /queue is full/ })
    kept.push(submit(2, 'of another merchant'))
    await releaseBatch()
    assert.equal(group.isFullFor(1), false)
    await releaseBatch()
    assert.equal((await Promise.all(kept)).length, 4)
  })

  test('while calls are refused, batches are as large as for one merchant', async () => {
    const limits = { batchMax: 8, sharedBatchMax: 3, queueMaxPerMerchant: 12 }
    const { batches, submit, releaseBatch, group } = heldBatches(limits)
    const all = [submit(2, 'first')]
    await endOfTurn()
    all.push(...times(12, (index) => submit(1, `flood-${index}`)), submit(2, 'calm'))
    await releaseBatch()
    assert.deepEqual(batches[1], ['flood-0', 'calm', 'flood-1'])
    all.push(submit(1, 'flood-12'), submit(1, 'flood-13'))
    await assert.rejects(submit(1, 'too much'), { code: 'overloaded' })
    await releaseBatch()
    assert.equal(batches[2]?.length, 8)
    while (group.queueLength > 0) await releaseBatch()
    await releaseBatch()
    assert.equal((await Promise.all(all)).length, 16)
  })

  test('a call that waits too long for a blocked queue is refused and never executed', async () => {
    const { submit, releaseBatch, batches, group } = heldBatches({ waitMaxMs: 50 })
    const first = submit(1, 'a')
    await endOfTurn()
    const refused = assert.rejects(submit(1, 'b'), { code: 'overloaded', detail: /waited too long/ })
    await until(() => group.queueLength === 0)
    await refused
    await releaseBatch()
    assert.equal(await first, 'a')
    assert.deepEqual(batches, [['a']])
  })

  test('closing waits for the last batch', async () => {
    const { group, submit, releaseBatch } = heldBatches()
    const work = [submit(1, 'a'), submit(1, 'b')]
    await endOfTurn()
    let isClosed = false
    const closing = group.close().then(() => (isClosed = true))
    await endOfTurn()
    assert.equal(isClosed, false)
    await releaseBatch()
    await closing
    assert.deepEqual(await Promise.all(work), ['a', 'b'])
  })
})

test('concurrent requests share a few transactions', async (t) => {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  let given = 0
  const give = async (): Promise<void> => {
    const body = { playerId: `p${given++}`, spinNumber: 1 }
    const answer = await post(`${server.url}/api/player/increaseSpin`, token, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  await give()
  const transactions = async () => {
    const text = await server.ctx.metrics.registry.metrics()
    return Number(/^wheelhouse_batch_size_count\{kind="grants"\} (\d+)$/m.exec(text)?.[1])
  }
  assert.equal(await transactions(), 1)
  const queue = server.ctx.grants.live
  const sent: Promise<void>[] = []
  await asSuperuser(server.target.database, async (client) => {
    await client.query('begin')
    await client.query('lock table players in exclusive mode')
    // Until as many batches as may be are in flight, and wait for the lock.
    while (queue.queueLength === 0) {
      sent.push(give())
      await untilSteady(() => queue.queueLength)
    }
    sent.push(...times(50, give))
    await until(() => queue.queueLength === 51)
    await client.query('commit')
  })
  await Promise.all(sent)
  const used = (await transactions()) - 1
  assert.ok(used < 10, `${used} transactions for ${sent.length} grants`)
  assert.deepEqual((await auditLedger(server.ctx.db)).findings, [])
})
