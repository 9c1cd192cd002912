import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type PagedPath,
  type RefusalCode,
  type Retry,
  Wheelhouse,
  WheelhouseProblem,
  WheelhouseUnreachable,
} from '../../packages/client/src/index.ts'
import { refusals } from '../../src/refusals.ts'
import { entryPageOf, entrySettings, makeEntryPage } from '../scenes/entry-scene.ts'
import { type Fault, makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { alwaysWins, makeManagementApi } from '../scenes/management-scene.ts'
import { type Lifetime, makeServer, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

/** A client behind a proxy that applies these faults to the first requests, one each. */
async function makeScene(t: Lifetime, ...faults: Fault[]) {
  const server = await makeServer(t)
  const api = await makeManagementApi(server)
  const proxy = await makeLossyProxy(t, server.url, () => faults.shift() ?? 'none')
  const retries: Retry[] = []
  const wheelhouse = new Wheelhouse({
    url: proxy.url,
    token: api.token,
    // Long, so that on a busy machine only the tests about timeouts reach one.
    attemptMs: 60_000,
    deadlineMs: 120_000,
    onRetry: (retry) => retries.push(retry),
  })
  return { server, api, proxy, wheelhouse, retries }
}

const refusedWith = (code: RefusalCode) => (error: unknown) =>
  error instanceof WheelhouseProblem && error.code === code

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  )

describe('grants', () => {
  test('each call has its own key and keeps it across retries', async (t) => {
    const { proxy, wheelhouse, retries } = await makeScene(t, 'drop-answer', 'bad-gateway', 'cut-answer')
    const first = await wheelhouse.grant({ playerId: 'alice', spinNumber: 3 })
    const second = await wheelhouse.grant({ playerId: 'alice', spinNumber: 3 })
    assert.deepEqual(first, { playerId: 'alice', spinCount: 3, replayed: true })
    assert.deepEqual(second, { playerId: 'alice', spinCount: 6, replayed: false })
    const keys = proxy.passed.map(({ headers }) => headers['idempotency-key'])
    assert.equal(keys.length, 5)
    assert.equal(new Set(keys.slice(0, 4)).size, 1)
    assert.notEqual(keys[4], keys[0])
    assert.deepEqual(
      retries.map(({ error, attempts }) => [error.name, attempts]),
      [1, 2, 3].map((attempts) => ['WheelhouseUnreachable', attempts]),
    )
  })

  test('two calls with the same key make one grant', async (t) => {
    const { wheelhouse } = await makeScene(t)
    const grant = { playerId: 'alice', spinNumber: 3, idempotencyKey: 'order-1' }
    assert.equal((await wheelhouse.grant(grant)).replayed, false)
    assert.deepEqual(await wheelhouse.grant(grant), { playerId: 'alice', spinCount: 3, replayed: true })
    await assert.rejects(wheelhouse.grant({ ...grant, spinNumber: 4 }), refusedWith('idempotency_key_reused'))
  })

  test('a deadline ends the retries, and the key in the error completes the grant later', async (t) => {
    const { server, api, wheelhouse } = await makeScene(t, 'silence')
    const failed = wheelhouse.grant({ playerId: 'alice', spinNumber: 3 }, { deadlineMs: 500 })
    const error = await failureOf(failed)
    assert.ok(error instanceof WheelhouseUnreachable && error.idempotencyKey !== undefined)
    const { idempotencyKey } = error
    const direct = new Wheelhouse({ url: `${server.url}/`, token: api.token })
    const again = await direct.grant({ playerId: 'alice', spinNumber: 3, idempotencyKey })
    assert.equal(again.spinCount, 3)
  })

  test('Retry-After is honoured, and a deadline before it fails the call at once', async (t) => {
    const { wheelhouse, retries } = await makeScene(t, 'overloaded', 'none', 'overloaded')
    await wheelhouse.grant({ playerId: 'alice', spinNumber: 3 })
    assert.equal(retries.length, 1)
    assert.ok((retries[0]?.waitMs ?? 0) >= 1_000)
    await assert.rejects(
      wheelhouse.grant({ playerId: 'alice', spinNumber: 3 }, { deadlineMs: 900 }),
      refusedWith('overloaded'),
    )
    assert.equal(retries.length, 1)
  })

  test('an abort signal ends a call with the reason of the signal', async (t) => {
    const { proxy, wheelhouse } = await makeScene(t, 'silence')
    const leaving = new AbortController()
    const call = wheelhouse.grant({ playerId: 'alice', spinNumber: 3 }, { signal: leaving.signal })
    await until(() => proxy.passed.length === 1)
    const reason = new Error('the caller shuts down')
    leaving.abort(reason)
    await assert.rejects(call, reason)
    await assert.rejects(
      wheelhouse.grant({ playerId: 'alice', spinNumber: 3 }, { signal: leaving.signal }),
      reason,
    )
    assert.equal(proxy.passed.length, 1)
  })
})

describe('problems', () => {
  test('a refusal throws an error with code, status, field errors and request id, and is not retried', async (t) => {
    const { proxy, wheelhouse } = await makeScene(t)
    const error = await failureOf(wheelhouse.grant({ playerId: ' alice', spinNumber: 0 }))
    assert.ok(error instanceof WheelhouseProblem)
    assert.equal(error.code, 'validation_failed')
    assert.equal(error.status, 400)
    assert.equal(error.retryable, false)
    assert.match(error.requestId, /./)
    assert.match(error.detail, /spinNumber/)
    assert.deepEqual(
      error.errors.map(({ pointer }) => pointer),
      ['/playerId', '/spinNumber'],
    )
    assert.equal(proxy.passed.length, 1)
  })

  test('a wrong token throws an error that does not contain the token', async (t) => {
    const { server } = await makeScene(t)
    const token = `demo-1:${'a'.repeat(64)}`
    const error = await failureOf(new Wheelhouse({ url: server.url, token }).link({ playerId: 'alice' }))
    assert.ok(error instanceof WheelhouseProblem && error.code === 'token_invalid')
    assert.doesNotMatch(`${error.stack ?? ''}${JSON.stringify(error)}`, /aaaa/)
  })

  test('an address where another service answers fails at once', async (t) => {
    const { server, api, proxy } = await makeScene(t)
    const wheelhouse = new Wheelhouse({ url: `${proxy.url}/console`, token: api.token })
    await assert.rejects(wheelhouse.link({ playerId: 'alice' }), refusedWith('method_not_allowed'))
    const page = new Wheelhouse({ url: server.url, token: api.token })
    await assert.rejects(
      page.request('GET', '/console/' as '/api/v1/players'),
      (error: unknown) => error instanceof WheelhouseUnreachable && error.status === 200,
    )
  })

  test('an invalid request fails before it is sent', async (t) => {
    const { proxy, wheelhouse } = await makeScene(t)
    const grant = { playerId: 'alice', spinNumber: 1, idempotencyKey: 'Bestellung №1' }
    await assert.rejects(wheelhouse.grant(grant), TypeError)
    assert.equal(proxy.passed.length, 0)
    assert.throws(() => new Wheelhouse({ url: 'wheel.example', token: '' }), TypeError)
  })

  test('the error codes match the server', () => {
    const codes: Record<RefusalCode, unknown> = refusals
    assert.ok(Object.keys(codes).length > 50)
  })
})

describe('retries', () => {
  test('a link request is retried, since a repeat is harmless', async (t) => {
    const { wheelhouse } = await makeScene(t, 'drop-answer')
    const { link, token } = await wheelhouse.link({ playerId: 'alice', initialSpin: 2 })
    assert.equal(new URL(link).searchParams.get('token'), token)
    const player = await wheelhouse.players.read('alice')
    assert.equal(player.spinCount, 2)
  })

  test('creating a webhook is not retried after a lost response, which could create two', async (t) => {
    const { wheelhouse } = await makeScene(t, 'drop-answer')
    const { secret } = await wheelhouse.webhooks.create({ url: 'https://shop.example/hook' })
    assert.match(secret, /^whsec_/)
    const { webhooks } = await wheelhouse.webhooks.list()
    assert.equal(webhooks.length, 1)
  })

  test('not a change without a key whose answer was lost', async (t) => {
    const { wheelhouse } = await makeScene(t, 'drop-answer')
    const change = { body: { timeZone: 'Europe/Berlin' } }
    await assert.rejects(wheelhouse.request('PATCH', '/api/v1/merchant', change), WheelhouseUnreachable)
  })

  test('what was refused for its pace, whatever it is', async (t) => {
    const server = await makeServer(t, { env: { RATE_LIMIT_PER_SECOND: '1' } })
    const { token } = await makeManagementApi(server)
    const retries: Retry[] = []
    const wheelhouse = new Wheelhouse({ url: server.url, token, onRetry: (retry) => retries.push(retry) })
    for (let made = 0; retries.length === 0; made++)
      await wheelhouse.request('PATCH', '/api/v1/merchant', { body: { timeZone: `Etc/GMT+${made % 12}` } })
    const [retry] = retries
    assert.ok(retry?.error instanceof WheelhouseProblem && retry.error.code === 'rate_limited')
    assert.ok(retry.waitMs >= 1_000)
  })
})

describe('management', () => {
  test('a prize is found and redeemed even if a response is lost; redeeming it again is refused', async (t) => {
    const { api, proxy, wheelhouse } = await makeScene(t)
    await api.publish(alwaysWins({ prize: { kind: 'handover' } }))
    await wheelhouse.grant({ playerId: 'ålice/1', spinNumber: 1 })
    const { playId } = await api.play('ålice/1')
    const { prizes } = await wheelhouse.prizes.list({ playerId: 'ålice/1', state: 'won' })
    assert.deepEqual(
      prizes.map((prize) => prize.playId),
      [playId],
    )
    assert.equal((await wheelhouse.prizes.claim(playId)).state, 'claimed')
    const lossy = await makeLossyProxy(t, proxy.url, () =>
      lossy.passed.length === 0 ? 'drop-answer' : 'none',
    )
    const till = new Wheelhouse({ url: lossy.url, token: api.token })
    assert.equal((await till.prizes.redeem(playId)).state, 'redeemed')
    assert.equal(lossy.passed.length, 2)
    await assert.rejects(till.prizes.redeem(playId), refusedWith('prize_settled'))
    assert.equal((await till.players.read('ålice/1')).playerId, 'ålice/1')
  })

  test('a held prize is released, another one refused, and a repeat is answered alike', async (t) => {
    const { api, wheelhouse } = await makeScene(t)
    await api.publish(alwaysWins({ hold: {} }))
    const [first, second] = [await api.play('ann'), await api.play('ben')]
    assert.equal((await wheelhouse.prizes.release(first.playId)).state, 'won')
    assert.equal((await wheelhouse.prizes.release(first.playId)).state, 'won')
    const reason = { reason: 'terms_not_met' } as const
    assert.equal((await wheelhouse.prizes.refuse(second.playId, reason)).state, 'refused')
    await assert.rejects(wheelhouse.prizes.release(second.playId), refusedWith('prize_not_held'))
  })

  test('any other operation is called by its method and path', async (t) => {
    const { wheelhouse } = await makeScene(t, 'none', 'drop-answer')
    await wheelhouse.grant({ playerId: 'alice', spinNumber: 5 })
    const path = { playerId: 'alice' }
    const correction = { path, body: { amount: -2, reason: 'shown twice' } }
    const corrected = await wheelhouse.request('POST', '/api/v1/players/{playerId}/corrections', correction)
    assert.equal(corrected.spinCount, 3)
    const page = await wheelhouse.request('GET', '/api/v1/players', { query: { prefix: 'al' } })
    assert.equal(page.players.length, 1)
    // @ts-expect-error The parameter of the path is missing.
    await assert.rejects(wheelhouse.request('GET', '/api/v1/players/{playerId}'), TypeError)
  })

  test(
    'every paged list of the document is read to its end, a page at a time, with its filters',
    onLanding,
    async (t) => {
      const { server, proxy, wheelhouse } = await makeScene(t)
      for (const playerId of ['alan', 'alice', 'alma', 'bob'])
        await wheelhouse.grant({ playerId, spinNumber: 1 })
      const names: string[] = []
      for await (const { playerId } of wheelhouse.players.all({ prefix: 'al', limit: 2 }))
        names.push(playerId)
      assert.deepEqual(names, ['alan', 'alice', 'alma'])
      const addresses = proxy.passed.flatMap(({ url }) => (url.startsWith('/api/v1/players?') ? [url] : []))
      assert.equal(addresses.length, 2)
      for (const address of addresses) assert.match(address, /prefix=al&limit=2/)

      const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
      const isPaged = ({ get }: Item) =>
        get?.security?.some((one) => 'serviceToken' in one) === true &&
        get.parameters?.some(({ name }) => name === 'cursor') === true
      const paged = Object.keys(paths).filter((path) => isPaged(paths[path] as Item))
      const { webhookId } = await wheelhouse.webhooks.create({ url: 'https://shop.example/hook' })
      const path = { playerId: 'alice', webhook: webhookId, campaign: 'main' }
      const typed: PagedPath[] = [
        '/api/v1/campaigns',
        '/api/v1/prizes',
        '/api/v1/plays',
        '/api/v1/audit-log',
        '/api/v1/wheels',
        '/api/v1/code-pools',
        '/api/v1/tokens',
        '/api/v1/webhooks',
      ]
      for (const name of typed) assert.ok(paged.includes(name), name)
      for (const name of paged as '/api/v1/players'[]) {
        const whole: object = await wheelhouse.request('GET', name, { path } as object)
        const items: unknown[] = []
        for await (const item of wheelhouse.all(name, { path, query: { limit: 1 } } as object))
          items.push(item)
        // Events may still arrive in between.
        const list = Object.values(whole).find((value) => Array.isArray(value)) as unknown[]
        assert.ok(items.length >= list.length, name)
      }
    },
  )

  test('a campaign is created, changed, duplicated, archived, restored and given another wheel', async (t) => {
    const { api, wheelhouse } = await makeScene(t)
    await api.publish(alwaysWins({}))
    const { campaigns } = wheelhouse
    const made = await campaigns.create({ campaign: 'summer', name: 'Summer', wheel: 'main' })
    assert.equal(made.state, 'open')
    const paused = await campaigns.change('summer', { isPaused: true })
    assert.equal(paused.state, 'paused')
    const copy = await campaigns.duplicate('summer', { campaign: 'autumn', sharesWheel: true })
    assert.equal(copy.wheel, 'main')
    const at = new Date(Date.now() + 86_400_000).toISOString()
    assert.deepEqual((await campaigns.scheduleWheel('autumn', { wheel: 'main', at })).scheduledWheel?.at, at)
    assert.equal((await campaigns.cancelScheduledWheel('autumn')).scheduledWheel, null)
    assert.notEqual((await campaigns.archive('summer')).archivedAt, null)
    assert.equal((await campaigns.restore('summer')).archivedAt, null)
    assert.equal((await campaigns.read('summer')).name, 'Summer')
    const ids: string[] = []
    for await (const { campaign } of campaigns.all({ limit: 1 })) ids.push(campaign)
    const page = await campaigns.list()
    assert.deepEqual(
      ids,
      page.campaigns.map(({ campaign }) => campaign),
    )
    assert.equal(ids.length, 3)
  })

  test('visitors are let in, listed, counted, and their consents withdrawn', async (t) => {
    const { server, api, wheelhouse } = await makeScene(t)
    const { entries } = wheelhouse
    const page = await makeEntryPage(server, {}, api)
    for (const name of ['ann', 'bob']) await page.enter({ email: `${name}@shop.example`, news: true })
    const addresses: (string | null)[] = []
    for await (const { address } of entries.all('main', { limit: 1 })) addresses.push(address)
    assert.deepEqual(addresses, ['bob@shop.example', 'ann@shop.example'])
    const [ann] = (await entries.list('main', { address: 'Ann@shop.example' })).entries
    assert.equal(ann?.consents[0]?.withdrawnAt, null)
    const { consents } = await entries.withdrawConsents(ann.playerId)
    assert.notEqual(consents[0]?.withdrawnAt, null)
    assert.equal((await entries.figures('main')).total.entered, 2)
    const settings = await entries.readSettings('main')
    assert.equal(settings.entries.entered, 2)
    const changed = await entries.changeSettings('main', {
      ...(entrySettings as Parameters<typeof entries.changeSettings>[1]),
      terms: { ...entrySettings.terms, whoMayEnter: 'Everybody' },
      reason: 'More people may enter',
    })
    assert.equal((await entries.versions('main')).versions[0]?.version, changed.version)
    await entries.removeSettings('main')
    assert.equal((await entries.readSettings('main')).isOpen, false, 'what visitors agreed to still binds')
  })

  test('at a test merchant, the codes of visitors are read', async (t) => {
    const { server, api } = await makeScene(t)
    const made = (await api.call('POST', '/test-merchant', {})).body
    const wheelhouse = new Wheelhouse({ url: server.url, token: made.token })
    await wheelhouse.campaigns.change('main', { closesAt: '2090-01-01T00:00:00Z' })
    await wheelhouse.entries.changeSettings('main', {
      ...(entrySettings as Parameters<typeof wheelhouse.entries.changeSettings>[1]),
      verify: 'code',
    })
    const merchant = { ...api.merchant, slug: made.merchant as string }
    const { session } = (
      await entryPageOf(server, { ...api, merchant }, 'main').enter({ email: 'ann@shop.example' })
    ).body
    const [waiting] = (await wheelhouse.test.entryCodes('main')).codes
    assert.equal(waiting?.address, 'ann@shop.example')
    const page = entryPageOf(server, { ...api, merchant }, 'main')
    assert.equal((await page.send('/proof', { session, code: waiting.code })).status, 200)
  })
})

type Item = { get?: { security?: object[]; parameters?: { name: string }[] } }
type Document = { paths: Record<string, Item> }
