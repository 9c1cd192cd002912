import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { webhookResendsMax, webhookResendStepMax, webhookResendWaitingMax } from '../../src/limits.ts'
import { continueResend, lastSeqOfAll, orderResend } from '../../src/webhooks/resend-events.ts'
import { countDeliveries, upsertDeliveries } from '../../src/webhooks/webhook-deliveries.ts'
import { findResend } from '../../src/webhooks/webhook-resends.ts'
import { findWebhook, pauseWebhook, resumeWebhook, type Webhook } from '../../src/webhooks/webhooks.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import {
  type Answer,
  databaseUrl,
  makeDatabase,
  makeMerchant,
  makeServer,
  type Server,
  spawnServer,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import {
  callWebhooks,
  distinctIn,
  eventIn,
  grants,
  makeWebhook,
  makeWorker,
  progressOf,
  recordEvents,
} from './webhook-scene.ts'

const days = (count: number) => new Date(Date.now() - count * 86_400_000)

/** Dead letters, numbered from 1. */
async function makeDeadLetters(db: Database, { webhookNo }: Webhook, count: number) {
  const mails = times(count, (index) => {
    const [seq, eventId] = [index + 1, `evt_${index + 1}`]
    const data = { playerId: `player-${index % 100}` }
    const body = JSON.stringify({ id: eventId, seq, type: 'player.created', data })
    const state = { nextTryAt: null, deadAt: days((10 * (count - index)) / count), createdAt: days(20) }
    return { webhookNo, seq, eventId, eventType: 'player.created', body, tries: 10, ...state }
  })
  await upsertDeliveries(db, mails)
  return mails
}

