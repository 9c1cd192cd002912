import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Errors } from 'typebox/value'
import { lastSeq } from '../../src/events/event-log.ts'
import { TestEventSchema } from '../../src/http/answers/events.ts'
import { webhooksPerMerchantMax, webhookTestsPerMinuteMax } from '../../src/limits.ts'
import { issueToken } from '../../src/merchants/service-tokens.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import {
  type Answer,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { callWebhooks, distinctIn, recordEvents, verify } from './webhook-scene.ts'

const open = {
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_TIMEOUT_SECONDS: '5',
}

describe('webhooks through the API', () => {
  const lifetime = suiteLifetime()
  let server: Server
  before(async () => {
    // No delivery runs by itself: the addresses in this file must not be resolved.
    server = await makeServer(lifetime, { env: { ...open, WEBHOOKS: 'off' } })
  })

  const call = (method: string, token: string, path: string, body?: unknown, headers?: object) =>
    callWebhooks(server.url, token, { method, path, body, headers })
  const codeOf = (answer: Answer) => [answer.status, answer.body.code]

  test('a webhook is created, read, changed, paused, resumed and deleted; its secret is shown once', async (t) => {
    const { token } = await makeMerchant(server.ctx.db)
    await recordEvents(server.ctx.db, [])
    const receiver = await makeReceiver(t)
    const made = await call('POST', token, '', {
      url: receiver.url,
      types: ['prize.won'],
      description: 'wins',
    })
    assert.equal(made.status, 200)
    const { secret, ...shown } = made.body
    assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
    const path = `/${String(shown.webhookId)}`
    assert.deepEqual((await call('GET', token, path)).body, shown)
    assert.deepEqual((await call('GET', token, '')).body, { webhooks: [shown], next: null })
    assert.deepEqual(
      [shown.state, shown.types, shown.lag, shown.description],
      ['active', ['prize.won'], 0, 'wins'],
    )

    const changed = await call('PATCH', token, path, { types: null })
    assert.deepEqual([changed.body.types, changed.body.url], [null, receiver.url])
    assert.equal((await call('PUT', token, `${path}/pause`)).body.state, 'paused')
    assert.equal((await call('DELETE', token, `${path}/pause`)).body.state, 'active')
    assert.deepEqual((await call('DELETE', token, path)).body, { webhookId: shown.webhookId })
    assert.deepEqual(codeOf(await call('GET', token, path)), [404, 'webhook_not_found'])
    assert.deepEqual((await call('GET', token, '')).body, { webhooks: [], next: null })
  })

  test('a token of another merchant, or without the scope, neither reads nor changes it', async (t) => {
    const [own, other] = [await makeMerchant(server.ctx.db), await makeMerchant(server.ctx.db)]
    const { token: weak } = await makeMerchant(server.ctx.db, { scopes: ['spins', 'links'] })
    await recordEvents(server.ctx.db, [])
    const receiver = await makeReceiver(t)
    const made = await call('POST', own.token, '', { url: receiver.url })
    const path = `/${String(made.body.webhookId)}`
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'mine now' }],
      ['DELETE', '', undefined],
      ['PUT', '/pause', undefined],
      ['DELETE', '/pause', undefined],
      ['POST', '/secret', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['GET', '/attempts', undefined],
      ['POST', '/resend', { seq: 1 }],
      ['GET', '/resends', undefined],
      ['GET', '/resends/rs_0123456789abcdef', undefined],
    ] as const) {
      assert.deepEqual(codeOf(await call(method, other.token, path + rest, body)), [404, 'webhook_not_found'])
      assert.deepEqual(codeOf(await call(method, weak, path + rest, body)), [403, 'scope_missing'])
    }
    assert.deepEqual((await call('GET', other.token, '')).body, { webhooks: [], next: null })
    const { secret: _, ...shown } = made.body
    assert.deepEqual((await call('GET', own.token, path)).body, shown)
    assert.equal(receiver.received.length, 0)
  })

  test('invalid input is refused with a pointer and changes nothing', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    for (const [body, pointer] of [
      [{}, '/url'],
      [{ url: 5 }, '/url'],
      [{ url: 'https://10.0.0.1/' }, '/url'],
      [{ url: 'https://user:word@shop.example/' }, '/url'],
      [{ url: 'https://shop.example/', types: [] }, '/types'],
      [{ url: 'https://shop.example/', types: ['nothing.known'] }, '/types'],
      [{ url: 'https://shop.example/', description: 'a\nb' }, '/description'],
    ] as const) {
      const answer = await call('POST', token, '', body)
      assert.deepEqual(codeOf(answer), [400, 'validation_failed'], JSON.stringify(body))
      const errors = answer.body.errors as { pointer: string }[]
      assert.ok(
        errors.every((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
    }
    const made = await call('POST', token, '', { url: 'https://shop.example/' })
    const path = `/${String(made.body.webhookId)}`
    assert.equal((await call('PATCH', token, path, { url: 'https://169.254.169.254/' })).status, 400)
    assert.equal((await call('PATCH', token, path, { types: ['prize'] })).status, 400)
    for (const query of ['?state=alive', '?limit=0', '?limit=501', '?after=-1', '?after=x', '?limit=1.5'])
      assert.equal((await call('GET', token, `${path}/deliveries${query}`)).status, 400, query)
    assert.equal((await call('POST', token, `${path}/resend`, { since: 'yesterday' })).status, 400)
    assert.equal((await call('GET', token, '/wh_123')).status, 400)
    assert.equal((await call('GET', token, path)).body.url, 'https://shop.example/')
  })

  test('the number of webhooks per merchant is limited, even if many are created at once', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    // They wait for each other, on a busy machine for too long.
    const make = async (): Promise<Awaited<ReturnType<typeof call>>> => {
      const answer = await call('POST', token, '', { url: 'https://shop.example/' })
      return answer.status === 503 ? make() : answer
    }
    const answers = await Promise.all(times(webhooksPerMerchantMax + 10, make))
    const refused = answers.filter((answer) => answer.status !== 200)
    assert.deepEqual(
      refused.map(codeOf),
      times(10, () => [409, 'webhook_limit_reached']),
    )
  })

  test('a test event arrives at once, signed, even at a paused webhook; a rotation shows a new secret', async (t) => {
    const { token, merchant } = await makeMerchant(server.ctx.db)
    const receiver = await makeReceiver(t, (_, response) => void response.writeHead(202).end('thanks'))
    const { body: made } = await call('POST', token, '', { url: receiver.url })
    const path = `/${String(made.webhookId)}`
    await call('PUT', token, `${path}/pause`)
    const { body: result } = await call('POST', token, `${path}/test`)
    assert.deepEqual(
      [result.delivered, result.status, result.fault, result.excerpt],
      [true, 202, null, 'thanks'],
    )
    const event = verify(receiver.received[0] ?? assert.fail(), String(made.secret))
    const { id, type, seq } = event
    assert.deepEqual(
      [id, type, seq, (event as { merchant?: string }).merchant],
      [result.eventId, 'webhook.test', 0, merchant.slug],
    )
    assert.deepEqual([...Errors(TestEventSchema, event)], [])
    const { body: rotated } = await call('POST', token, `${path}/secret`)
    assert.notEqual(rotated.secret, made.secret)
    assert.ok(Date.parse(String(rotated.oldSecretUntil)) > Date.now() + 86_000_000)
    await call('POST', token, `${path}/test`)
    for (const secret of [made.secret, rotated.secret])
      verify(receiver.received[1] ?? assert.fail(), String(secret))
    const { body: listed } = await call('GET', token, `${path}/attempts?limit=1`)
    const [newest] = listed.attempts as Record<string, unknown>[]
    assert.deepEqual([newest?.seq, newest?.type, newest?.status], [null, 'webhook.test', 202])
    const { body: rest } = await call('GET', token, `${path}/attempts?cursor=${String(listed.next)}`)
    const { body: same } = await call('GET', token, `${path}/attempts?before=${String(listed.next)}`)
    assert.deepEqual(same, rest)
    assert.equal((rest.attempts as unknown[]).length, 1)
    assert.equal(rest.next, null)
  })

  test('test events are rate-limited', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    const { body: made } = await call('POST', token, '', { url: 'http://127.0.0.1:1024/' })
    const path = `/${String(made.webhookId)}/test`
    const answers = await Promise.all(times(webhookTestsPerMinuteMax + 5, () => call('POST', token, path)))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 5 || answers.length - refused.length <= 2 * webhookTestsPerMinuteMax)
    assert.ok(
      refused.every(({ body, headers }) => body.code === 'rate_limited' && headers.has('retry-after')),
    )
    for (const { body } of answers.filter(({ status }) => status === 200))
      assert.deepEqual([body.delivered, body.fault], [false, 'refused'])
  })

  test('the owner sees the full address; the audit log has it without its keys', async () => {
    const { token } = await makeMerchant(server.ctx.db)
    const url = 'https://shop.example/hooks/T0123456789abcdefghij/in?key=topsecret'
    const { body: made } = await call('POST', token, '', { url })
    assert.equal(made.url, url)
    await call('PATCH', token, `/${String(made.webhookId)}`, { url: `${url}2` })
    await call('DELETE', token, `/${String(made.webhookId)}`)
    const response = await fetch(`${server.url}/api/v1/audit-log`, { headers: { Authorization: token } })
    const log = await response.text()
    assert.equal(response.status, 200)
    assert.doesNotMatch(log, /topsecret|T0123456789/)
    assert.equal(log.split('https://shop.example/hooks/T012…/in?…').length, 5)
  })

  test('a repeat with the same key creates no second webhook and gets the first response', async () => {
    const { db } = server.ctx
    const { token, merchant } = await makeMerchant(db)
    const order = { url: 'https://shop.example/', description: 'mails' }
    const key = { 'Idempotency-Key': 'setup-1' }
    const make = (by = token, body: object = order) => call('POST', by, '', body, key)
    const answers = await Promise.all(times(8, () => make()))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.has('idempotent-replayed')).length, 7)
    assert.equal(((await call('GET', token, '')).body.webhooks as unknown[]).length, 1)
    assert.deepEqual(codeOf(await make(token, { ...order, description: 'other' })), [
      422,
      'idempotency_key_reused',
    ])
    const malformed = await call('POST', token, '', order, { 'Idempotency-Key': 'a b' })
    assert.deepEqual(codeOf(malformed), [400, 'idempotency_key_malformed'])

    // A repeat gets the first answer, whatever has happened to the webhook since.
    const path = `/${String(answers[0]?.body.webhookId)}`
    await call('POST', token, `${path}/pause`)
    await call('PATCH', token, path, { description: 'changed' })
    assert.deepEqual((await make()).body, answers[0]?.body)

    // The secret is shown again to the same caller, but not after a rotation.
    const more = { name: 'other', scopes: ['manage'] as const, expiresAt: null, now: new Date() }
    const other = await db.transaction((tx) => issueToken(tx, merchant, more))
    assert.deepEqual(codeOf(await make(other)), [409, 'webhook_secret_withheld'])
    await call('POST', token, `${path}/secret`)
    assert.deepEqual(codeOf(await make()), [409, 'webhook_secret_withheld'])
    // Deleting a webhook deletes its idempotency key, too.
    await call('DELETE', token, path)
    assert.equal((await make()).status, 200)
  })
})

