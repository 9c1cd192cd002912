import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, test } from 'node:test'
import { insertEvents } from '../../src/events/event-pages.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { EventSequencer, numberNextPages } from '../../src/events/sequencer.ts'
import { revokeToken } from '../../src/merchants/service-tokens.ts'
import {
  amountOf,
  openStream,
  commitEvents,
  numberAllPages,
  pull,
  type Pulled,
  eventTime,
} from '../scenes/event-scene.ts'
import {
  databaseUrl,
  defer,
  type Lifetime,
  makeDatabase,
  makeMerchant,
  makeServer,
  openTestDatabase,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

/** A server with a merchant that has `count` events. */
async function makeEvents(t: Lifetime, count = 0) {
  const server = await makeServer(t)
  const { db } = server.ctx
  const { merchant, token } = await makeMerchant(db, { scopes: ['events'] })
  const { merchantId } = merchant
  // Events from creating the merchant do not matter here.
  await numberAllPages(db)
  const { body } = await pull(server.url, token)
  const before = body.last
  if (count > 0) {
    await commitEvents(db, [1, count], { merchantId })
    await until(async () => (await pull(server.url, token)).body.last === before + count)
  }
  return { ...server, db, merchant, merchantId, token, before }
}

describe('polling', () => {
  test('a reader that follows `next` gets every event once, in order', async (t) => {
    const { url, token, merchant, before } = await makeEvents(t, 25)
    const seen = []
    let after = before
    for (;;) {
      const { status, body } = await pull(url, token, { after, limit: 10 })
      assert.equal(status, 200)
      assert.equal(body.last, before + 25)
      seen.push(...body.events)
      if (body.next === body.last) break
      after = body.next
    }
    assert.deepEqual(
      seen.map((event) => [event.seq, amountOf(event)]),
      times(25, (index) => [before + index + 1, index + 1]),
    )
    const [first] = seen
    assert.deepEqual(Object.keys(first ?? {}), ['id', 'seq', 'type', 'at', 'merchant', 'data'])
    assert.equal(first?.merchant, merchant.slug)
    assert.deepEqual((await pull(url, token, { after: before + 25 })).body, {
      events: [],
      next: before + 25,
      last: before + 25,
    })
  })

  test('a reader without a position starts at the oldest event, and a reader with types gets only those', async (t) => {
    const { url, token, db, merchantId } = await makeEvents(t, 3)
    await insertEvents(db, [{ merchantId, type: 'wheel.paused', at: new Date(), data: { wheel: 'main' } }])
    await numberAllPages(db)
    const all = (await pull(url, token)).body
    assert.equal(all.events[0]?.seq, 1)
    assert.equal(all.events.length, all.last)
    for (const types of ['wheel.paused', 'wheel.paused,wheel.resumed']) {
      const { body } = await pull(url, token, { types })
      assert.deepEqual([body.events.map((event) => event.type), body.next], [['wheel.paused'], all.last])
    }
  })

  test('reading events needs the scope events or manage', async (t) => {
    const { url, db } = await makeEvents(t)
    const [manage, spins] = [
      await makeMerchant(db, { scopes: ['manage'] }),
      await makeMerchant(db, { scopes: ['spins', 'links'] }),
    ]
    assert.equal((await pull(url, manage.token)).status, 200)
    for (const path of ['', '/stream']) {
      const refused = await fetch(`${url}/api/v1/events${path}`, { headers: { Authorization: spins.token } })
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { code: string }).code],
        [403, 'scope_missing'],
      )
      assert.equal((await fetch(`${url}/api/v1/events${path}`)).status, 401)
    }
  })

  test('a token cannot read the events of another merchant', async (t) => {
    const { url, db, token } = await makeEvents(t, 3)
    const other = await makeMerchant(db, { scopes: ['events'] })
    await commitEvents(db, [100, 101], { merchantId: other.merchant.merchantId })
    await numberAllPages(db)
    const amounts = async (whose: string) =>
      (await pull(url, whose, { types: 'spins.granted' })).body.events.map(amountOf)
    assert.deepEqual(await amounts(token), [1, 2, 3])
    assert.deepEqual(await amounts(other.token), [100, 101])
  })

  test('an invalid query is refused with the name of the field', async (t) => {
    const { url, token } = await makeEvents(t)
    for (const [name, value] of [
      ['after', '-1'],
      ['after', '1.5'],
      ['after', 'last'],
      ['after', '99999999999999999999'],
      ['limit', '0'],
      ['limit', '1001'],
      ['wait', '31'],
      ['wait', 'a'],
      ['types', 'spins.granted,nonsense'],
      ['types', ''],
    ] as const) {
      const { status, body } = await pull(url, token, { [name]: value })
      assert.deepEqual([status, body.code], [400, 'validation_failed'], `${name}=${value}`)
      assert.match(body.detail ?? '', new RegExp(`^/${name}`), `${name}=${value}`)
    }
  })

  test('one event is read by its number, and a missing one is refused', async (t) => {
    const { url, token, db, before, merchant } = await makeEvents(t, 3)
    const read = async (seq: number | string, whose = token) => {
      const response = await fetch(`${url}/api/v1/events/${seq}`, { headers: { Authorization: whose } })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const { events } = (await pull(url, token)).body
    for (const event of events) assert.deepEqual((await read(event.seq)).body, event)
    assert.equal((await read(before + 2)).body.merchant, merchant.slug)
    const other = await makeMerchant(db, { scopes: ['read'] })
    const later = new Date(Date.now() + 60_000)
    await deleteOldEvents(db, { before: later, beforeAtLast: later })
    for (const [seq, whose, status, code] of [
      [before + 4, token, 404, 'event_not_found'],
      [before + 2, token, 404, 'event_not_found'],
      [0, token, 400, 'validation_failed'],
      ['x', token, 400, 'validation_failed'],
      [before + 2, other.token, 403, 'scope_missing'],
    ] as const) {
      const refused = await read(seq, whose)
      assert.deepEqual([refused.status, refused.body.code], [status, code], String(seq))
    }
  })

  test('a position beyond the newest event is refused at once', async (t) => {
    const { url, token, before } = await makeEvents(t, 2)
    const { status, body } = await pull(url, token, { after: before + 3, wait: 30 })
    assert.deepEqual([status, body.code], [409, 'events_ahead'])
    assert.match(body.detail ?? '', new RegExp(`number ${before + 2}`))
    assert.deepEqual([body.resumeAfter, body.last], [0, before + 2])
  })

  test('a reader whose position was deleted learns the oldest position available', async (t) => {
    const { url, token, db, before, merchantId } = await makeEvents(t, 5)
    const later = new Date(Date.now() + 60_000)
    await commitEvents(db, [6, 8], { merchantId, at: later })
    await numberAllPages(db)
    await deleteOldEvents(db, { before: later, beforeAtLast: later })
    for (const path of [`?after=${before}`, `/stream?after=${before}`]) {
      const response = await fetch(`${url}/api/v1/events${path}`, { headers: { Authorization: token } })
      const body = (await response.json()) as Pulled
      assert.deepEqual([response.status, body.code], [410, 'events_expired'])
      assert.match(body.detail ?? '', new RegExp(`number ${before + 6};`))
      assert.deepEqual([body.resumeAfter, body.last], [before + 5, before + 8])
    }
    assert.deepEqual((await pull(url, token)).body.events.map(amountOf), [6, 7, 8])
    assert.deepEqual((await pull(url, token, { after: before + 5 })).body.events.map(amountOf), [6, 7, 8])
  })

  test('position 0 starts at the oldest retained event, even if earlier ones were deleted', async (t) => {
    const { url, token, db, merchantId } = await makeEvents(t, 5)
    const later = new Date(Date.now() + 60_000)
    await commitEvents(db, [6, 8], { merchantId, at: later })
    await numberAllPages(db)
    await deleteOldEvents(db, { before: later, beforeAtLast: later })
    for (const query of [{ after: 0 }, { after: 0, types: 'spins.granted' }, { after: 0, wait: 1 }])
      assert.deepEqual((await pull(url, token, query)).body.events?.map(amountOf), [6, 7, 8])
    for (const start of [{ query: '?after=0' }, { lastEventId: 0 }]) {
      const streamClient = await openStream(t, url, token, start)
      await until(() => streamClient.events().length === 3)
      assert.deepEqual(streamClient.events().map(amountOf), [6, 7, 8])
    }
  })
})

