import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statement } from '../../src/db/database.ts'
import { scanEvents } from '../../src/events/event-log.ts'
import { webhookFailuresMax, webhooksServedPerMerchantMax } from '../../src/limits.ts'
import { listAttempts } from '../../src/webhooks/webhook-attempts.ts'
import { countDeliveries, listDeliveries } from '../../src/webhooks/webhook-deliveries.ts'
import {
  changeWebhook,
  deleteWebhook,
  findWebhook,
  pauseWebhook,
  readWebhook,
  resumeWebhook,
  rotateSecret,
} from '../../src/webhooks/webhooks.ts'
import { makeRawReceiver, makeReceiver, type Respond } from '../scenes/receivers.ts'
import { freePort, makeDatabase, makeMerchant, times, until } from '../scenes/scene.ts'
import {
  Clock,
  distinctIn,
  eventIn,
  grants,
  loopback,
  makeWebhook,
  makeWorker,
  progressOf,
  recordEvents,
  verify,
} from './webhook-scene.ts'

const all = { before: Number.MAX_SAFE_INTEGER, limit: 500, seq: undefined }
const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_, response) => {
    response.writeHead(code, headers)
    response.end()
  }

test('every event arrives once, signed, with its id, and in order per player', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const receiver = await makeReceiver(t)
  await recordEvents(db, grants(merchant.merchantId, 5))
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  makeWorker(t, db)
  await recordEvents(db, grants(merchant.merchantId, 800, 40))
  await until(() => distinctIn(receiver.received) === 800)
  const { events } = await scanEvents(db, { merchantId: merchant.merchantId, after: 0, limit: 5_000 })
  const sent = receiver.received.map((received) => verify(received, webhook.secret))
  const fresh = events.slice(-800)
  assert.deepEqual(new Set(sent.map(({ id }) => id)), new Set(fresh.map(({ id }) => id)))
  for (const received of receiver.received) assert.equal(received.headers['webhook-id'], eventIn(received).id)
  for (const own of Map.groupBy(sent, (event) => event.data.playerId).values()) {
    const seqs = [...new Set(own.map(({ seq }) => seq))]
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    )
  }
  const [first] = receiver.received
  assert.deepEqual(Object.keys(JSON.parse(first?.body ?? '') as object), [
    'id',
    'seq',
    'type',
    'at',
    'merchant',
    'data',
  ])
  await until(async () => (await progressOf(db, webhook)).lag === 0)
  assert.equal((await listAttempts(db, { ...all, webhookNo: webhook.webhookNo })).length, 500)
})

test('only the selected types are sent, and the cursor skips the others', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const { merchantId } = merchant
  const receiver = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url, types: ['wheel.paused'] })
  makeWorker(t, db)
  const paused = { merchantId, type: 'wheel.paused' as const, at: new Date(), data: { wheel: 'main' } }
  await recordEvents(db, [...grants(merchantId, 3_000), paused, ...grants(merchantId, 3_000), paused])
  await until(async () => (await progressOf(db, webhook)).lag === 0)
  assert.deepEqual(
    receiver.received.map((received) => eventIn(received).type),
    ['wheel.paused', 'wheel.paused'],
  )
})

test('a failed delivery is retried with the same id and delays nothing behind it', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const clock = new Clock()
  const receiver = await makeReceiver(t, (received, response) => {
    const isBad = eventIn(received).data.playerId === 'player-3'
    const tries = receiver.received.filter(
      (one) => one.headers['webhook-id'] === received.headers['webhook-id'],
    ).length
    response.statusCode = isBad && tries < 4 ? 500 : 204
    response.end(isBad ? 'not this one' : '')
  })
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  makeWorker(t, db, { now: clock.now })
  await recordEvents(db, grants(merchant.merchantId, 10))
  await until(async () => (await progressOf(db, webhook)).lag === 0)
  assert.equal(receiver.received.length, 10)
  const { webhookNo } = webhook
  const readWaiting = async () =>
    (await listDeliveries(db, { webhookNo, state: 'waiting', after: 0, limit: 10 })).at(0)
  const waiting = await readWaiting()
  assert.equal(waiting?.tries, 1)
  assert.equal(waiting.nextTryAt?.getTime(), clock.now().getTime() + 5_000)
  for (const [pause, tries] of [
    [4, 1],
    [1, 2],
    [300, 3],
    [1_800, undefined],
  ] as const) {
    clock.advance(pause)
    // Wait until the failure is recorded, too: the next pause counts from the clock at that time.
    await until(async () => (await readWaiting())?.tries === tries)
  }
  assert.equal(receiver.received.length, 13)
  const again = receiver.received.filter((received) => eventIn(received).data.playerId === 'player-3')
  assert.equal(again.length, 4)
  assert.equal(new Set(again.map((received) => received.headers['webhook-id'])).size, 1)
  assert.equal(new Set(again.map((received) => received.body)).size, 1)
  const attempts = await listAttempts(db, { ...all, webhookNo: webhook.webhookNo, seq: waiting.seq })
  assert.deepEqual(
    attempts.map((attempt) => [attempt.status, attempt.excerpt]),
    [
      [204, null],
      [500, 'not this one'],
      [500, 'not this one'],
      [500, 'not this one'],
    ],
  )
})

