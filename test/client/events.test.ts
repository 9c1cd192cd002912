import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  type EventType,
  verifyWebhook,
  WebhookRejected,
  Wheelhouse,
  type WheelhouseEvent,
  WheelhouseProblem,
} from '../../packages/client/src/index.ts'
import type { EventData } from '../../src/events/catalogue.ts'
import { makeWebhookSecret, signWebhook } from '../../src/webhooks/sending/signature.ts'
import { type Fault, makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { makeManagementApi } from '../scenes/management-scene.ts'
import { type Lifetime, makeServer, times, until } from '../scenes/scene.ts'

async function makeScene(t: Lifetime, choose: () => Fault = () => 'none') {
  const server = await makeServer(t)
  const api = await makeManagementApi(server)
  const proxy = await makeLossyProxy(t, server.url, choose)
  return { server, api, proxy, wheelhouse: new Wheelhouse({ url: proxy.url, token: api.token }) }
}

describe('events', () => {
  test('each event arrives once and in order, however often the connection is lost', async (t) => {
    const faults: Fault[] = ['drop-request', 'drop-answer', 'none', 'cut-answer', 'bad-gateway', 'none']
    let requests = 0
    const { api, proxy, wheelhouse } = await makeScene(t, () => faults[requests++ % faults.length] as Fault)
    const amounts: number[] = []
    const numbers: number[] = []
    await api.grant('alice', 1)
    for await (const event of wheelhouse.events({ types: ['spins.granted'], after: 0 })) {
      amounts.push(event.data.amount)
      numbers.push(event.seq)
      if (amounts.length === 5) break
      await api.grant('alice', amounts.length + 1)
    }
    assert.deepEqual(
      amounts,
      times(5, (index) => index + 1),
    )
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, other) => one - other),
    )
    assert.ok(proxy.passed.some(({ fault }) => fault === 'drop-answer'))
  })

  test('the position moves past other types, and a new loop starts from it', async (t) => {
    const { api, wheelhouse } = await makeScene(t)
    await api.grant('alice', 1)
    const leaving = new AbortController()
    const positions: number[] = []
    const onPosition = (position: number) => {
      positions.push(position)
      leaving.abort()
    }
    const seen: WheelhouseEvent[] = []
    const quick = { types: ['prize.won'] as const, waitSeconds: 1 }
    for await (const event of wheelhouse.events({ ...quick, signal: leaving.signal, onPosition }))
      seen.push(event)
    assert.deepEqual(seen, [])
    await api.grant('bob', 2)
    for await (const event of wheelhouse.events({ after: positions[0] as number })) {
      assert.equal(event.seq, (positions[0] as number) + 1)
      break
    }
  })

  test('the position advances only past handled events', async (t) => {
    const { api, wheelhouse } = await makeScene(t)
    await api.grant('alice', 1)
    const positions: number[] = []
    for await (const _ of wheelhouse.events({ after: 0, onPosition: (position) => positions.push(position) }))
      break
    assert.deepEqual(positions, [])
  })

  test('an abort signal ends a waiting loop', async (t) => {
    const { proxy, wheelhouse } = await makeScene(t, () => 'silence')
    const leaving = new AbortController()
    const loop = wheelhouse.events({ signal: leaving.signal }).next()
    await until(() => proxy.passed.length === 1)
    leaving.abort()
    assert.deepEqual(await loop, { done: true, value: undefined })
  })

  test('a position beyond the end of the log is refused at once', async (t) => {
    const { wheelhouse } = await makeScene(t)
    await assert.rejects(
      wheelhouse.events({ after: 1_000_000 }).next(),
      (error: unknown) => error instanceof WheelhouseProblem && error.code === 'events_ahead',
    )
  })

  test('the event types match the catalogue', () => {
    type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
    const sameTypes: Same<EventType, Parameters<typeof dataOf>[0]> = true
    const sameData: Same<WheelhouseEvent<'prize.won'>['data'], EventData<'prize.won'>> = true
    assert.ok(sameTypes && sameData)
  })
})

declare function dataOf<T extends import('../../src/events/event-types.ts').EventType>(type: T): EventData<T>

