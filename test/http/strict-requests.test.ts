// Under /api/v1 a misspelt name changes nothing and is reported; an optional body may be missing.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Operation, readDocument, type Schema } from '../../fuzz/api-document.ts'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import {
  alwaysWins,
  callApi,
  forgeCursor,
  type ManagementApi,
  makeManagementApi,
  type Reply,
} from '../scenes/management-scene.ts'
import { post, type Server, makeServer, suiteLifetime } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

const lifetime = suiteLifetime()
let server: Server
let api: ManagementApi
let operations: Operation[]
before(async () => {
  server = await makeServer(lifetime, { env: { WEBHOOKS: 'off' } })
  api = await makeManagementApi(server, { scopes: ['spins', 'links', 'manage', 'events', 'prizes', 'read'] })
  operations = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
})

function assertRefused({ status, body, text }: Reply, pointers: string[]): void {
  assert.deepEqual([status, body?.code], [400, 'validation_failed'], text)
  const named = new Set<string>(body.errors.map((error: { pointer: string }) => error.pointer))
  assert.deepEqual([...named].toSorted(), pointers)
  for (const pointer of pointers) assert.ok(body.detail.includes(pointer), body.detail)
}

describe('a body with an unknown field', () => {
  test('is refused with a pointer to each unknown field, and changes nothing', async () => {
    await api.grant('ann', 5)
    const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })
    const correct = (body: object) => api.call('POST', '/players/ann/corrections', body, key())
    assertRefused(await correct({ amount: 1, reason: 'a test', amonut: 2 }), ['/amonut'])
    assertRefused(await correct({ amount: 1, reason: 'a test', b: 1, c: 2, 'd/e~f': 3 }), [
      '/b',
      '/c',
      '/d~1e~0f',
    ])
    assertRefused(await correct({ amonut: 2, reason: 'a test' }), ['/amonut', '/amount'])
    assert.equal((await api.call('GET', '/players/ann')).body.spinCount, 5)
    assertRefused(await api.call('PATCH', '/merchant', { grantMax: 7, dailyGrantMaxx: 7 }), [
      '/dailyGrantMaxx',
    ])
    assert.notEqual((await api.call('GET', '/merchant')).body.grantMax, 7)
  })

  test('is refused inside lists and documents too, even where large bodies are allowed', async () => {
    const grants = [
      { playerId: 'ann', spinNumber: 1, raeson: 'a test' },
      { playerId: 'bob', spinNumber: 1, kye: 'k' },
    ]
    const batch = await api.call('POST', '/grant-batches', { grants }, { 'Idempotency-Key': 'batch' })
    assertRefused(batch, ['/grants/0/raeson', '/grants/1/kye'])
    assert.equal((await api.call('GET', '/players/bob')).status, 404)
    const [first, ...others] = defaultWheel.segments
    const wheel = { ...defaultWheel, colour: 'red', segments: [{ ...first, wieght: 5 }, ...others] }
    assertRefused(await api.call('PUT', '/wheels/mistyped', wheel), ['/colour', '/segments/0/wieght'])
    assert.equal((await api.call('GET', '/wheels/mistyped')).status, 404)
  })

  test('is refused where an operation takes no body', async () => {
    assertRefused(await api.call('PUT', '/players/ann/block', { until: '2027-01-01' }), ['/until'])
    assert.equal((await api.call('GET', '/players/ann')).body.blockedAt, null)
    assert.equal((await api.call('PUT', '/players/ann/block', [])).body.code, 'body_malformed')
    assert.equal((await api.call('DELETE', '/players/ann/block', {})).status, 200)
  })

  test('is quoted with a limited length', async () => {
    const { body, text } = await api.call('PATCH', '/merchant', { ['x'.repeat(10_000)]: 1 })
    assert.equal(body.code, 'validation_failed')
    assert.ok(text.length < 2_000)
  })

  test('is accepted by the two merchant endpoints', async () => {
    for (const [path, body] of [
      ['/api/player/increaseSpin', { playerId: 'ann', spinNumber: 1, orderId: 7, more: { a: 1 } }],
      ['/api/game/sso', { playerId: 'ann', initialSpin: 1, locale: 'de' }],
    ] as const)
      assert.equal((await post(`${server.url}${path}`, api.token, body)).status, 200)
  })

  test('is excluded by every schema in the OpenAPI document, except those listed as open', () => {
    const bodies = operations.filter(({ path }) => path.startsWith('/api/v1/'))
    for (const { operationId, body } of bodies)
      for (const { schema = {} } of Object.values(body))
        for (const [place, one] of objectsIn(schema))
          assert.notEqual(one.additionalProperties, undefined, `${operationId}${place}`)
  })
})

