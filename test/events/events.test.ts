import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allInOrder, type Database, type Queryable, statement } from '../../src/db/database.ts'
import { checkPayload } from '../../src/events/check-payloads.ts'
import { catalogue } from '../../src/events/catalogue.ts'
import { campaignOfEvent, type EventType, eventTypes } from '../../src/events/event-types.ts'
import { insertEvents } from '../../src/events/event-pages.ts'
import {
  firstKeptSeq,
  lastSeq,
  type LoggedEvent,
  readEvents,
  scanEvents,
} from '../../src/events/event-log.ts'
import { EventSequencer, numberInTransaction, numberNextPages } from '../../src/events/sequencer.ts'
import { auditLedger } from '../../src/integrity/audit.ts'
import { insertPlayers, lockPlayers, type PlayerKey } from '../../src/players/ledger.ts'
import { shardOf } from '../../src/players/shard.ts'
import { amountOf, granted } from '../scenes/event-scene.ts'
import {
  asSuperuser,
  defer,
  type Lifetime,
  makeDatabase,
  openTestDatabase,
  times,
  until,
} from '../scenes/scene.ts'

const merchantId = 7
const at = new Date('2026-11-15T12:00:00.000Z')

const readAll = (db: Database, merchant = merchantId): Promise<LoggedEvent[]> =>
  readEvents(db, { merchantId: merchant, after: 0, limit: 1_000_000 })

/** A transaction that has written and stays open until `end` is called. */
async function openTransaction(t: Lifetime, db: Database, work: (tx: Queryable) => Promise<void>) {
  const ends = Promise.withResolvers<'commit' | 'rollback'>()
  const written = Promise.withResolvers<void>()
  const over = db.transaction(async (tx) => {
    await work(tx)
    written.resolve()
    if ((await ends.promise) === 'rollback') throw new Error('rolled back by the test')
  })
  over.catch(written.reject)
  defer(t, () => ends.resolve('rollback'))
  await written.promise
  return {
    async end(how: 'commit' | 'rollback') {
      ends.resolve(how)
      await (how === 'commit' ? over : assert.rejects(over))
    },
  }
}

test('a reader beside slow transactions misses nothing, and no number appears behind its position', async (t) => {
  const { target } = await makeDatabase(t)
  const db = openTestDatabase(t, target, { poolMax: 20 })
  // Written in this order, and committed in another one.
  const slow = []
  for (const index of times(12, (number) => number))
    slow.push(
      await openTransaction(t, db, (tx) =>
        insertEvents(
          tx,
          times(3, (n) => granted(index * 10 + n + 1)),
        ),
      ),
    )
  const seen: LoggedEvent[] = []
  const committed: number[] = []
  for (const index of [3, 11, 0, 7, 1, 10, 2, 9, 4, 8, 6, 5]) {
    await slow[index]?.end('commit')
    committed.push(index)
    await numberNextPages(db)
    const before = seen.at(-1)?.seq ?? 0
    seen.push(...(await readEvents(db, { merchantId, after: before, limit: 100 })))
    assert.equal(seen.length, committed.length * 3, 'committed and numbered events are visible at once')
    assert.deepEqual(await readAll(db), seen, 'events read before are unchanged')
  }
  assert.deepEqual(
    seen.map((event) => event.seq),
    times(36, (index) => index + 1),
  )
  assert.deepEqual(
    seen.map(amountOf),
    committed.flatMap((index) => times(3, (n) => index * 10 + n + 1)),
  )
})

test('events that were committed between two rounds are numbered in the order of writing', async (t) => {
  const { db } = await makeDatabase(t)
  const first = await openTransaction(t, db, (tx) => insertEvents(tx, [granted(1)]))
  const second = await openTransaction(t, db, (tx) => insertEvents(tx, [granted(2)]))
  await second.end('commit')
  await first.end('commit')
  await numberNextPages(db)
  assert.deepEqual((await readAll(db)).map(amountOf), [1, 2])
})

test('a rolled-back event gets no number and leaves no gap', async (t) => {
  const { db } = await makeDatabase(t)
  const [kept, lost, after] = [
    await openTransaction(t, db, (tx) => insertEvents(tx, [granted(1)])),
    await openTransaction(t, db, (tx) => insertEvents(tx, [granted(2)])),
    await openTransaction(t, db, (tx) => insertEvents(tx, [granted(3)])),
  ]
  await after.end('commit')
  await lost.end('rollback')
  await kept.end('commit')
  await numberNextPages(db)
  assert.deepEqual(
    (await readAll(db)).map((event) => [event.seq, amountOf(event)]),
    [
      [1, 1],
      [2, 3],
    ],
  )
  assert.equal(await lastSeq(db, merchantId), 2)
})