describe('long polling', () => {
  test('a waiting reader gets its response when an event arrives, and not before', async (t) => {
    const { url, token, db, before, merchantId, ctx } = await makeEvents(t)
    const waiting = pull(url, token, { after: before, wait: 30 })
    await until(() => ctx.events.readers.count === 1)
    await commitEvents(db, [1, 2], { merchantId })
    ctx.events.sequencer.nudge()
    const { body } = await waiting
    assert.deepEqual(body.events.map(amountOf), [1, 2])
    assert.equal(ctx.events.readers.count, 0)
  })

  test('a waiting reader gets events that another process numbered', async (t) => {
    const { url, token, before, merchantId, ctx, target } = await makeEvents(t)
    await ctx.events.sequencer.close()
    const other = openTestDatabase(t, target)
    const waiting = pull(url, token, { after: before, wait: 30 })
    await until(() => ctx.events.readers.count === 1)
    await commitEvents(other, [1, 1], { merchantId })
    // A round passes over a stream that is locked, and the next one finds it.
    await until(async () => (await numberNextPages(other)).pages > 0)
    assert.deepEqual((await waiting).body.events.map(amountOf), [1])
  })

  test('a waiting reader skips events of other types and gets its new position', async (t) => {
    const { url, token, db, before, merchantId, ctx } = await makeEvents(t)
    const waiting = pull(url, token, { after: before, wait: 30, types: 'wheel.paused' })
    await until(() => ctx.events.readers.count === 1)
    await commitEvents(db, [1, 2], { merchantId })
    await numberAllPages(db)
    await insertEvents(db, [{ merchantId, type: 'wheel.paused', at: new Date(), data: { wheel: 'main' } }])
    const { body } = await waiting
    assert.deepEqual([body.events.map((event) => event.type), body.next], [['wheel.paused'], before + 3])
  })

  test('without an event the response is empty after the requested time', async (t) => {
    const { url, token, before } = await makeEvents(t)
    const begin = performance.now()
    const { status, body } = await pull(url, token, { after: before, wait: 1 })
    assert.ok(performance.now() - begin >= 990)
    assert.deepEqual([status, body], [200, { events: [], next: before, last: before }])
  })

  test('waiting readers do not count against the concurrency limit and have a limit of their own, with a share per caller', async (t) => {
    const scene = await makeEvents(t)
    const { url, token, before, ctx, merchant } = scene
    const gone = new AbortController()
    const viewer = await signInAs(scene, await makeStaff(ctx.db, [[merchant, 'viewer']]))
    const cookie = [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const wait = (headers: Record<string, string>) =>
      fetch(`${url}/api/v1/events?after=${before}&wait=30`, { headers, signal: gone.signal }).then(
        ({ status }) => status,
        () => undefined,
      )
    const ofViewer = times(50, () => wait({ Cookie: cookie, 'Wheelhouse-Merchant': merchant.slug }))
    const refused: unknown[] = []
    for (const one of ofViewer) void one.then((status) => refused.push(status))
    await until(() => refused.length === 40)
    assert.deepEqual(
      [ctx.events.readers.count, [...new Set(refused)]],
      [10, [429]],
      'a viewer has ten places',
    )
    const waiting = [...ofViewer, ...times(40, () => wait({ Authorization: token }))]
    await until(() => ctx.events.readers.count === 50)
    const metrics = await ctx.metrics.registry.metrics()
    assert.match(metrics, /^wheelhouse_http_requests_in_flight 0$/m)
    assert.match(metrics, /^wheelhouse_event_readers 50$/m)
    const { status, headers, body } = await pull(url, token, { after: before, wait: 1 })
    assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'event_readers_limited', '5'])
    assert.equal(
      (await pull(url, token, { after: before })).status,
      200,
      'a request without waiting is answered',
    )
    gone.abort()
    await Promise.all(waiting)
    await until(() => ctx.events.readers.count === 0)
  })

  test('a token that is revoked while its reader waits gets no more events', async (t) => {
    const { url, token, db, before, merchantId, ctx } = await makeEvents(t)
    const waiting = pull(url, token, { after: before, wait: 30, types: 'spins.granted' })
    const stream = await openStream(t, url, token, { query: '?types=spins.granted' })
    await until(() => ctx.events.readers.count === 2)
    await revokeToken(db, token.split(':')[0] ?? '', new Date())
    await stream.ended
    await commitEvents(db, [1, 1], { merchantId })
    ctx.events.sequencer.nudge()
    const { status, body } = await waiting
    assert.deepEqual([status, body.code], [401, 'token_revoked'])
    assert.deepEqual(stream.events(), [])
  })

  test('a stopping server answers waiting readers and ends streams', async (t) => {
    const { url, token, before, ctx, app } = await makeEvents(t)
    const waiting = pull(url, token, { after: before, wait: 30 })
    const stream = await openStream(t, url, token)
    await until(() => ctx.events.readers.count === 2)
    const begin = performance.now()
    await app.close()
    assert.deepEqual((await waiting).body, { events: [], next: before, last: before })
    await stream.ended
    assert.ok(performance.now() - begin < 20_000, 'no reader waited the full thirty seconds')
  })
})