test('a retry scheduled by a clock that had jumped ahead does not wait for that time', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const clock = new Clock()
  let isFailing = true
  const receiver = await makeReceiver(t, (_, response) => {
    response.writeHead(isFailing ? 500 : 200)
    response.end()
  })
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  makeWorker(t, db, { now: clock.now })
  clock.advance(30 * 86_400)
  await recordEvents(db, grants(merchant.merchantId, 1))
  await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 1)
  isFailing = false
  clock.advance(-30 * 86_400)
  await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 0)
  assert.deepEqual([receiver.received.length, distinctIn(receiver.received)], [2, 1])
})

test('after ten attempts over three days an event becomes a dead letter', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const clock = new Clock()
  const receiver = await makeReceiver(t, (received, response) => {
    response.statusCode = eventIn(received).data.playerId === 'player-0' ? 500 : 200
    response.end()
  })
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  const list = (state: 'waiting' | 'dead') =>
    listDeliveries(db, { webhookNo: webhook.webhookNo, state, after: 0, limit: 10 })
  makeWorker(t, db, { now: clock.now })
  const start = clock.now().getTime()
  const [bad, good] = grants(merchant.merchantId, 2)
  await recordEvents(db, [bad ?? assert.fail()])
  for (let tries = 1; tries < 10; tries++) {
    await until(async () => (await list('waiting'))[0]?.tries === tries)
    // Some deliveries succeed, so that the receiver does not count as failing.
    await recordEvents(db, [good ?? assert.fail()])
    await until(async () => (await progressOf(db, webhook)).failureCount === 0)
    clock.advance((((await list('waiting'))[0]?.nextTryAt?.getTime() ?? 0) - clock.now().getTime()) / 1000)
  }
  await until(async () => (await list('dead')).length === 1)
  const [dead] = await list('dead')
  assert.equal(dead?.tries, 10)
  const days = ((dead.deadAt?.getTime() ?? 0) - start) / 86_400_000
  assert.ok(days > 2.9 && days < 3.1, `${days} days`)
  assert.deepEqual(await list('waiting'), [])
})