function objectsIn(schema: Schema, place = ''): [string, Schema][] {
  const parts: [string, Schema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [['items', schema.items] as [string, Schema]]),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((one): [string, Schema] => ['*', one]),
  ]
  const own: [string, Schema][] = schema.properties === undefined ? [] : [[place, schema]]
  return [...own, ...parts.flatMap(([name, one]) => objectsIn(one, `${place}/${name}`))]
}

describe('a query with an unknown parameter', () => {
  test('is refused by name instead of being ignored', async () => {
    assertRefused(await api.call('GET', '/players?blockd=true'), ['/blockd'])
    assertRefused(await api.call('GET', '/prizes?stat=won&limit=5&whel=main'), ['/stat', '/whel'])
    assertRefused(await api.call('GET', '/events?typs=prize.won'), ['/typs'])
    assertRefused(await api.call('GET', '/exports/plays?form=2026-01-01T00:00:00Z'), ['/form'])
    assertRefused(await api.call('GET', '/wheels/main?limit=5'), ['/limit'])
    const key = { 'Idempotency-Key': 'query' }
    const body = { amount: 1, reason: 'a test' }
    assertRefused(await api.call('POST', '/players/ann/corrections?dry-run=true', body, key), ['/dry-run'])
    assert.equal((await callApi(server, undefined, 'GET', '/api/v1/session?a=1')).status, 400)
  })

  test('numbers and flags in a query are parsed, and refused if invalid', async () => {
    for (const query of ['limit=5', 'limit=200', 'blocked=true'])
      assert.equal((await api.call('GET', `/players?${query}`)).status, 200, query)
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=5x',
      'limit=',
      'limit=05',
      'limit=1&limit=2',
    ])
      assertRefused(await api.call('GET', `/players?${query}`), ['/limit'])
    for (const query of ['blocked=false', 'blocked=1', 'blocked='])
      assertRefused(await api.call('GET', `/players?${query}`), ['/blocked'])
    for (const query of ['won=true', 'won=false'])
      assert.equal((await api.call('GET', `/plays?${query}`)).status, 200, query)
    assertRefused(await api.call('GET', '/plays?won=yes'), ['/won'])
    assertRefused(await api.call('GET', '/events?after=x&wait=soon'), ['/after', '/wait'])
    const negative = await api.call('GET', '/events?after=-1')
    assert.deepEqual(negative.body.errors, [{ pointer: '/after', detail: 'must be >= 0' }])
    await api.grant('a', 1)
    for (const part of ['\0', 'a\0b']) {
      const cursor = await forgeCursor(api, '/players', JSON.stringify([part]))
      assertRefused(await api.call('GET', `/players?cursor=${cursor}`), ['/cursor'])
    }
  })
})

test('a field that may be null is not asked to be null, and zero is named as what it is', async () => {
  const wrong = await api.call('PATCH', '/campaigns/main', { freeSpins: { every: 'day', amount: 101 } })
  assertRefused(wrong, ['/freeSpins/amount'])
  const key = { 'Idempotency-Key': crypto.randomUUID() }
  const zero = await api.call('POST', '/players/ann/corrections', { amount: 0, reason: 'a test' }, key)
  assert.equal(zero.body.detail, '/amount must not be 0')
})