describe('resending events', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    const env = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOKS: 'off' }
    server = await makeServer(lifetime, { env })
  })
  const codeOf = (answer: Answer) => [answer.status, answer.body.code]

  async function makeScene(url: string, types: string[] | null = null) {
    const { db } = server.ctx
    const { token, merchant } = await makeMerchant(db)
    await recordEvents(db, [])
    const made = await callWebhooks(server.url, token, { method: 'POST', path: '', body: { url, types } })
    const webhookId = String(made.body.webhookId)
    const call = (method: string, path: string, body?: object, headers?: object) =>
      callWebhooks(server.url, token, { method, path: `/${webhookId}${path}`, body, headers })
    /** Requests a resend and waits until it is finished. */
    const resend = async (body: object) => {
      const ordered = await call('POST', '/resend', body)
      assert.ok([200, 202].includes(ordered.status), JSON.stringify(ordered.body))
      const path = `/resends/${String(ordered.body.resendId)}`
      while ((await continueResend(db, new Date())) !== 'none');
      return (await call('GET', path)).body
    }
    const webhook = await findWebhook(db, merchant.merchantId, webhookId)
    return { db, merchant, call, resend, webhook, first: Number(made.body.cursor) + 1 }
  }

  test('resends dead letters: one, a range, all since a time, or all', async (t) => {
    const receiver = await makeReceiver(t)
    const { db, call, resend, webhook } = await makeScene(receiver.url)
    const mails = await makeDeadLetters(db, webhook, 10)
    const first = await call('GET', '/deliveries?limit=6')
    const seqsOf = (answer: Answer) => (answer.body.deliveries as { seq: number }[]).map(({ seq }) => seq)
    assert.deepEqual([seqsOf(first), first.body.next], [[1, 2, 3, 4, 5, 6], 6])
    const second = await call('GET', '/deliveries?limit=6&cursor=6')
    assert.deepEqual(second.body, (await call('GET', '/deliveries?limit=6&after=6')).body)
    const both = await call('GET', '/deliveries?cursor=6&after=6')
    assert.deepEqual([both.status, both.body.code], [400, 'validation_failed'])
    assert.deepEqual([seqsOf(second), second.body.next], [[7, 8, 9, 10], null])
    const count = async (query: string) => (await call('GET', `/resend?${query}`)).body
    assert.deepEqual(await count('fromSeq=1'), { events: 10, isComplete: true })
    assert.deepEqual(await count('fromSeq=3&toSeq=4'), { events: 2, isComplete: true })
    assert.equal((await count(`since=${days(2.5).toISOString()}`)).events, 2)
    assert.equal((await count('seq=11')).events, 0)
    const one = await call('POST', '/resend', { seq: 3 })
    assert.deepEqual([one.status, one.body.queued, one.body.state], [200, 1, 'finished'])
    assert.equal((await resend({ fromSeq: 1, toSeq: 4 })).queued, 3)
    assert.equal((await resend({ since: days(2.5).toISOString() })).queued, 2)
    assert.deepEqual(codeOf(await call('POST', '/resend', { seq: 3 })), [404, 'event_not_found'])
    assert.deepEqual(seqsOf(await call('GET', '/deliveries?state=waiting')), [1, 2, 3, 4, 9, 10])
    assert.equal((await resend({ fromSeq: 1 })).queued, 4)
    makeWorker(t, db)
    await until(() => receiver.received.length === 10)
    assert.deepEqual(
      new Set(receiver.received.map((received) => received.headers['webhook-id'])),
      new Set(mails.map(({ eventId }) => eventId)),
    )
    await until(async () => seqsOf(await call('GET', '/deliveries?state=waiting')).length === 0)
  })

  test('resends delivered events from the log: one, a range, or since a time', async (t) => {
    const receiver = await makeReceiver(t)
    const { db, merchant, call, resend, webhook, first } = await makeScene(receiver.url, ['spins.granted'])
    const { worker } = makeWorker(t, db)
    const hour = 3_600_000
    const old = grants(merchant.merchantId, 300).map((event) => ({
      ...event,
      at: new Date(Date.now() - hour),
    }))
    await recordEvents(db, [...old, ...grants(merchant.merchantId, 50)])
    await until(async () => (await progressOf(db, webhook)).lag === 0)
    await worker.close(1_000)
    const taken = receiver.received.map((received) => received.headers['webhook-id'])
    assert.equal(taken.length, 350)
    /** The number counted before, which must be the number queued. */
    const queued = async (body: object) => {
      const fields = Object.entries<unknown>({ only: 'all', ...body }).map(([name, value]) => [
        name,
        String(value),
      ])
      const counted = await call('GET', `/resend?${new URLSearchParams(fields).toString()}`)
      const { queued: done } = await resend({ only: 'all', ...body })
      assert.deepEqual(counted.body, { events: done, isComplete: true })
      return done
    }
    assert.equal(await queued({ since: new Date(Date.now() - hour / 2).toISOString() }), 50)
    assert.equal(await queued({ fromSeq: first, toSeq: first + 99 }), 100)
    assert.equal(await queued({ seq: first + 100 }), 1)
    const beyond = await call('POST', '/resend', { only: 'all', seq: first + 10_000 })
    assert.deepEqual(codeOf(beyond), [404, 'event_not_found'])
    makeWorker(t, db)
    await until(() => receiver.received.length === 501)
    const again = receiver.received.slice(350).map((received) => eventIn(received))
    assert.deepEqual(new Set(again.map(({ seq }) => seq)).size, 151)
    assert.ok(again.every(({ id }) => taken.includes(id)))
  })

  test('a resend without a selection, or with an invalid one, queues nothing', async () => {
    const { db, call, webhook } = await makeScene('http://127.0.0.1:1024/')
    await makeDeadLetters(db, webhook, 5)
    for (const [body, pointer] of [
      [{}, ''],
      [{ only: 'all' }, ''],
      [{ form_seq: 3 }, '/form_seq'],
      [{ only: 'all', fromSeq: 1, formSeq: 3 }, '/formSeq'],
      [{ seq: 1, fromSeq: 1 }, '/seq'],
      [{ seq: 1, toSeq: 2 }, '/seq'],
      [{ seq: 1, since: days(1).toISOString() }, '/seq'],
      [{ fromSeq: 3, toSeq: 2 }, '/toSeq'],
      [{ seq: 0 }, '/seq'],
      [{ since: 'monday' }, '/since'],
    ] as const) {
      const { status, body: problem } = await call('POST', '/resend', body)
      const [error] = problem.errors as { pointer: string }[]
      assert.deepEqual(
        [status, problem.code, error?.pointer],
        [400, 'validation_failed', pointer],
        JSON.stringify(body),
      )
      const fields = Object.entries(body).map(([name, value]) => [name, String(value)])
      const counted = await call('GET', `/resend?${new URLSearchParams(fields).toString()}`)
      const isCounted = pointer === '' && counted.status === 200
      assert.ok(isCounted || counted.body.code === 'validation_failed', JSON.stringify(body))
    }
    assert.equal((await countDeliveries(db, webhook.webhookNo, 10)).waiting, 0)
    assert.deepEqual((await call('GET', '/resends')).body, { resends: [] })
  })

  test('a large resend gets a 202 with an id at once; a repeat with the same key gets the same', async () => {
    const { db, call, webhook } = await makeScene('http://127.0.0.1:1024/')
    await makeDeadLetters(db, webhook, 5)
    const key = { 'Idempotency-Key': 'again-1' }
    const order = (body: object = { fromSeq: 2 }) => call('POST', '/resend', body, key)
    const answers = await Promise.all(times(5, () => order()))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    const [{ body, headers } = assert.fail()] = answers
    assert.deepEqual(new Set(answers.map((answer) => answer.body.resendId)), new Set([body.resendId]))
    assert.deepEqual([body.state, body.queued, body.fromSeq, body.toSeq], ['running', 0, 2, null])
    const location = `/api/v1/webhooks/${webhook.webhookId}/resends/${String(body.resendId)}`
    assert.equal(headers.get('location'), location)
    assert.deepEqual(codeOf(await order({ fromSeq: 3 })), [422, 'idempotency_key_reused'])
    while ((await continueResend(db, new Date())) !== 'none');
    const finished = (await call('GET', `/resends/${String(body.resendId)}`)).body
    assert.deepEqual([finished.state, finished.queued], ['finished', 4])
    assert.deepEqual((await order()).body, finished)
    assert.deepEqual(codeOf(await call('GET', '/resends/rs_0123456789abcdef')), [404, 'resend_not_found'])
  })

  test('a webhook has a bounded number of unfinished resends', async () => {
    const { db, call } = await makeScene('http://127.0.0.1:1024/')
    const order = () => call('POST', '/resend', { fromSeq: 1 })
    const answers = await Promise.all(times(webhookResendsMax + 5, order))
    const refused = answers.filter((answer) => answer.status !== 202)
    assert.deepEqual(
      refused.map(codeOf),
      times(5, () => [409, 'resend_limit_reached']),
    )
    while ((await continueResend(db, new Date())) !== 'none');
  })
})