describe('a failing receiver', () => {
  test('that is down for an hour gets everything afterwards, after only a few probes', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const clock = new Clock()
    let isDown = true
    let probes = 0
    const receiver = await makeReceiver(t, (_, response, request) => {
      if (isDown) {
        probes++
        request.socket.resetAndDestroy()
      } else response.end()
    })
    const webhook = await makeWebhook(db, merchant, { url: receiver.url })
    makeWorker(t, db, { now: clock.now })
    await recordEvents(db, grants(merchant.merchantId, 2_000, 50))
    await until(async () => (await progressOf(db, webhook)).failureCount >= webhookFailuresMax)
    for (let minutes = 0; minutes < 60; minutes++) {
      clock.advance(60)
      const { heldUntil } = await progressOf(db, webhook)
      if (heldUntil !== null && heldUntil <= clock.now())
        await until(async () => ((await progressOf(db, webhook)).heldUntil ?? 0) > clock.now())
    }
    const held = await progressOf(db, webhook)
    const { waiting, dead } = await countDeliveries(db, webhook.webhookNo, 1_000)
    assert.ok(waiting < 60 && dead === 0 && held.lag > 1_900, `${waiting} rows, ${held.lag} behind`)
    assert.ok(probes < 80, `${probes} requests to a receiver that is down`)
    isDown = false
    const arrived = new Set<string>()
    await until(async () => {
      clock.advance(10)
      for (const received of receiver.received.slice(probes)) arrived.add(eventIn(received).id)
      return arrived.size === 2_000
    })
    await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 0)
  })

  test('that fails for three days is disabled, with an event, and continues at its cursor when resumed', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const { merchantId } = merchant
    const clock = new Clock()
    let isDown = true
    const receiver = await makeReceiver(t, (_, response) => {
      response.statusCode = isDown ? 502 : 200
      response.end()
    })
    const webhook = await makeWebhook(db, merchant, { url: receiver.url })
    const watcher = await makeReceiver(t)
    await makeWebhook(db, merchant, { url: watcher.url, types: ['webhook.disabled'] })
    makeWorker(t, db, { now: clock.now })
    await recordEvents(db, grants(merchantId, 100))
    await until(async () => (await progressOf(db, webhook)).failureCount >= webhookFailuresMax)
    clock.advance(3 * 86_400)
    await until(async () => (await readWebhook(db, webhook.webhookNo))?.disabledReason === 'failing')
    await until(async () => {
      await recordEvents(db, [])
      return watcher.received.length === 1
    })
    assert.deepEqual(eventIn(watcher.received[0] ?? assert.fail()).data, {
      webhookId: webhook.webhookId,
      url: webhook.url,
      reason: 'failed for three days',
    })
    isDown = false
    const before = receiver.received.length
    clock.advance(86_400)
    await recordEvents(db, grants(merchantId, 10))
    assert.equal(receiver.received.length, before)
    const resumed = await resumeWebhook(db, await findWebhook(db, merchantId, webhook.webhookId))
    assert.deepEqual([resumed.disabledAt, resumed.disabledReason], [null, null])
    await until(async () => {
      const { lag } = await progressOf(db, webhook)
      return lag === 0 && (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 0
    })
    const taken = receiver.received.slice(before).map((received) => eventIn(received).id)
    assert.equal(new Set(taken).size, 111)
  })

  test('that answers 410 is disabled at once', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const receiver = await makeReceiver(t, status(410))
    const webhook = await makeWebhook(db, merchant, { url: receiver.url })
    makeWorker(t, db, { concurrency: 1 })
    await recordEvents(db, grants(merchant.merchantId, 50))
    await until(async () => (await readWebhook(db, webhook.webhookNo))?.disabledReason === 'gone')
    assert.equal(receiver.received.length, 1)
    assert.equal((await progressOf(db, webhook)).lag, 50)
  })

  test('that sends Retry-After is not tried before', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const clock = new Clock()
    let isBusy = true
    const receiver = await makeReceiver(t, (received, response, request) =>
      (isBusy ? status(429, { 'Retry-After': '120' }) : status(200))(received, response, request),
    )
    const webhook = await makeWebhook(db, merchant, { url: receiver.url })
    makeWorker(t, db, { now: clock.now, concurrency: 1 })
    await recordEvents(db, grants(merchant.merchantId, 20))
    await until(async () => (await progressOf(db, webhook)).heldUntil !== null)
    const { heldUntil, lag } = await progressOf(db, webhook)
    assert.deepEqual([heldUntil?.getTime(), lag], [clock.now().getTime() + 120_000, 19])
    isBusy = false
    clock.advance(119)
    await recordEvents(db, grants(merchant.merchantId, 1))
    assert.equal(receiver.received.length, 1)
    clock.advance(1)
    await until(() => receiver.received.length === 22)
  })

  test('that redirects counts as failed', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const other = await makeReceiver(t)
    const receiver = await makeReceiver(t, status(307, { Location: other.url }))
    const webhook = await makeWebhook(db, merchant, { url: receiver.url })
    makeWorker(t, db)
    await recordEvents(db, grants(merchant.merchantId, 1))
    await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 1)
    assert.equal(other.received.length, 0)
  })

  test('never delays another: beside receivers that hang, refuse, reset or drip, a good one gets everything', async (t) => {
    const { db } = await makeDatabase(t)
    const { merchant } = await makeMerchant(db)
    const hanging = await makeRawReceiver(t, () => undefined)
    const resetting = await makeRawReceiver(t, (socket) => void socket.resetAndDestroy())
    const dripping = await makeRawReceiver(t, (socket) => void socket.write('HTTP/1.1 200'))
    const urls = [hanging.url, resetting.url, dripping.url, `http://127.0.0.1:${await freePort()}/`]
    for (const url of urls) await makeWebhook(db, merchant, { url })
    const receiver = await makeReceiver(t)
    const good = await makeWebhook(db, merchant, { url: receiver.url })
    makeWorker(t, db, { reach: { ...loopback, lookup: async () => [], timeoutMs: 2_000 } })
    await recordEvents(db, grants(merchant.merchantId, 3_000, 100))
    await until(async () => (await progressOf(db, good)).lag === 0)
    await until(() => distinctIn(receiver.received) === 3_000)
  })
})

