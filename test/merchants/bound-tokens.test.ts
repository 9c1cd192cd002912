// A token that is bound to a campaign, tried at every operation of the API with the objects of another campaign.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Scope } from '../../src/merchants/scopes.ts'
import { entrySettings } from '../scenes/entry-scene.ts'
import { makeLinkList } from '../scenes/link-list-scene.ts'
import { numberAllPages, openStream, pull } from '../scenes/event-scene.ts'
import {
  alwaysWins,
  callApi,
  makeManagementApi,
  type ManagementApi,
  type Reply,
} from '../scenes/management-scene.ts'
import { makeServer, post, type Server, suiteLifetime, until } from '../scenes/scene.ts'

/** Operations that read what no campaign of this merchant has. */
const nothingThere = [
  'countResend',
  'listEntryCodes',
  'listResends',
  'listWebhookAttempts',
  'listWebhookDeliveries',
  'readCampaignPromotion',
  'readPaceCertificate',
  'readResend',
  'readTestClock',
  'readTestMerchant',
  'readWebhook',
  'readWheelPromotion',
]

const bindable = ['spins', 'links', 'events', 'prizes', 'read'] as const satisfies Scope[]

/**
 * A merchant with the campaigns `sunny` and `frosty`. Everything of `frosty` has a name with "frost" in it. The player
 * `sunny-fan` has won a prize in `sunny`; `frost-fan` has won one in `frosty`. The player `both` has won in both, and
 * in `main`.
 */