test('a sequencer that dies in mid-transaction changes nothing, and the next one continues', async (t) => {
  const { db, target } = await makeDatabase(t)
  await insertEvents(db, [granted(1), granted(2)])
  const killedDatabase = openTestDatabase(t, target, { poolMax: 2 })
  await assert.rejects(
    killedDatabase.transaction(async (tx) => {
      await numberInTransaction(tx, [merchantId])
      const [stream] = await tx.query(readNextSeq, [merchantId])
      assert.equal(stream?.nextSeq, 3, 'it had numbered the events')
      await tx.query(statement('select pg_terminate_backend(pg_backend_pid())'))
    }),
  )
  assert.deepEqual(await readAll(db), [])
  assert.equal(await lastSeq(db, merchantId), 0)
  await insertEvents(db, [granted(3)])
  await numberNextPages(db)
  assert.deepEqual((await readAll(db)).map(amountOf), [1, 2, 3])
})

const readNextSeq = statement<{ nextSeq: number }>(
  'select next_seq as "nextSeq" from event_streams where merchant_id = $1',
)

test('a sequencer busy with one merchant does not block its peers and leaves the other merchants to them', async (t) => {
  const { db } = await makeDatabase(t)
  await insertEvents(db, [
    granted(1, { playerId: 'a', merchantId: 1 }),
    granted(2, { playerId: 'b', merchantId: 2 }),
  ])
  await numberNextPages(db)
  await insertEvents(db, [
    granted(3, { playerId: 'a', merchantId: 1 }),
    granted(4, { playerId: 'b', merchantId: 2 }),
  ])
  const rival = await openTransaction(t, db, async (tx) => {
    await tx.query(statement('select from event_streams where merchant_id = $1 for update'), [1])
  })
  assert.deepEqual((await numberNextPages(db)).merchantIds, [2])
  await rival.end('rollback')
  assert.deepEqual((await numberNextPages(db)).merchantIds, [1])
})

test("with many writers and four sequencers, numbers have no gap and a player's events keep their order", async (t) => {
  const { db, target } = await makeDatabase(t)
  const writers = openTestDatabase(t, target, { poolMax: 12 })
  const players: PlayerKey[] = times(8, (index) => {
    const name = { merchantId: 1 + (index % 2), playerId: `p${index}` }
    return { ...name, shard: shardOf(name) }
  })
  await insertPlayers(db, players, at)
  const sequencers = times(4, () => new EventSequencer({ db, onTrouble: assert.ifError }))
  for (const sequencer of sequencers) {
    sequencer.onNumbered(() => undefined)
    sequencer.start()
  }
  defer(t, () => Promise.all(sequencers.map((sequencer) => sequencer.close())))

  const counts = new Map<string, number>()
  const writer = { isDone: false }
  const writing = Promise.all(
    times(12, async (lane) => {
      for (let round = 0; round < 40; round++) {
        const chosen = players.filter((_, index) => (index * 7 + lane * 5 + round * 3) % 4 === 0)
        await writers.transaction(async (tx) => {
          const locked = await lockPlayers(tx, chosen)
          // Under the row locks, like a player's balance: each event of a player has a count one higher than the one
          // before.
          const events = locked.map((player) => {
            const count = (counts.get(player.playerId) ?? 0) + 1
            counts.set(player.playerId, count)
            return granted(count, player)
          })
          await allInOrder([insertEvents(tx, events), tx.query(sleepInDatabase, [(lane * round) % 7])])
        })
        sequencers[round % 4]?.nudge()
      }
    }),
  ).finally(() => (writer.isDone = true))

  const seen = new Map<number, LoggedEvent[]>([
    [1, []],
    [2, []],
  ])
  const read = async (merchant: number) => {
    const own = seen.get(merchant) as LoggedEvent[]
    own.push(...(await readEvents(db, { merchantId: merchant, after: own.at(-1)?.seq ?? 0, limit: 50 })))
  }
  while (!writer.isDone) await Promise.all([read(1), read(2)])
  await writing
  const total = counts.values().reduce((sum, count) => sum + count, 0)
  await until(async () => {
    await Promise.all([read(1), read(2)])
    return [...seen.values()].flat().length >= total
  })
  for (const [merchant, own] of seen) {
    assert.deepEqual(
      own.map((event) => event.seq),
      times(own.length, (index) => index + 1),
    )
    assert.deepEqual(own, await readAll(db, merchant), 'a concurrent reader has read the same events')
    for (const [playerId, events] of Map.groupBy(
      own,
      (event) => (event.data as { playerId: string }).playerId,
    ))
      assert.deepEqual(
        events.map(amountOf),
        times(counts.get(playerId) as number, (index) => index + 1),
      )
  }
})