test('a server process stops at once while a reader waits for events', async (t) => {
  const database = await makeDatabase(t)
  const { token } = await makeMerchant(database.db, { scopes: ['events'] })
  const server = await spawnServer(t, {
    DATABASE_URL: databaseUrl(database.target),
    STOP_GRACE_SECONDS: '600',
  })
  await until(async () => (await pull(server.url, token)).body.last > 0)
  const { last } = (await pull(server.url, token)).body
  const waiting = pull(server.url, token, { after: last, wait: 30 })
  const stream = await openStream(t, server.url, token)
  await until(() => stream.frames.length > 0)
  server.child.kill('SIGTERM')
  await Promise.all([server.stopped, stream.ended])
  assert.equal(server.child.exitCode, 0)
  assert.deepEqual((await waiting).body, { events: [], next: last, last })
})

describe('live streams', () => {
  test('a stream starts with new events, and a reconnecting client gets the events it missed', async (t) => {
    const { url, token, db, before, merchantId, ctx } = await makeEvents(t, 5)
    const first = await openStream(t, url, token)
    assert.equal(first.status, 200)
    await until(() => first.frames.length > 0)
    await commitEvents(db, [6, 7], { merchantId })
    ctx.events.sequencer.nudge()
    await until(() => first.events().length === 2)
    assert.deepEqual(
      first.frames.filter(({ data }) => data !== undefined).map(({ id, event }) => [id, event]),
      [
        [before + 6, 'spins.granted'],
        [before + 7, 'spins.granted'],
      ],
    )
    first.leave()
    await commitEvents(db, [8, 9], { merchantId })
    const again = await openStream(t, url, token, { lastEventId: before + 7 })
    await until(() => again.events().length === 2)
    assert.deepEqual(again.events().map(amountOf), [8, 9])
    const pulled = (await pull(url, token, { after: before + 5 })).body.events
    assert.deepEqual(
      [...first.events(), ...again.events()],
      pulled,
      'streamed and polled events are the same',
    )
  })

  test('streams started at any position during writes miss nothing and repeat nothing', async (t) => {
    const { url, token, db, before, merchantId } = await makeEvents(t, 1_200)
    const rival = new EventSequencer({ db, onTrouble: assert.ifError })
    rival.start()
    defer(t, () => rival.close())
    const total = 1_200 + 40 * 5
    const writing = (async () => {
      for (const round of times(40, (index) => index)) {
        await commitEvents(db, [1_201 + round * 5, 1_205 + round * 5], { merchantId })
        rival.nudge()
      }
    })()
    const starts = [0, 3, 500, 1_199, 1_200]
    const streamClients = await Promise.all(
      starts.map((start) => openStream(t, url, token, { query: `?after=${before + start}` })),
    )
    await writing
    for (const [index, streamClient] of streamClients.entries()) {
      const start = starts[index] as number
      await until(() => streamClient.events().length >= total - start)
      assert.deepEqual(
        streamClient.events().map(amountOf),
        times(total - start, (place) => start + place + 1),
      )
    }
  })

  test('a stream filtered by type gets only those types', async (t) => {
    const { url, token, db, before, merchantId } = await makeEvents(t, 3)
    const streamClient = await openStream(t, url, token, {
      query: `?types=wheel.paused,wheel.resumed&after=${before}`,
    })
    await insertEvents(db, [{ merchantId, type: 'wheel.paused', at: new Date(), data: { wheel: 'main' } }])
    await until(() => streamClient.events().length === 1)
    assert.deepEqual(
      streamClient.events().map((event) => [event.type, event.seq]),
      [['wheel.paused', before + 4]],
    )
  })

  test('a stream whose client does not read is closed and costs no memory', async (t) => {
    const { url, token, db, merchantId, ctx } = await makeEvents(t)
    const { hostname, port } = new URL(url)
    const asking = request({
      hostname,
      port,
      path: '/api/v1/events/stream',
      headers: { Authorization: token },
    })
    defer(t, () => asking.destroy())
    // The response stream is never read, so the socket fills up.
    asking.end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    let next = 1
    await until(async () => {
      await commitEvents(db, [next, next + 2_999], { merchantId })
      next += 3_000
      ctx.events.sequencer.nudge()
      return ctx.events.readers.count === 0
    })
    // The client notices it on its next read.
    const closed = new Promise((resolve) => response.once('close', resolve))
    response.on('error', () => undefined).resume()
    await closed
    assert.equal(response.complete, false)
  })
})

test('metrics count events that are numbered and events that are pending', async (t) => {
  const { ctx, db, merchantId } = await makeEvents(t, 4)
  const value = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await ctx.metrics.registry.metrics())?.[1])
  await until(async () => (await value('wheelhouse_events_numbered_total')) >= 4)
  await ctx.events.sequencer.close()
  ctx.metrics.eventRound({ events: 0, oldestAt: new Date(1_000) }, new Date(3_500))
  assert.equal(await value('wheelhouse_events_unnumbered_age_seconds'), 2.5)
  await commitEvents(db, [5, 5], { merchantId })
  const numbered = await numberNextPages(db)
  assert.equal(numbered.oldestAt?.getTime(), eventTime.getTime())
})
