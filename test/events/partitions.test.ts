import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { test } from 'node:test'
import { auditLedger } from '../../src/integrity/audit.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { insertEvents } from '../../src/events/event-pages.ts'
import { addPartitions, partitionWidthMs, readPartitions } from '../../src/events/event-partitions.ts'
import { findEvent } from '../../src/events/find-event.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { amountOf, commitEvents, granted } from '../scenes/event-scene.ts'
import { asSuperuser, makeDatabase } from '../scenes/scene.ts'

const merchantId = 7
const today = Math.floor(Date.now() / 86_400_000)
const day = (number: number): Date => new Date((today + number) * 86_400_000 + 1)

test('a partition is dropped when its last event has expired, and pages of any other time are kept elsewhere', async (t) => {
  const { db, target } = await makeDatabase(t)
  await withoutMaintain(target.database)
  await addPartitions(db, { now: day(0), widthMs: partitionWidthMs(30) })
  assert.deepEqual(await names(db), ['event_pages_first', partitionName(8)])
  await addPartitions(db, { now: day(4), widthMs: partitionWidthMs(30) })
  assert.deepEqual(await names(db), ['event_pages_first', partitionName(8), partitionName(13)])
  // The clock of a server is wrong on day 900.
  for (const [index, number] of [0, 1, 9, 10, 900, 14].entries()) await commitAt(db, number, index + 1)
  await commitAt(db, 2, 1, 8)
  await numberNextPages(db)
  const first = await findEvent(db, merchantId, '1')
  assert.ok(first)

  // Events of day 10 and later are kept. So is the first partition, as long as another merchant has an event in it.
  const expired = (heldFrom?: number) =>
    deleteOldEvents(db, {
      before: day(10),
      beforeAtLast: day(-30),
      heldFrom: async (_, owner) => (owner === 8 ? heldFrom : undefined),
    })
  assert.equal(await expired(1), 3)
  assert.deepEqual(await names(db), ['event_pages_first', partitionName(8), partitionName(13)])
  assert.equal(await findEvent(db, merchantId, '1'), undefined)
  assert.equal(await findEvent(db, merchantId, first.id), undefined)
  assert.deepEqual((await auditLedger(db)).findings, [])
  assert.equal(await expired(), 1)
  assert.deepEqual(await names(db), [partitionName(8), partitionName(13)])
  assert.deepEqual((await readAll(db, 3)).map(amountOf), [4, 5, 6])

  // A page without a number keeps its partition. A page of the wrong time is deleted by itself.
  await commitAt(db, 9, 7)
  await deleteOldEvents(db, { before: day(1_000), beforeAtLast: day(1_000) })
  assert.deepEqual(await names(db), [partitionName(8)])
  assert.deepEqual(await db.query(statement('select from event_pages_default')), [])
  await numberNextPages(db)
  assert.deepEqual((await readAll(db, 6)).map(amountOf), [7])
  await deleteOldEvents(db, { before: day(1_000), beforeAtLast: day(1_000) })
  assert.deepEqual(await names(db), [])

  // Without any partition, and with pages of the future in the default one, nothing is lost.
  await commitAt(db, 20, 8)
  for (const now of [day(17), day(18), day(19)])
    await addPartitions(db, { now, widthMs: partitionWidthMs(6) })
  assert.deepEqual(await names(db), [18, 19, 21].map(partitionName))
  await numberNextPages(db)
  assert.deepEqual((await readAll(db, 7)).map(amountOf), [8])
})

test('a partition is not dropped while a long transaction reads the log, and writers do not wait for it', async (t) => {
  const { db } = await makeDatabase(t)
  const drop = () => deleteOldEvents(db, { before: day(1_000), beforeAtLast: day(1_000) })
  await db.transaction(async (tx) => {
    await tx.query(statement('select count(*) from event_pages'))
    const dropping = drop()
    await commitEvents(db, [1, 1], { merchantId })
    await dropping
    assert.deepEqual(await names(db), ['event_pages_first'])
  })
  await numberNextPages(db)
  await drop()
  assert.deepEqual(await names(db), [])
})

/** Before PostgreSQL 17 the owner of a table has no such privilege, which allows it to lock the table. */
async function withoutMaintain(database: string): Promise<void> {
  await asSuperuser(database, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    if (rows[0] !== undefined && rows[0].version >= 170_000)
      await client.query('revoke maintain on event_pages from wheelhouse')
  })
}

async function names(db: Database): Promise<string[]> {
  return (await readPartitions(db)).map(({ name }) => name)
}

function partitionName(number: number): string {
  return `event_pages_${day(number).toISOString().slice(0, 10).replaceAll('-', '')}`
}

async function readAll(db: Database, after: number) {
  return readEvents(db, { merchantId, after, limit: 100 })
}

/** Commits a page whose id and events are of that day. */
async function commitAt(db: Database, number: number, amount: number, owner = merchantId): Promise<void> {
  const time = day(number).getTime().toString(16).padStart(12, '0')
  const pageId = `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
  const at = number === 900 ? day(12) : day(number)
  await insertEvents(
    db,
    [granted(amount, { merchantId: owner, at })],
    new Map([[`${owner}:0`, { pageId, shard: 0 }]]),
  )
}