describe('a token that is bound to a campaign', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let api: ManagementApi
  let tokens: Record<(typeof bindable)[number], string>
  let own: Awaited<ReturnType<typeof winAt>>
  let other: Awaited<ReturnType<typeof winAt>>
  /** Texts that no answer may contain. */
  let secrets: string[]
  let listId: string
  before(async () => {
    server = await makeServer(lifetime)
    api = await makeManagementApi(server)
    await manage('POST', '/code-pools/frost-codes/codes', { codes: ['FROST-1', 'FROST-2', 'FROST-3'] })
    const codes = { kind: 'pool', pool: 'frost-codes' } as const
    await api.publish(alwaysWins({ id: 'frost-main', label: 'Frost of main' }))
    const frosty = alwaysWins({ id: 'frost-mug', label: 'Frost mug', prize: codes })
    const sunny = alwaysWins({ id: 'sunny-mug', label: 'Sunny mug' })
    for (const [campaign, wheel] of Object.entries({ frosty, sunny })) {
      await manage('PUT', `/wheels/${campaign}`, { ...wheel, name: campaign })
      await manage('POST', `/wheels/${campaign}/publication`)
      await manage('POST', '/campaigns', { campaign, name: campaign, wheel: campaign })
      await manage('PUT', `/campaigns/${campaign}/entry`, { ...entrySettings, isOpen: false })
    }
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    await manage('PUT', '/wheels/frosty/scheduled-publication', { at: inAnHour })
    const issued = bindable.map(async (scope) => {
      const order = { name: `sunny ${scope}`, scopes: [scope], campaign: 'sunny' }
      return [scope, (await manage('POST', '/tokens', order)).token as string] as const
    })
    tokens = Object.fromEntries(await Promise.all(issued)) as typeof tokens
    own = await winAt('sunny', 'sunny-fan')
    other = await winAt('frosty', 'frost-fan')
    await winAt('sunny', 'both')
    listId = await makeLinkList(api, { campaign: 'frosty', playerIds: ['frost-fan'] })
    const others = [await winAt('frosty', 'both'), await winAt('main', 'both')]
    await numberAllPages(server.ctx.db)
    secrets = ['frost', ...[other, ...others].flatMap(({ playId, linkId }) => [playId, linkId])]
  })

  async function manage(method: string, path: string, body?: object, headers?: Record<string, string>) {
    const answer = await api.call(method, path, body, headers)
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
    return answer.body
  }

  async function winAt(campaign: string, playerId: string) {
    await manage('POST', '/grants', { playerId, spins: 5, campaign }, { 'Idempotency-Key': randomUUID() })
    const link = await manage('POST', '/links', { playerId, campaign })
    const opened = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.token })
    const { playId } = await api.spin(opened.body)
    await manage('PUT', `/players/${playerId}/contact`, { email: `${playerId}@shop.example`, language: 'en' })
    return { campaign, wheel: campaign, playerId, playId: playId as string, linkId: linkIdOf(link.token) }
  }

  function linkIdOf(token: string): string {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
  }

  const call = (token: string, method: string, path: string, options?: Parameters<typeof callApi>[4]) =>
    callApi(server, token, method, path, options)

  /** Every operation for a service token, except the live stream, which never ends. */
  async function operations() {
    const document: any = await (await fetch(`${server.url}/openapi.json`)).json()
    return Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security = [] }]) => security.some((one: object) => 'serviceToken' in one))
        .map(([method, { operationId }]) => ({
          method: method.toUpperCase(),
          path,
          operationId: `${operationId}`,
        }))
        .filter(({ operationId }) => operationId !== 'streamEvents'),
    )
  }

  /** The objects of the other campaign, by the names of path parameters. A new parameter needs one here. */
  async function otherObjects(): Promise<Record<string, string>> {
    const [event] = (await manage('GET', '/events/search?campaign=frosty&limit=1')).events
    const [token] = (await manage('GET', '/tokens')).tokens
    return {
      ...other,
      event: event.id,
      tokenId: token.tokenId,
      id: 'frosty',
      pool: 'frost-codes',
      version: '1',
      hash: '0'.repeat(64),
      prize: 'frost-mug',
      webhook: randomUUID(),
      deliveryId: '1',
      resend: '1',
      list: listId,
      deadAddress: randomUUID(),
    }
  }

  /** Requests that need a body or a query, by their operations. */
  const requestsOf: Record<string, { body?: object; query?: string }> = {
    increaseSpin: { body: { playerId: 'newcomer', spinNumber: 1 } },
    createGameLink: { body: { playerId: 'newcomer' } },
    grantSpins: { body: { playerId: 'frost-fan', spins: 1, campaign: 'frosty' } },
    grantBatch: { body: { grants: [{ playerId: 'frost-fan', spinNumber: 1, campaign: 'frosty' }] } },
    createLink: { body: { playerId: 'frost-fan', campaign: 'frosty' } },
    createWalletLink: { body: {} },
    createLinkList: { body: { playerIds: ['frost-fan'], campaign: 'frosty' } },
    claimPrize: { body: {} },
    redeemPrize: { body: {} },
    cancelPrize: { body: {} },
    simulateWheel: { body: { playsPerDay: 1 } },
    previewMessage: { body: { kind: 'won', language: 'en', campaign: 'frosty' } },
    previewFreeSpins: { body: { freeSpins: { every: 'day' } } },
    compareWheelVersions: { query: '?from=1&to=draft' },
    exportCodes: { query: '?pool=frost-codes' },
  }

  /** The answers to every operation, with the objects of the other campaign. */
  async function tryEverything(token: string, only?: 'GET'): Promise<(Reply & { operationId: string })[]> {
    const objects = await otherObjects()
    const wanted = (await operations()).filter(({ method }) => only === undefined || method === only)
    const answers = []
    for (const { method, path, operationId } of wanted) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        assert.ok(name in objects, `${operationId}: which ${name} belongs to another campaign?`)
        return objects[name] as string
      })
      const { body, query = '' } = requestsOf[operationId] ?? {}
      const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') }
      const answer = await call(token, method, filled + query, { headers, ...(body && { body }) })
      answers.push({ ...answer, operationId })
    }
    return answers
  }

  test('no operation shows or changes anything of another campaign, whatever the scope', async () => {
    const state = () =>
      Promise.all(['/prizes', '/players/frost-fan', '/campaigns'].map((path) => manage('GET', path)))
    const earlier = await state()
    const isSafe = ({ status, body, text }: Reply) =>
      status === 403
        ? ['scope_missing', 'token_bound'].includes(body.code)
        : [200, 404].includes(status) && !secrets.some((secret) => text.toLowerCase().includes(secret))
    for (const scope of bindable) {
      const unsafe = (await tryEverything(tokens[scope])).filter((answer) => !isSafe(answer))
      assert.deepEqual(
        unsafe.map(({ operationId, text }) => `${operationId}: ${text.slice(0, 200)}`),
        [],
        scope,
      )
    }
    assert.deepEqual(await state(), earlier)
  })

  test('a token for everything finds the objects that it tried', async () => {
    const missing = (await tryEverything(api.token, 'GET')).filter(({ status }) => status !== 200)
    assert.deepEqual(missing.map(({ operationId }) => operationId).toSorted(), nothingThere)
  })

  test('everything of its own campaign is there', async () => {
    const read = async (scope: keyof typeof tokens, path: string) => {
      const answer = await call(tokens[scope], 'GET', `/api/v1${path}`)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      return answer.body
    }
    const namesOf = (rows: any[], name: string) => rows.map((row) => row[name])
    const { playId, playerId } = own
    assert.deepEqual(namesOf((await read('read', '/campaigns')).campaigns, 'campaign'), ['sunny'])
    assert.deepEqual((await read('read', '/campaigns?archived=true')).campaigns, [])
    assert.deepEqual(namesOf((await read('read', '/wheels')).wheels, 'wheel'), ['sunny'])
    assert.equal((await read('read', '/wheels/sunny/versions')).versions.length, 1)
    assert.equal((await read('prizes', `/prizes/${playId}`)).playId, playId)
    assert.deepEqual(namesOf((await read('prizes', '/prizes')).prizes, 'playerId'), ['both', playerId])
    assert.equal((await read('prizes', '/prizes?playerId=both')).prizes.length, 1)
    assert.equal((await read('read', `/plays/${playId}`)).playId, playId)
    assert.equal((await read('read', '/plays?wheel=sunny')).plays.length, 2)
    const both = await read('read', '/players/both')
    assert.deepEqual([both.spinCount, both.purses], [4, [{ campaign: 'sunny', spinCount: 4 }]])
    assert.deepEqual(namesOf((await read('read', '/players/both/ledger')).entries, 'campaign'), [
      'sunny',
      'sunny',
    ])
    assert.deepEqual(namesOf((await read('read', '/players/both/links')).links, 'campaign'), ['sunny'])
    const exported = await call(tokens.read, 'GET', '/api/v1/exports/players')
    assert.match(exported.text, /"both","spinCount":4/)
    const named = await call(tokens.read, 'GET', '/api/v1/plays?campaign=frosty')
    assert.deepEqual([named.status, named.body.code], [403, 'token_bound'])
    const claimed = await call(tokens.prizes, 'PUT', `/api/v1/prizes/${playId}/claim`, { body: {} })
    assert.equal(claimed.body.state, 'claimed', claimed.text)
  })

  test('a key that another campaign has used is refused without a word about its spins', async () => {
    const headers = { 'Idempotency-Key': 'order-7' }
    await manage('POST', '/grants', { playerId: 'both', spins: 3, campaign: 'frosty' }, headers)
    const answers = [3, 4].map((spinNumber) =>
      post(`${server.url}/api/player/increaseSpin`, tokens.spins, { playerId: 'both', spinNumber }, headers),
    )
    for (const { status, body } of await Promise.all(answers)) {
      assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
      assert.match(String(body.detail), /had another campaign/)
    }
  })

  test('it reads the events of its campaign alone: in order, by search, and live with a ticket', async (t) => {
    await numberAllPages(server.ctx.db)
    const pulled = await pull(server.url, tokens.events)
    const kinds = [
      'token.issued',
      'campaign.created',
      'spins.granted',
      'link.created',
      'link.opened',
      'play.completed',
      'prize.won',
    ]
    const types = new Set<string>(pulled.body.events.map(({ type }) => type))
    assert.deepEqual(
      kinds.filter((kind) => !types.has(kind)),
      [],
    )
    assert.ok(pulled.body.events.every(({ data }) => (data as any).campaign === 'sunny'))
    assert.equal(pulled.body.next, pulled.body.last, 'the reader gets past the events of others')
    const found = await call(tokens.events, 'GET', '/api/v1/events/search?limit=200')
    assert.deepEqual(found.body.events.toReversed(), pulled.body.events)
    const { body } = await call(tokens.events, 'POST', '/api/v1/events/tickets')
    const stream = await openStream(t, server.url, undefined, { query: `?after=0&ticket=${body.ticket}` })
    await winAt('frosty', 'frost-fan')
    await winAt('sunny', 'sunny-late')
    await until(() =>
      stream
        .events()
        .some(({ type, data }) => type === 'prize.won' && (data as any).playerId === 'sunny-late'),
    )
    assert.ok(stream.events().length > pulled.body.events.length)
    assert.ok(stream.events().every(({ data }) => (data as any).campaign === 'sunny'))
  })
})