describe('a missing body', () => {
  const wins = async () => {
    await api.publish(alwaysWins({ stock: 1_000 }))
    return (await api.play('carl')).playId as string
  }
  const json = { 'Content-Type': 'application/json' }

  test('is accepted where no field is required', async () => {
    for (const noun of ['claim', 'redemption', 'cancellation'])
      for (const headers of [{}, json]) {
        const path = `/prizes/${await wins()}/${noun}`
        const { status, text } = await api.call('PUT', path, undefined, headers)
        assert.equal(status, 200, text)
      }
    const hook = await api.call('POST', '/webhooks', { url: 'https://shop.example/hook' })
    const path = `/webhooks/${hook.body.webhookId}`
    assert.equal((await api.call('PATCH', path)).status, 200)
    const resend = await api.call('POST', `${path}/resend`)
    assert.equal(resend.status, 400, 'a resend says what to send')
    assert.equal((await api.call('PATCH', '/merchant')).status, 200)
  })

  test('is allowed by the OpenAPI document exactly there', () => {
    const isRequired = new Map(operations.map(({ operationId, needsBody }) => [operationId, needsBody]))
    for (const name of ['claimPrize', 'redeemPrize', 'cancelPrize', 'changeMerchant', 'resendEvents'])
      assert.equal(isRequired.get(name), false, name)
    for (const name of ['correctBalance', 'increaseSpin', 'saveWheel', 'streamCodes'])
      assert.equal(isRequired.get(name), true, name)
  })

  test('is refused where a field is required, with the name of that field', async () => {
    const save = await api.call('PUT', '/wheels/main')
    assert.deepEqual([save.status, save.body.code], [400, 'body_malformed'])
    assert.match(save.body.detail, /body is missing/)
    for (const headers of [{}, json]) {
      const upload = await api.call('POST', '/code-pools/coffee/uploads', undefined, headers)
      assert.ok(upload.status === 400 || upload.status === 415, upload.text)
    }
    const upload = await api.call('POST', '/code-pools/coffee/uploads')
    assert.deepEqual([upload.status, upload.body.code], [400, 'body_malformed'])
    assert.match(upload.body.detail, /text\/csv/)
  })
})

describe('any body and content type', () => {
  const bodies: [string, string | undefined, string | undefined][] = [
    ['no body', undefined, undefined],
    ['an empty body', '', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['an object', '{}', 'application/json'],
    ['text', 'x', 'text/plain'],
    ['CSV', 'x', 'text/csv'],
    ['a type without a body', '', 'application/xml'],
  ]
  for (const [name, body, type] of bodies)
    test(`${name} makes no operation fail with a 500`, async () => {
      const ids = await makeIds()
      for (const operation of operations.filter(({ method }) => method !== 'GET')) {
        const path = operation.path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? 'x')
        const answer = await fetch(`${server.url}${path}`, {
          method: operation.method,
          headers: {
            ...(await credentials(operation)),
            ...(type === undefined ? {} : { 'Content-Type': type }),
          },
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        assert.ok(answer.status < 500, `${operation.operationId}: ${answer.status} ${text}`)
        if (operation.needsBody && operation.operationId !== 'streamCodes')
          assert.ok(answer.status >= 400, `${operation.operationId}: ${answer.status} ${text}`)
      }
    })

  async function makeIds(): Promise<Record<string, string>> {
    await api.publish(alwaysWins({ stock: 1_000 }))
    const playerId = `dora-${crypto.randomUUID()}`
    const playId = (await api.play(playerId)).playId
    const hook = await api.call('POST', '/webhooks', { url: 'https://shop.example/hook' })
    const nobody = '0193a1d6-5f0e-7c3a-9b1e-2f6d1c4b8a71'
    const ids = { playerId, wheel: 'main', pool: 'coffee', playId, webhook: hook.body.webhookId }
    return {
      ...ids,
      linkId: nobody,
      sessionId: nobody,
      invitationId: nobody,
      staffId: '999',
      event: '1',
      tokenId: 'none',
    }
  }

  async function credentials({ credential }: Operation): Promise<Record<string, string>> {
    if (credential === 'token') return { Authorization: api.token }
    const staff = await makeStaff(server.ctx.db, [[api.merchant, 'owner']], { isOperator: true })
    const { cookies } = await signInAs(server, staff)
    return {
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      Origin: server.url,
      'Sec-Fetch-Site': 'same-origin',
      'Wheelhouse-Merchant': api.merchant.slug,
    }
  }
})