describe('webhooks', () => {
  const secret = makeWebhookSecret()
  const event = {
    id: 'evt_1',
    seq: 7,
    type: 'prize.won',
    at: '',
    merchant: 'acme',
    data: { playerId: 'ålice' },
  }
  const body = JSON.stringify(event)
  const now = 1_796_126_400_000
  const signed = (secrets: string[], sentAt = now) =>
    signWebhook({ id: event.id, sentAt: new Date(sentAt), body }, secrets)
  const rejectedFor = (reason: WebhookRejected['reason']) => (error: unknown) =>
    error instanceof WebhookRejected && error.reason === reason

  test('a delivery signed by the server is accepted, as text or bytes, with Node or web headers', async () => {
    const headers = signed([secret])
    const bytes = new TextEncoder().encode(body)
    assert.deepEqual(await verifyWebhook({ headers: { ...headers }, body }, secret, { now }), event)
    assert.deepEqual(
      await verifyWebhook({ headers: new Headers({ ...headers }), body: bytes }, secret, { now }),
      event,
    )
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    assert.deepEqual(await verifyWebhook({ headers: upper, body }, [secret], { now }), event)
  })

  test('a delivery signed by the public library is accepted', async () => {
    const signature = new Webhook(secret).sign(event.id, new Date(), body)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = { 'webhook-id': event.id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    assert.deepEqual(await verifyWebhook({ headers, body }, secret), event)
  })

  test('frozen signatures stay valid', async () => {
    const frozen = {
      headers: {
        'webhook-id': 'evt_0193a1d65f0e7c3a9b1e2f6d1c4b8a70_0',
        'webhook-timestamp': '1796126400',
        'webhook-signature': 'v1,ZKdsQaiylb55JeZK3Wc8JLaqe8/GV+UqtTyVPR6qmFg=',
      },
      body: '{"type":"webhook.test"}',
    }
    const verified = await verifyWebhook(frozen, 'whsec_d2hlZWxob3VzZS1jbGllbnQtdGVzdC1zZWNyZXQtMQ==', {
      now,
    })
    assert.deepEqual(verified, { type: 'webhook.test' })
  })

  test('during a rotation either side may switch secrets first', async () => {
    const next = makeWebhookSecret()
    assert.ok(await verifyWebhook({ headers: signed([next, secret]), body }, secret, { now }))
    assert.ok(await verifyWebhook({ headers: signed([secret]), body }, [next, secret], { now }))
  })

  test('a delivery that is altered, too old, too early or signed with another secret is rejected', async () => {
    const headers = signed([secret])
    const reject = (
      webhook: Parameters<typeof verifyWebhook>[0],
      reason: WebhookRejected['reason'],
      at = now,
    ) => assert.rejects(verifyWebhook(webhook, secret, { now: at }), rejectedFor(reason))
    await reject({ headers, body: `${body} ` }, 'signature_mismatch')
    await reject({ headers: { ...headers, 'webhook-id': 'evt_2' }, body }, 'signature_mismatch')
    await reject({ headers: { ...headers, 'webhook-timestamp': '1796126401' }, body }, 'signature_mismatch')
    await reject({ headers: signed([makeWebhookSecret()]), body }, 'signature_mismatch')
    for (const signature of [
      'v1',
      'v1,',
      'v1,!',
      'v2,AAAA',
      ' ',
      headers['webhook-signature'].replace('v1', 'v1a'),
    ])
      await reject({ headers: { ...headers, 'webhook-signature': signature }, body }, 'signature_mismatch')
    await reject({ headers, body }, 'timestamp_out_of_range', now + 301_000)
    await reject({ headers, body }, 'timestamp_out_of_range', now - 301_000)
    await reject({ headers: { ...headers, 'webhook-timestamp': 'NaN' }, body }, 'timestamp_out_of_range')
    await reject({ headers: {}, body }, 'headers_missing')
    assert.ok(await verifyWebhook({ headers, body }, secret, { now: now + 300_000 }))
  })

  test('an invalid secret throws a configuration error, not a rejected delivery', async () => {
    const headers = signed([secret])
    for (const wrong of ['', 'whsec_', 'whsec_%%'])
      await assert.rejects(verifyWebhook({ headers, body }, wrong, { now }), TypeError)
    await assert.rejects(verifyWebhook({ headers, body }, [], { now }), rejectedFor('signature_mismatch'))
  })
})