const sleepInDatabase = statement('select pg_sleep($1::int / 1000.0)')

test('ids are unique and the same on every read, whichever way the log is read', async (t) => {
  const { db } = await makeDatabase(t)
  for (const round of times(3, (index) => index))
    await insertEvents(
      db,
      times(700, (index) => granted(round * 700 + index + 1)),
    )
  await numberNextPages(db)
  const all = await readAll(db)
  assert.equal(all.length, 2_100)
  assert.equal(new Set(all.map((event) => event.id)).size, 2_100)
  assert.match(all[0]?.id ?? '', /^evt_[0-9a-f]{32}_[0-9a-z]+$/)
  const piecewise: LoggedEvent[] = []
  for (;;) {
    const next = await readEvents(db, { merchantId, after: piecewise.at(-1)?.seq ?? 0, limit: 97 })
    if (next.length === 0) break
    piecewise.push(...next)
  }
  assert.deepEqual(piecewise, all)
  assert.deepEqual(
    all.map(amountOf),
    times(2_100, (index) => index + 1),
  )
})

test('a reader of rare types skips all others in bounded steps', async (t) => {
  const { db } = await makeDatabase(t)
  for (const round of times(24, (index) => index))
    await insertEvents(db, [...times(499, (n) => granted(round * 500 + n + 1))])
  await insertEvents(db, [{ merchantId, type: 'wheel.paused', at, data: { wheel: 'main' } }])
  await numberNextPages(db)
  const types: EventType[] = ['wheel.paused']
  const [found] = await readEvents(db, { merchantId, after: 0, types, limit: 10 })
  assert.deepEqual([found?.seq, found?.type, found?.at], [24 * 499 + 1, 'wheel.paused', at.toISOString()])
  const step = await scanEvents(db, { merchantId, after: 0, types, limit: 10 })
  assert.deepEqual(step, { events: [], next: 5_000, last: 24 * 499 + 1 })
  assert.deepEqual(await scanEvents(db, { merchantId, after: 24 * 499 + 1, types, limit: 10 }), {
    events: [],
    next: 24 * 499 + 1,
    last: 24 * 499 + 1,
  })
})

test("a merchant's events are visible to no other merchant", async (t) => {
  const { db } = await makeDatabase(t)
  await insertEvents(db, [
    granted(1, { playerId: 'a', merchantId: 1 }),
    granted(2, { playerId: 'a', merchantId: 2 }),
    granted(3, { playerId: 'b', merchantId: 1 }),
  ])
  await numberNextPages(db)
  assert.deepEqual((await readAll(db, 1)).map(amountOf), [1, 3])
  assert.deepEqual((await readAll(db, 2)).map(amountOf), [2])
  assert.deepEqual([await lastSeq(db, 3), await firstKeptSeq(db, 3)], [0, 1])
})

test('database permissions and constraints prevent changes to recorded events', async (t) => {
  const { db, target } = await makeDatabase(t)
  await insertEvents(db, [granted(1)])
  for (const text of [
    'update event_pages set event_count = 2',
    'update event_pages set page_id = page_id',
    'truncate event_pages',
  ])
    await assert.rejects(db.query({ name: 'x', text }), /permission denied/, text)
  await asSuperuser(target.database, async (client) => {
    await assert.rejects(client.query('insert into event_streams values (1, 1, 2)'), { code: '23514' })
  })
})

test('the audit finds pages with a count of zero or above the maximum', async (t) => {
  const { db, target } = await makeDatabase(t)
  await insertEvents(db, [granted(1)])
  for (const count of [0, 10_001]) {
    await asSuperuser(target.database, (client) =>
      client.query(`update event_pages set event_count = ${count}`),
    )
    const { findings } = await auditLedger(db)
    assert.ok(
      findings.some((one) => one.check.endsWith('within their limits')),
      `${count}`,
    )
  }
})

