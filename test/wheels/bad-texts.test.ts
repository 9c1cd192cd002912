// Texts that the database can't take, or that the validator's own words would explain badly.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defaultWheel } from '../../src/wheel-document/wheel-document.ts'
import { type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, suiteLifetime } from '../scenes/scene.ts'

describe('texts that are refused', () => {
  const suite = suiteLifetime()
  let api: ManagementApi
  before(async () => {
    api = await makeManagementApi(await makeServer(suite))
  })

  /** The errors of the refusal, as `pointer detail`. */
  async function errorsOf(method: string, path: string, body?: unknown): Promise<string[]> {
    const reply = await api.call(method, path, body)
    assert.equal(reply.status, 400, `${path}: ${reply.text}`)
    assert.equal(reply.body.code, 'validation_failed', reply.text)
    return reply.body.errors.map(({ pointer, detail }: any) => `${pointer} ${detail}`)
  }

  test('times in years that the database does not write with four digits, and leap seconds', async () => {
    const webhook = await api.call('POST', '/webhooks', { url: 'https://shop.example/hook' })
    const resends = `/webhooks/${webhook.body.webhookId}/resend`
    const times = [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+23:59',
      '9999-12-31T23:59:59-23:59',
      '2016-12-31T23:59:60Z',
      '2026-11-20T18:00:00',
      '2026-11-20T18:00:00 01:00',
    ]
    for (const time of times) {
      const asQuery = encodeURIComponent(time)
      for (const list of [
        '/plays',
        '/prizes',
        '/audit-log',
        '/exports/plays',
        '/exports/prizes',
        '/events/search',
      ])
        for (const name of ['from', 'to'])
          assert.match((await errorsOf('GET', `${list}?${name}=${asQuery}`))[0] ?? '', /a time with its zone/)
      const bodies: [string, string, object][] = [
        ['POST', '/campaigns', { campaign: 'c1', name: 'x', wheel: 'main', opensAt: time }],
        ['PATCH', '/campaigns/main', { closesAt: time }],
        ['POST', '/tokens', { name: 'x', scopes: ['spins'], expiresAt: time }],
        ['POST', resends, { since: time }],
        ['PUT', '/wheels/main', { ...defaultWheel, opensAt: time }],
      ]
      for (const [method, path, body] of bodies)
        assert.match((await errorsOf(method, path, body)).join() || path, /a time with its zone/)
    }
    for (const time of ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-11-20T18:00:00%2B01:00'])
      assert.equal((await api.call('GET', `/plays?from=${time}`)).status, 200, time)
  })

  test('a query that is not UTF-8, and a parameter that is there twice', async () => {
    for (const query of [
      'prefix=caf%E9',
      'prefix=%zz',
      'prefix=100%',
      'search=%ED%A0%80',
      'prefix=a&limit=%ff',
    ]) {
      const reply = await api.call('GET', `/players?${query}`)
      assert.deepEqual([reply.status, reply.body.code], [400, 'request_malformed'], query)
      assert.equal(reply.body.detail, 'The query must be UTF-8, percent-encoded.')
    }
    assert.equal((await api.call('GET', '/players?prefix=caf%C3%A9+%25')).status, 200)
    assert.deepEqual(await errorsOf('GET', '/players?limit=5&limit=6&prefix=a&prefix=b'), [
      '/limit is there more than once',
      '/prefix is there more than once',
    ])
    const path = await api.call('GET', '/players/caf%E9')
    assert.equal(path.body.detail, 'The path must be UTF-8, percent-encoded.')
  })

  test('are explained in words, without patterns', async () => {
    const wheel = (change: object) => errorsOf('PUT', '/wheels/main', { ...defaultWheel, ...change })
    const shown = [
      ...(await errorsOf('GET', '/prizes?state=gone')),
      ...(await errorsOf('GET', '/reports/days?from=1999-01-01&to=1999-01-02')),
      ...(await errorsOf('PATCH', '/merchant', { embedOrigins: ['https://shop.example/'] })),
      ...(await errorsOf('PATCH', '/campaigns/main', { freeSpins: { every: 'P1D', at: '6:00' } })),
      ...(await errorsOf('POST', '/links', { playerId: 'ann', language: 'DE' })),
      ...(await errorsOf('POST', '/players/ann/corrections', { amount: 0, reason: 'x' })),
      ...(await wheel({ timeZone: '+1' })),
    ]
    assert.deepEqual(
      shown.filter((one) => /pattern|format|allowed|schema/.test(one)),
      [],
    )
    assert.ok(
      shown.includes('/state must be one of held, won, claimed, redeemed, cancelled, expired, refused'),
      shown.join('\n'),
    )
    assert.ok(shown.includes('/amount must not be 0'), shown.join('\n'))
  })

  test('are all named in a short batch', async () => {
    const grants = [
      { key: 'a', playerId: 'm', spinNumber: 0 },
      { key: 'b', playerId: 'n', spinNumber: 'x' },
      { key: 'c', playerId: ' o', spinNumber: 1.5 },
    ]
    const errors = await errorsOf('POST', '/grant-batches', { grants })
    assert.deepEqual(
      errors.map((one) => one.split(' ')[0]),
      ['/grants/0/spinNumber', '/grants/1/spinNumber', '/grants/2/playerId', '/grants/2/spinNumber'],
    )
  })

  test('a file of codes with another type', async () => {
    for (const type of ['text/plain', 'application/json']) {
      const reply = await api.call('POST', '/code-pools/p/uploads', 'A\nB\n', { 'Content-Type': type })
      assert.deepEqual([reply.status, reply.body.code], [415, 'content_type_unsupported'])
      assert.match(reply.body.detail, /text\/csv or application\/x-ndjson/)
    }
  })
})