test('a pause holds events back until it ends, and a changed address takes effect', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const { merchantId } = merchant
  const receiver = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  makeWorker(t, db)
  await recordEvents(db, grants(merchantId, 10))
  await until(() => receiver.received.length === 10)
  assert.notEqual((await pauseWebhook(db, webhook, new Date())).pausedAt, null)
  const witness = await makeReceiver(t)
  await makeWebhook(db, merchant, { url: witness.url })
  await recordEvents(db, grants(merchantId, 10))
  await until(() => witness.received.length === 10)
  const before = receiver.received.length
  const second = await makeReceiver(t)
  await changeWebhook(db, await findWebhook(db, merchantId, webhook.webhookId), {
    url: second.url,
    rules: loopback,
  })
  await resumeWebhook(db, webhook)
  await until(async () => (await progressOf(db, webhook)).lag === 0)
  assert.equal(receiver.received.length, before)
  assert.equal(before + second.received.length, 20)
})

test('for a day after a rotation both the old and the new secret sign', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const clock = new Clock()
  const receiver = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  const { nudge } = makeWorker(t, db, { now: clock.now })
  const rotated = await rotateSecret(db, webhook, clock.now())
  assert.notEqual(rotated.secret, webhook.secret)
  const arrives = async (count: number) => {
    await recordEvents(db, grants(merchant.merchantId, 1))
    nudge([merchant.merchantId])
    await until(() => receiver.received.length === count)
    return receiver.received[count - 1] ?? assert.fail()
  }
  const first = await arrives(1)
  for (const secret of [webhook.secret, rotated.secret]) verify(first, secret)
  clock.advance(86_400)
  const signatures = (await arrives(2)).headers['webhook-signature']?.split(' ')
  assert.equal(signatures?.length, 1)
})

test('two processes share the webhooks, and no event is sent twice', async (t) => {
  const { db } = await makeDatabase(t)
  const counts = [0, 0]
  for (const index of [0, 1])
    makeWorker(t, db, { onSent: () => (counts[index] = (counts[index] ?? 0) + 1), concurrency: 2 })
  const { merchant } = await makeMerchant(db)
  // There are more webhooks than one process may have of a merchant, and no receiver answers before both have some.
  const { promise: areBothBusy, resolve } = Promise.withResolvers<void>()
  const answer: Respond = (_, response) => void areBothBusy.then(() => response.end('ok'))
  const receivers = await Promise.all(times(webhooksServedPerMerchantMax + 4, () => makeReceiver(t, answer)))
  const webhooks = []
  for (const { url } of receivers) webhooks.push(await makeWebhook(db, merchant, { url }))
  await recordEvents(db, grants(merchant.merchantId, 40, 20))
  await until(async () => (await db.query(countSenders, []))[0]?.senders === 2)
  resolve()
  for (const webhook of webhooks) await until(async () => (await progressOf(db, webhook)).lag === 0)
  for (const { received } of receivers) {
    assert.equal(received.length, 40)
    assert.equal(new Set(received.map((one) => one.headers['webhook-id'])).size, 40)
  }
  assert.ok(!counts.includes(0), `shared as ${counts.join(' and ')}`)
})

const countSenders = statement<{ senders: number }>(
  'select count(distinct lease_owner)::int as senders from webhook_cursors',
)

test('a worker that stops gracefully leaves nothing to be sent twice, and the next one continues at once', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const receiver = await makeReceiver(t, (_, response) => void setTimeout(() => response.end(), 5))
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  await recordEvents(db, grants(merchant.merchantId, 1_500, 30))
  for (let round = 1; round <= 3; round++) {
    const { worker } = makeWorker(t, db)
    await until(() => receiver.received.length > round * 300)
    await worker.close(60_000)
  }
  makeWorker(t, db)
  await until(async () => {
    const { lag } = await progressOf(db, webhook)
    return lag === 0 && (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 0
  })
  assert.equal(receiver.received.length, 1_500)
  assert.equal(new Set(receiver.received.map((received) => received.headers['webhook-id'])).size, 1_500)
})

test('a deleted webhook gets no more events and leaves no rows', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const receiver = await makeReceiver(t, status(500))
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  const first = makeWorker(t, db)
  await recordEvents(db, grants(merchant.merchantId, 5))
  await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 5)
  await first.worker.close(1_000)
  await deleteWebhook(db, webhook, new Date())
  await assert.rejects(findWebhook(db, merchant.merchantId, webhook.webhookId), { code: 'webhook_not_found' })
  makeWorker(t, db)
  await until(async () => (await listAttempts(db, { ...all, webhookNo: webhook.webhookNo })).length === 0)
  await until(async () => (await countDeliveries(db, webhook.webhookNo, 10)).waiting === 0)
})