test('several processes share a resend and queue each event once', async (t) => {
  const { db } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const webhook = await makeWebhook(db, merchant, { url: 'http://127.0.0.1:1024/' })
  const count = 3 * webhookResendStepMax + 10
  await makeDeadLetters(db, webhook, count)
  const order = { only: 'dead' as const, fromSeq: 1, toSeq: lastSeqOfAll, since: null, key: null }
  const { resend } = await orderResend(db, webhook, { ...order, now: new Date() })
  const work = async () => {
    while ((await findResend(db, webhook.webhookNo, resend.resendId))?.finishedAt === null)
      await continueResend(db, new Date())
  }
  await Promise.all([work(), work(), work()])
  assert.equal((await findResend(db, webhook.webhookNo, resend.resendId))?.queued, count)
  assert.deepEqual(await countDeliveries(db, webhook.webhookNo, 10_000), { waiting: count, dead: 0 })
})

test('a resend interrupted by a killed server is finished by the next one', onLanding, async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const receiver = await makeReceiver(t)
  const webhook = await makeWebhook(db, merchant, { url: receiver.url })
  const env = {
    DATABASE_URL: databaseUrl(target),
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  // With this many deliveries pending for a paused webhook, the resend stops halfway and waits.
  const count = webhookResendWaitingMax + 2 * webhookResendStepMax
  await makeDeadLetters(db, webhook, count)
  await pauseWebhook(db, webhook, new Date())
  const server = await spawnServer(t, env)
  const order = { only: 'dead' as const, fromSeq: 1, toSeq: lastSeqOfAll, since: null, key: null }
  const { resend } = await orderResend(db, webhook, { ...order, now: new Date() })
  const read = async () => (await findResend(db, webhook.webhookNo, resend.resendId)) ?? assert.fail()
  await until(async () => (await read()).queued === webhookResendWaitingMax)
  server.child.kill('SIGKILL')
  await server.stopped
  await resumeWebhook(db, webhook)
  await spawnServer(t, env)
  await until(async () => (await read()).finishedAt !== null)
  assert.equal((await read()).queued, count)
  await until(() => distinctIn(receiver.received) === count)
})
