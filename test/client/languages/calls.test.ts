// The clients for Python and PHP make the promises of the client for JavaScript (test/client/client.test.ts).
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { before, describe, test } from 'node:test'
import { makeWebhookSecret, signWebhook } from '../../../src/webhooks/sending/signature.ts'
import { type Fault, makeLossyProxy } from '../../scenes/lossy-proxy.ts'
import { alwaysWins, makeManagementApi } from '../../scenes/management-scene.ts'
import {
  defer,
  freePort,
  type Lifetime,
  makeServer,
  type Server,
  suiteLifetime,
  times,
} from '../../scenes/scene.ts'
import { onLanding } from '../../scenes/selection.ts'
import { type Driver, type Language, type Outcome, php, phpWithCurl, python, startDriver } from './driver.ts'

const hugeId = '🎡'.repeat(128)

for (const language of [python, php, phpWithCurl])
  describe(`the client for ${language.name}`, options(language), () => {
    const lifetime = suiteLifetime()
    let server: Server
    let driver: Driver
    before(async () => {
      server = await makeServer(lifetime)
      driver = startDriver(lifetime, language)
    })

    /** A client behind a proxy that applies these faults to the first requests, one each. */
    async function makeScene(t: Lifetime, ...faults: Fault[]) {
      const api = await makeManagementApi(server)
      const proxy = await makeLossyProxy(t, server.url, () => faults.shift() ?? 'none')
      const connect = (own: Record<string, string | number> = {}) =>
        driver.attempt('connect', { url: proxy.url, token: api.token, ...own })
      // Long, so that on a busy machine only the tests about timeouts reach one.
      const connected = await connect({ attemptSeconds: 60, deadlineSeconds: 120 })
      assert.equal(connected.error, undefined)
      return { api, proxy, connect, ...driver }
    }

    test('each call has its own key and keeps it across retries', async (t) => {
      const { proxy, attempt } = await makeScene(
        t,
        'drop-answer',
        'bad-gateway',
        'cut-answer',
        'drop-request',
      )
      const first = await attempt('grant', { playerId: 'alice', spinNumber: 3 })
      assert.deepEqual(first.value, { playerId: 'alice', spinCount: 3, replayed: true })
      assert.deepEqual(
        first.retries.map(([error, , attempts]) => [error, attempts]),
        [1, 2, 3, 4].map((attempts) => ['WheelhouseUnreachable', attempts]),
      )
      const second = await attempt('grant', { playerId: 'alice', spinNumber: 3 })
      assert.deepEqual(second.value, { playerId: 'alice', spinCount: 6, replayed: false })
      const keys = proxy.passed.map(({ headers }) => headers['idempotency-key'])
      assert.equal(keys.length, 6)
      assert.equal(new Set(keys.slice(0, 5)).size, 1)
      assert.notEqual(keys[5], keys[0])
    })

    test('two calls with the same key make one grant', async (t) => {
      const { call, attempt } = await makeScene(t)
      const grant = { playerId: 'alice', spinNumber: 3, idempotencyKey: 'order-1' }
      assert.equal((await call('grant', grant)).replayed, false)
      assert.deepEqual(await call('grant', grant), { playerId: 'alice', spinCount: 3, replayed: true })
      assert.equal(
        (await attempt('grant', { ...grant, spinNumber: 4 })).error?.code,
        'idempotency_key_reused',
      )
    })

    test('a deadline ends the retries, and the key in the error completes the grant later', async (t) => {
      const { call, attempt } = await makeScene(t, 'silence')
      const { error } = await attempt('grant', { playerId: 'alice', spinNumber: 3, deadlineSeconds: 0.5 })
      assert.equal(error?.type, 'WheelhouseUnreachable')
      assert.match(error.message, /^No answer from POST \/api\/player\/increaseSpin: ./)
      const again = await call('grant', { playerId: 'alice', spinNumber: 3, idempotencyKey: error.key })
      assert.deepEqual(again, { playerId: 'alice', spinCount: 3, replayed: true })
    })

    test('an answer that arrives byte by byte ends with the deadline', async (t) => {
      const { api, attempt, connect } = await makeScene(t)
      const slow = createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1_000 })
        const drip = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(drip))
      })
      slow.listen(0, '127.0.0.1')
      await once(slow, 'listening')
      defer(t, () => slow.close())
      const { port } = slow.address() as { port: number }
      await connect({ url: `http://127.0.0.1:${port}`, token: api.token, attemptSeconds: 0.5 })
      const { error } = await attempt('link', { playerId: 'alice', deadlineSeconds: 1 })
      assert.equal(error?.type, 'WheelhouseUnreachable')
    })

    test('Retry-After is honoured, and a deadline before it fails the call at once', async (t) => {
      const { attempt } = await makeScene(t, 'overloaded', 'none', 'overloaded')
      const { retries } = await attempt('grant', { playerId: 'alice', spinNumber: 3 })
      assert.deepEqual(
        retries.map(([error, waitSeconds, attempts]) => [error, waitSeconds >= 1, attempts]),
        [['WheelhouseProblem', true, 1]],
      )
      const failed = await attempt('grant', { playerId: 'alice', spinNumber: 3, deadlineSeconds: 0.9 })
      assert.deepEqual([failed.error?.code, failed.error?.retryable], ['overloaded', true])
      assert.deepEqual(failed.retries, [])
    })

    test('a refusal has its code, fields and request id, and is not retried', async (t) => {
      const { proxy, attempt } = await makeScene(t)
      const { error } = await attempt('grant', { playerId: ' alice', spinNumber: 0 })
      assert.deepEqual([error?.code, error?.status, error?.retryable], ['validation_failed', 400, false])
      assert.match(error?.requestId ?? '', /./)
      assert.match(error?.message ?? '', /^validation_failed: .*spinNumber/)
      assert.deepEqual(
        error?.errors?.map(({ pointer }) => pointer),
        ['/playerId', '/spinNumber'],
      )
      assert.equal(proxy.passed.length, 1)
      const ahead = await attempt('eventPage', { after: 1_000_000 })
      assert.deepEqual([ahead.error?.code, typeof ahead.error?.document?.last], ['events_ahead', 'number'])
    })

    test('a wrong token is refused without being shown, and so is one that can not be one', async (t) => {
      const { attempt, connect } = await makeScene(t)
      assert.equal((await connect({ token: `demo-1:${'a'.repeat(64)}` })).error, undefined)
      const { error } = await attempt('link', { playerId: 'alice' })
      assert.deepEqual([error?.code, error?.status], ['token_invalid', 401])
      const seen = [JSON.stringify(error), JSON.stringify(await attempt('describe'))]
      for (const token of ['', `demo-1:${'a'.repeat(64)}\n`, 'Bearer aaaaa']) {
        const refused = await connect({ token })
        assert.equal(refused.error?.type, 'mistake', token)
        seen.push(JSON.stringify(refused.error))
      }
      for (const text of seen) assert.doesNotMatch(text, /aaaa/)
    })

    test('players of any spelling and numbers of any size are sent as they are', async (t) => {
      const { call, attempt } = await makeScene(t)
      for (const playerId of ['ålice/1 ?#&=%2F"\\', 'Ωμέγα', hugeId]) {
        assert.equal((await call('grant', { playerId, spinNumber: 2 })).playerId, playerId)
        const path = { method: 'GET', path: '/api/v1/players/{playerId}', pathValues: { playerId } }
        assert.equal((await call('request', path)).playerId, playerId)
      }
      for (const spinNumber of [1_000_001, -1, Number.MAX_SAFE_INTEGER]) {
        const { error } = await attempt('grant', { playerId: 'alice', spinNumber })
        assert.deepEqual([spinNumber, error?.code], [spinNumber, 'validation_failed'])
      }
      assert.equal((await attempt('grant', { playerId: `${hugeId}x`, spinNumber: 1 })).error?.status, 400)
    })

    test('a call that can not be sent fails before it is sent', async (t) => {
      const { proxy, attempt, connect } = await makeScene(t)
      const grant = { playerId: 'alice', spinNumber: 1 }
      const mistakes: Promise<Outcome>[] = ['Bestellung №1', 'a b', '', 'a\r\nX: 1'].map((idempotencyKey) =>
        attempt('grant', { ...grant, idempotencyKey }),
      )
      mistakes.push(attempt('request', { method: 'GET', path: '/api/v1/players/{playerId}' }))
      const headers = { 'X-Shop': 'a\r\nX-Other: b' }
      mistakes.push(attempt('request', { method: 'GET', path: '/api/v1/players', headers }))
      for (const path of ['api/v1/players', '/api/v1/players/a b', '/api/v1/players/ü'])
        mistakes.push(attempt('request', { method: 'GET', path }))
      const wrong = [
        'wheel.example',
        '',
        'file:///etc/passwd',
        '/',
        'http://',
        'http://h:port',
        'http://u:p@h',
        'http://h/?a',
      ]
      for (const url of wrong) mistakes.push(connect({ url }))
      for (const { error } of await Promise.all(mistakes))
        assert.equal(error?.type, 'mistake', error?.trace ?? 'it was sent')
      assert.equal(proxy.passed.length, 0)
    })

    test('another service at the address is named, and no redirect is followed', async (t) => {
      const { api, proxy, attempt, connect } = await makeScene(
        t,
        'sign-in-page',
        'empty-answer',
        'strange-answer',
      )
      for (const status of [200, 200]) {
        const { error } = await attempt('link', { playerId: 'alice' })
        assert.deepEqual([error?.type, error?.status], ['WheelhouseUnreachable', status])
      }
      assert.equal(proxy.passed.length, 2)
      // JSON, but none of ours, is taken for an answer that was cut off.
      const repeated = await attempt('link', { playerId: 'alice' })
      assert.equal(repeated.retries.length, 1)
      const other = createServer((_, response) => response.writeHead(302, { Location: server.url }).end())
      other.listen(0, '127.0.0.1')
      await once(other, 'listening')
      defer(t, () => other.close())
      const { port } = other.address() as { port: number }
      await connect({ url: `http://127.0.0.1:${port}`, token: api.token })
      const moved = await attempt('link', { playerId: 'alice' })
      assert.deepEqual([moved.error?.type, moved.error?.status], ['WheelhouseUnreachable', 302])
      assert.deepEqual(moved.retries, [])
    })

    test('a server that is down is tried until the deadline', async (t) => {
      const { attempt, connect } = await makeScene(t)
      await connect({ url: `http://127.0.0.1:${await freePort()}` })
      const { error, retries } = await attempt('link', { playerId: 'alice', deadlineSeconds: 1 })
      assert.equal(error?.type, 'WheelhouseUnreachable')
      assert.match(error.message, /refused|connect/i)
      assert.ok(retries.length > 1)
    })

    test('a change without a key is not sent again, unless it was refused for its pace', async (t) => {
      const { proxy, attempt, call } = await makeScene(t, 'drop-answer', 'drop-answer')
      const change = { method: 'PATCH', path: '/api/v1/merchant', body: { timeZone: 'Europe/Berlin' } }
      assert.equal((await attempt('request', change)).error?.type, 'WheelhouseUnreachable')
      assert.equal(proxy.passed.length, 1)
      const correction = { amount: 2, reason: 'shown twice' }
      const filled = { method: 'POST', path: '/api/v1/players/alice/corrections', body: correction }
      assert.equal((await attempt('request', filled)).error?.code, 'player_not_found')
      assert.equal(proxy.passed.length, 3, 'an operation with a key is sent again')
      await call('grant', { playerId: 'alice', spinNumber: 1 })
    })

    test('lists are read to their end, a page at a time, with their filters', async (t) => {
      const { proxy, call, attempt } = await makeScene(t)
      for (const playerId of ['alan', 'alice', 'alma', 'bob'])
        await call('grant', { playerId, spinNumber: 1 })
      const listed = await call('all', { path: '/api/v1/players', query: { prefix: 'al', limit: 2 } })
      assert.deepEqual(
        listed.map(({ playerId }: { playerId: string }) => playerId),
        ['alan', 'alice', 'alma'],
      )
      assert.equal(proxy.passed.filter(({ url }) => url.includes('prefix=al&limit=2')).length, 2)
      const none = await call('all', { path: '/api/v1/players', query: { prefix: 'x' } })
      assert.deepEqual(none, [])
      const one = await attempt('all', { path: '/api/v1/prizes', query: { playerId: 'alan', limit: 0 } })
      assert.equal(one.error?.code, 'validation_failed')
      const notList = await attempt('all', { path: '/api/v1/players/alan' })
      assert.match(notList.error?.message ?? '', /is not a list/)
    })

    test('a prize is claimed and redeemed once', async (t) => {
      const { api, call, attempt } = await makeScene(t)
      await api.publish(alwaysWins({ prize: { kind: 'handover' } }))
      await call('grant', { playerId: 'alice', spinNumber: 2 })
      const { playId } = await api.play('alice')
      assert.equal((await call('prize', { action: 'claim', playId })).state, 'claimed')
      assert.equal((await call('prize', { action: 'redeem', playId })).state, 'redeemed')
      const second = await attempt('prize', { action: 'redeem', playId })
      assert.equal(second.error?.code, 'prize_settled')
      const other = await api.play('alice')
      assert.equal((await call('prize', { action: 'cancel', playId: other.playId })).state, 'cancelled')
    })

    test('each event arrives once and in order, however often the connection is lost', async (t) => {
      const faults: Fault[] = ['drop-request', 'drop-answer', 'none', 'cut-answer', 'bad-gateway', 'none']
      const { api, call } = await makeScene(t, ...faults)
      for (const spins of [1, 2, 3, 4, 5]) await api.grant('alice', spins)
      const read = await call('events', { count: 5, types: ['spins.granted'] })
      const amounts = read.events.map(({ data }: any) => data.amount)
      assert.deepEqual(
        amounts,
        times(5, (index) => index + 1),
      )
      assert.ok(Math.abs(read.events[0].at - Date.now() / 1000) < 600)
    })

    test('the position moves past other types, and a loop that does not wait ends', async (t) => {
      const { api, call } = await makeScene(t)
      await api.grant('alice', 1)
      const { events: all } = await call('events', { count: 2, types: ['player.created', 'spins.granted'] })
      const last = all.at(-1).seq
      const none = await call('events', { count: 9, types: ['prize.won'], waitSeconds: 0 })
      assert.deepEqual(none, { events: [], positions: [last] })
      const page = await call('eventPage', { after: last - 1 })
      assert.deepEqual([page.events.length, page.next, page.last], [1, last, last])
      assert.deepEqual(await call('eventPage', { after: last }), { events: [], next: last, last })
    })

    test('a webhook is accepted if it is genuine, and otherwise rejected with its reason', async () => {
      const { attempt, call } = driver
      const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()]
      const sentAt = new Date('2026-12-01T12:00:00Z')
      const now = sentAt.getTime() / 1000
      const event = { id: 'evt_1', seq: 5, type: 'prize.won', at: sentAt.toISOString(), merchant: 'acme' }
      const body = JSON.stringify({ ...event, data: { playerId: 'Ωμέγα 🎡', label: 'Käse' } })
      const headers = { ...signWebhook({ id: 'evt_1', sentAt, body }, [other, secret]) }
      const shown = { ...event, at: now, data: { playerId: 'Ωμέγα 🎡', label: 'Käse' } }
      const accepted: Record<string, object> = {
        'as it is': {},
        'two secrets': { secrets: [makeWebhookSecret(), secret] },
        'names in capitals': { headers: capitals(headers) },
        'five minutes late': { now: now + 300 },
        'five minutes early': { now: now - 300 },
        'a longer tolerance': { now: now + 900, toleranceSeconds: 1_000 },
      }
      if (language !== python) {
        const shouted = Object.entries(headers).map(([name, value]) => [
          `HTTP_${name.replaceAll('-', '_').toUpperCase()}`,
          value,
        ])
        accepted['$_SERVER'] = { headers: { REQUEST_TIME: 5, ...Object.fromEntries(shouted) } }
        const lists = Object.entries(headers).map(([name, value]) => [name, [value]])
        accepted['lists of values'] = { headers: Object.fromEntries(lists) }
      }
      for (const [name, own] of Object.entries(accepted))
        assert.deepEqual(await call('verify', { headers, body, secrets: secret, now, ...own }), shown, name)

      const { 'webhook-id': _, ...withoutId } = headers
      const notEvent = '{"type":"prize.won"}'
      const rejected: [reason: string, own: object][] = [
        ['timestamp_out_of_range', { now: now + 301 }],
        ['timestamp_out_of_range', { now: now - 301 }],
        ['timestamp_out_of_range', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
        ['timestamp_out_of_range', { headers: { ...headers, 'webhook-timestamp': '٣' } }],
        ['timestamp_out_of_range', { headers: { ...headers, 'webhook-timestamp': `${now}\n` } }],
        ['signature_mismatch', { headers: { ...headers, 'webhook-timestamp': String(now + 1) } }],
        ['signature_mismatch', { headers: { ...headers, 'webhook-id': 'evt_2' } }],
        ['signature_mismatch', { headers: { ...headers, 'webhook-signature': 'v1,' } }],
        ['signature_mismatch', { headers: { ...headers, 'webhook-signature': 'v2,é' } }],
        ['signature_mismatch', { body: body.replace('Käse', 'Kase') }],
        ['signature_mismatch', { body: `${body} ` }],
        ['signature_mismatch', { secrets: makeWebhookSecret() }],
        ['headers_missing', { headers: withoutId }],
        ['headers_missing', { headers: { ...headers, 'webhook-signature': '' } }],
        [
          'body_malformed',
          { body: notEvent, headers: { ...signWebhook({ id: 'evt_1', sentAt, body: notEvent }, [secret]) } },
        ],
        [
          'body_malformed',
          { body: '5', headers: { ...signWebhook({ id: 'evt_1', sentAt, body: '5' }, [secret]) } },
        ],
      ]
      for (const [reason, own] of rejected) {
        const { error } = await attempt('verify', { headers, body, secrets: secret, now, ...own })
        assert.equal(error?.reason, reason, JSON.stringify([own, error]))
        if ('now' in own) assert.match(error?.message ?? '', /-?301 seconds old/)
      }
      for (const secrets of [[], '', 'whsec_', 'whsec_no base64!']) {
        const { error } = await attempt('verify', { headers, body, secrets, now })
        assert.equal(error?.type, 'mistake', JSON.stringify(error))
      }
    })

    test('a signature is by the Standard Webhooks specification', async () => {
      const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
      const body =
        '{"id":"evt_1","seq":0,"type":"webhook.test","at":"2026-11-18T08:00:00Z","merchant":"acme","data":{}}'
      const signed = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(
        `msg_1.1700000000.${body}`,
      )
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1700000000',
        'webhook-signature': `v1a,x v1,${signed.digest('base64')}`,
      }
      const event = await driver.call('verify', { headers, body, secrets: key, now: 1_700_000_000 })
      assert.equal(event.type, 'webhook.test')
    })
  })

/** Curl needs another package, and most of the client is the same. */
function options(language: Language): object {
  if (language !== phpWithCurl) return { skip: language.skip }
  return { ...onLanding, ...(language.skip === false ? {} : { skip: language.skip }) }
}

function capitals(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}