test('the audit finds numbers that are missing, duplicate or not counted', async (t) => {
  const { db, target } = await makeDatabase(t)
  for (const number of [1, 2, 3, 4]) await insertEvents(db, [granted(number), granted(number * 10)])
  await insertEvents(db, [granted(1, { merchantId: 8 })])
  await numberNextPages(db)
  await insertEvents(db, [granted(5)])
  const findings = async () =>
    (await auditLedger(db)).findings.filter((one) => one.check.startsWith('events in the log are numbered'))
  assert.deepEqual(await findings(), [])
  for (const damage of [
    'delete from event_pages where merchant_id = 7 and first_seq = 3',
    'delete from event_pages where merchant_id = 7 and first_seq = 1',
    'delete from event_pages where merchant_id = 7 and first_seq = 7',
    'delete from event_pages where merchant_id = 8',
    'update event_pages set first_seq = 3 where first_seq = 5',
    'update event_pages set event_count = 0 where first_seq = 5',
    'update event_streams set next_seq = next_seq + 1 where merchant_id = 8',
    'delete from event_streams where merchant_id = 8',
  ])
    await asSuperuser(target.database, async (client) => {
      await client.query('create table saved_pages as select * from event_pages')
      await client.query('create table saved_streams as select * from event_streams')
      await client.query(damage)
      assert.equal((await findings()).length, 1, damage)
      await client.query('truncate event_pages, event_streams')
      await client.query('insert into event_pages overriding system value select * from saved_pages')
      await client.query('insert into event_streams select * from saved_streams')
      await client.query('drop table saved_pages, saved_streams')
    })
  assert.deepEqual(await findings(), [])
})

test('a sequencer without subscribers still numbers everything, and stops when asked to', async (t) => {
  const { db } = await makeDatabase(t)
  const rounds: number[] = []
  const sequencer = new EventSequencer({
    db,
    onTrouble: assert.ifError,
    onRound: ({ events }) => events > 0 && rounds.push(events),
  })
  sequencer.start()
  defer(t, () => sequencer.close())
  await insertEvents(db, [granted(1), granted(2)])
  sequencer.nudge()
  await until(async () => (await lastSeq(db, merchantId)) === 2)
  await sequencer.close()
  assert.deepEqual(rounds, [2])
  const closed = new EventSequencer({ db, onTrouble: assert.ifError })
  closed.nudge()
  await closed.close()
})

test('a sequencer continues after a database failure', async (t) => {
  const { db, target } = await makeDatabase(t)
  const troubles: unknown[] = []
  const sequencer = new EventSequencer({ db, onTrouble: (error) => troubles.push(error) })
  const notified: number[][] = []
  sequencer.onNumbered((merchantIds) => notified.push([...merchantIds]))
  await asSuperuser(target.database, async (client) => {
    await client.query('alter table event_pages rename to event_pages_away')
    sequencer.start()
    defer(t, () => sequencer.close())
    await until(() => troubles.length > 0)
    await client.query('alter table event_pages_away rename to event_pages')
  })
  await insertEvents(db, [granted(1)])
  await until(() => notified.length > 0)
  assert.deepEqual(notified, [[merchantId]])
})

test('the catalogue contains every type, and rejects unknown payload fields', () => {
  assert.ok(
    new Set([
      'player.created',
      'spins.granted',
      'spins.corrected',
      'spins.expired',
      'link.created',
      'link.opened',
      'player.limited',
      'player.blocked',
      'player.unblocked',
      'play.completed',
      'play.refused',
      'prize.won',
      'prize.claimed',
      'prize.redeemed',
      'prize.cancelled',
      'prize.expired',
      'prize.stock_low',
      'prize.stock_out',
      'wheel.published',
      'wheel.paused',
      'wheel.resumed',
      'wheel.drifted',
      'token.issued',
      'token.revoked',
      'webhook.disabled',
      'webhook.test',
    ]).isSubsetOf(new Set(eventTypes)),
  )
  for (const { data } of Object.values(catalogue))
    assert.ok('additionalProperties' in data && data.additionalProperties === false)
  for (const [type, { data }] of Object.entries(catalogue))
    if (JSON.stringify(data.properties).includes('Missing for `main`'))
      assert.equal(campaignOfEvent(type, {}), 'main', type)
  assert.throws(() => checkPayload({ type: 'player.created', data: {} }), /player\.created/)
  assert.throws(() => checkPayload({ type: 'wheel.paused', data: { wheel: 'main', extra: 1 } }))
})
