import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Role } from '../../src/staff/roles.ts'
import { insertAttempts } from '../../src/webhooks/webhook-attempts.ts'
import { upsertDeliveries } from '../../src/webhooks/webhook-deliveries.ts'
import { findWebhook } from '../../src/webhooks/webhooks.ts'
import { maskCode, maskPrize } from '../../src/wheel-document/mask-wheel.ts'
import { alwaysWins, type ManagementApi, makeManagementApi } from '../scenes/management-scene.ts'
import { makeServer, type Server, suiteLifetime, until } from '../scenes/scene.ts'
import { makeStaff, signInAs } from '../scenes/staff-scene.ts'

const poolCode = 'POOL-SECRET-7Q2X'
const fixedCode = 'FIXED-SECRET-8R3Y'
const secretLink = 'https://shop.example/gift/LINK-SECRET-9S4Z'
const secrets = [poolCode, fixedCode, secretLink]

test('a masked code shows two characters of a long code and none of a short one', () => {
  assert.equal(maskCode('ABCDEFGH'), '••••••GH')
  assert.equal(maskCode('ABCDEFG'), '••••••')
  assert.equal(maskCode('https://shop.example/x'), 'https://••••••/x')
  assert.deepEqual(maskPrize({ kind: 'pool', code: null }), { kind: 'pool', code: null })
})

describe('reading by role', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  const plays: string[] = []
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
    await api.call('POST', '/code-pools/ten/codes', { codes: [poolCode] })
    for (const prize of [
      { kind: 'pool', pool: 'ten' },
      { kind: 'fixed', code: fixedCode },
      { kind: 'link', url: secretLink },
    ] as const) {
      await api.publish(alwaysWins({ prize }))
      plays.push((await api.play('pia')).playId)
    }
    await until(async () => (await api.call('GET', '/events?types=prize.won')).body.events.length === 3)
  })

  const readerOf = async (role: Role) => {
    const browser = await signInAs(server, await makeStaff(server.ctx.db, [[api.merchant, role]]))
    return (path: string) => browser.call('GET', `/api/v1${path}`, { merchant: api.merchant.slug })
  }
  const reads = () => [
    '/prizes',
    '/prizes?playerId=pia',
    ...plays.map((playId) => `/prizes/${playId}`),
    '/plays',
    '/plays?playerId=pia',
    ...plays.map((playId) => `/plays/${playId}`),
    '/events',
    '/events?wait=1',
    '/events/search',
    '/events/search?types=prize.won&playerId=pia',
    ...[1, 2, 3, 4, 5, 6].map((seq) => `/events/${seq}`),
    '/wheels',
    '/wheels/main',
    ...[2, 3, 4].map((version) => `/wheels/main/versions/${version}`),
    '/wheels/main/difference?from=2&to=3',
    '/wheels/main/difference?from=3&to=draft',
    '/code-pools',
    '/code-pools/ten',
    '/audit-log',
    '/players/pia/ledger',
    '/requests',
    '/webhooks',
    '/reports/prizes',
  ]

  test('a viewer reads everything except codes that can be redeemed', async () => {
    const read = await readerOf('viewer')
    for (const path of reads()) {
      const answer = await read(path)
      assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
      const text = JSON.stringify(answer.body)
      for (const secret of secrets) assert.ok(!text.includes(secret), `${path} shows ${secret}`)
    }
    const { prizes } = (await read('/prizes')).body as any
    assert.ok(prizes.some((prize: any) => prize.code === '••••••2X'))
  })

  test('a viewer gets deliveries without codes, and attempts without what the receiver answered', async () => {
    const { db } = server.ctx
    const made = await api.call('POST', '/webhooks', { url: 'https://shop.example/hook' })
    const { webhookNo } = await findWebhook(db, api.merchant.merchantId, made.body.webhookId)
    const [event] = (await api.call('GET', '/events?types=prize.won')).body.events
    const body = JSON.stringify(event)
    assert.ok(body.includes(poolCode))
    const about = { webhookNo, seq: event.seq as number, eventId: event.id as string, eventType: 'prize.won' }
    const now = new Date()
    await upsertDeliveries(db, [{ ...about, body, tries: 1, createdAt: now, nextTryAt: null, deadAt: now }])
    const headers = { server: poolCode }
    const seen = { at: now, status: 500, fault: null, tookMs: 1, excerpt: body, headers }
    await insertAttempts(db, [{ ...about, ...seen }])
    const path = `/webhooks/${made.body.webhookId}`
    const shown = async (role: Role) => {
      const read = await readerOf(role)
      const answers = [await read(`${path}/deliveries`), await read(`${path}/attempts`)]
      return JSON.stringify(answers.map((answer) => answer.body))
    }
    assert.equal((await shown('support')).split(poolCode).length, 4)
    const masked = await shown('viewer')
    assert.ok(!masked.includes(poolCode))
    assert.ok(masked.includes('••••••2X') && masked.includes('"status":500'))
  })

  test('support reads the codes, which it needs for settling prizes', async () => {
    const read = await readerOf('support')
    const all = JSON.stringify(await Promise.all(reads().map(async (path) => (await read(path)).body)))
    for (const secret of secrets) assert.ok(all.includes(secret), secret)
  })

  test('a viewer cannot look up codes, support can', async () => {
    const path = `/prizes?code=${poolCode}`
    assert.equal((await (await readerOf('viewer'))(path)).body.code, 'role_missing')
    assert.equal(((await (await readerOf('support'))(path)).body.prizes as unknown[]).length, 1)
  })

  test('the live stream masks codes too', async (t) => {
    const person = await makeStaff(server.ctx.db, [[api.merchant, 'viewer']])
    const { cookies } = await signInAs(server, person)
    const gone = new AbortController()
    t.after(() => gone.abort())
    const response = await fetch(`${server.url}/api/v1/events/stream?after=0&types=prize.won`, {
      signal: gone.signal,
      headers: {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Wheelhouse-Merchant': api.merchant.slug,
      },
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      if (text.split('event: prize.won').length === 4) break
    }
    for (const secret of secrets) assert.ok(!text.includes(secret))
    assert.ok(text.includes('••••••2X'))
  })

  test('exports need the role owner or editor; support can export one player', async () => {
    for (const role of ['owner', 'editor', 'support', 'viewer'] as const) {
      const read = await readerOf(role)
      for (const kind of ['players', 'ledger', 'plays', 'prizes', 'audit-log']) {
        const isRefused = (await read(`/exports/${kind}`)).body.code === 'role_missing'
        assert.equal(isRefused, role === 'support' || role === 'viewer', `${role} ${kind}`)
      }
      const { body } = await read('/players/pia/personal-data')
      assert.equal(body.code === 'role_missing', role === 'viewer', role)
    }
  })

  test('a token with the scope read sees codes that were won, in exports too, and no others', async () => {
    const made = (await api.call('POST', '/tokens', { name: 'data team', scopes: ['read'] })).body
    const exported = (list: string) =>
      fetch(`${server.url}/api/v1/exports/${list}`, { headers: { Authorization: made.token } })
    assert.ok((await (await exported('prizes')).text()).includes(poolCode))
    assert.equal((await exported('codes')).status, 403)
  })
})