test('a server with WEBHOOKS=off leaves delivery to the others, whose metrics count it', async (t) => {
  const silent = await makeServer(t, { env: { ...open, WEBHOOKS: 'off' } })
  const { db } = silent.ctx
  const { merchant, token } = await makeMerchant(db)
  const receiver = await makeReceiver(t, (_, response) => {
    response.writeHead(receiver.received.length === 1 ? 500 : 200).end()
  })
  await recordEvents(db, [])
  const made = await post(`${silent.url}/api/v1/webhooks`, token, {
    url: receiver.url,
    types: ['spins.granted'],
  })
  assert.equal(made.status, 200)
  await post(`${silent.url}/api/player/increaseSpin`, token, { playerId: 'ann', spinNumber: 1 })
  await until(async () => (await lastSeq(db, merchant.merchantId)) > 1)
  assert.equal(receiver.received.length, 0)
  const sender = await makeServer(t, {
    env: { ...open, WEBHOOK_RETRY_PAUSES: '1s' },
    database: { target: silent.target, db },
  })
  await until(() => receiver.received.length === 2)
  assert.equal(distinctIn(receiver.received), 1)
  const metricsOf = async ({ ctx }: Server) =>
    (await ctx.metrics.registry.metrics()).match(/^wheelhouse_webhook_(attempts|deliveries).*/gm) ?? []
  const expected = [
    'wheelhouse_webhook_attempts_total{outcome="delivered"} 1',
    'wheelhouse_webhook_attempts_total{outcome="failed"} 1',
    'wheelhouse_webhook_deliveries{state="dead"} 0',
    'wheelhouse_webhook_deliveries{state="waiting"} 0',
  ]
  await until(async () => isDeepStrictEqual((await metricsOf(sender)).toSorted(), expected))
  assert.deepEqual(await metricsOf(silent), [])
  const get = async (path: string) =>
    (await callWebhooks(silent.url, token, { method: 'GET', path })).body as Record<string, any>
  const { attempts } = await get(`/${String(made.body.webhookId)}/attempts`)
  assert.deepEqual(
    attempts.map((one: { attemptNo: number }) => one.attemptNo),
    [2, 1],
  )
  const [listed] = (await get('')).webhooks
  assert.deepEqual([listed.lastFault.status, listed.lastFault.fault], [500, null])
})
