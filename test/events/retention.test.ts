import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstKeptSeq, lastSeq, readEvents } from '../../src/events/event-log.ts'
import { deleteOldEvents, retentionOf } from '../../src/events/retention.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { amountOf, commitEvents } from '../scenes/event-scene.ts'
import { makeDatabase, times, until } from '../scenes/scene.ts'

const merchantId = 7
const day = (number: number): Date => new Date(Date.UTC(2026, 0, number))
const all = (db: Parameters<typeof readEvents>[0], after: number) =>
  readEvents(db, { merchantId, after, limit: 10_000 })

test('old events are deleted, and the others keep their numbers', async (t) => {
  const { db } = await makeDatabase(t)
  for (const number of times(10, (index) => index + 1))
    await commitEvents(db, [number * 10 + 1, number * 10 + 3], { merchantId, at: day(number) })
  await commitEvents(db, [1, 1], { merchantId: 8, at: day(9) })
  await numberNextPages(db)
  assert.equal(await deleteOldEvents(db, retentionOf(5, day(11))), 15)
  assert.deepEqual([await firstKeptSeq(db, merchantId), await lastSeq(db, merchantId)], [16, 30])
  assert.deepEqual((await all(db, 15)).map(amountOf).slice(0, 4), [61, 62, 63, 71])
  await assert.rejects(all(db, 14), { code: 'events_expired' })
  assert.equal(await deleteOldEvents(db, retentionOf(5, day(11))), 0)
  // All events are deleted, and the next event continues the numbering.
  assert.equal(await deleteOldEvents(db, retentionOf(5, day(30))), 16)
  await assert.rejects(all(db, 29), { code: 'events_expired' })
  assert.deepEqual(await all(db, 30), [])
  await commitEvents(db, [999, 999], { merchantId, at: day(30) })
  await numberNextPages(db)
  assert.deepEqual(
    (await all(db, 30)).map((event) => [event.seq, amountOf(event)]),
    [[31, 999]],
  )
})

test('events with pending deliveries are kept longer, but not forever', async (t) => {
  const { db } = await makeDatabase(t)
  for (const number of times(10, (index) => index + 1))
    await commitEvents(db, [number * 10 + 1, number * 10 + 3], { merchantId, at: day(number) })
  await numberNextPages(db)
  const heldFrom = async () => 8
  // Number 8 is on the third page, which is kept as a whole.
  assert.equal(await deleteOldEvents(db, { ...retentionOf(5, day(11)), heldFrom }), 6)
  assert.equal(await firstKeptSeq(db, merchantId), 7)
  assert.equal(await deleteOldEvents(db, { ...retentionOf(5, day(14)), heldFrom }), 3)
  assert.equal(await firstKeptSeq(db, merchantId), 10)
  assert.equal(await deleteOldEvents(db, { ...retentionOf(5, day(14)), heldFrom: async () => undefined }), 15)
})

test('an event without a number is never deleted, however old', async (t) => {
  const { db } = await makeDatabase(t)
  await commitEvents(db, [1, 2], { merchantId, at: day(1) })
  assert.equal(await deleteOldEvents(db, retentionOf(1, day(100))), 0)
  await numberNextPages(db)
  assert.deepEqual((await all(db, 0)).map(amountOf), [1, 2])
})

test('many old pages are deleted in many small steps, while events are written, numbered and read', async (t) => {
  const { db } = await makeDatabase(t)
  for (const number of times(450, (index) => index + 1))
    await commitEvents(db, [number, number], { merchantId, at: day(1) })
  await numberNextPages(db)
  let isDone = false
  const deleting = deleteOldEvents(db, retentionOf(1, day(10))).finally(() => (isDone = true))
  let count = 450
  await until(async () => {
    count++
    await commitEvents(db, [count, count], { merchantId, at: day(10) })
    await numberNextPages(db)
    return isDone
  })
  assert.equal(await deleting, 450)
  await numberNextPages(db)
  assert.equal(await firstKeptSeq(db, merchantId), 451)
  assert.deepEqual(
    (await all(db, 450)).map(amountOf),
    times(count - 450, (index) => 451 + index),
  )
})
