import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import Fastify from 'fastify'
import { revokeSigningKey, rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { clientAddress } from '../../src/http/transport/client-address.ts'
import { publishOnly } from '../scenes/batch-scene.ts'
import {
  countMessages,
  type Form,
  inFramework,
  inNode,
  type ParsedResponse,
  sendRequest,
} from './request-forms.ts'
import { makeMerchant, makeServer, post, type Server, suiteLifetime } from '../scenes/scene.ts'

type Play = { session: string; playId: string; playerSeed: string; commitment: string; versionHash: string }

describe('the fast path of plays', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let token: string
  const env = { TRUST_PROXY: '127.0.0.1', GAME_PLAYS_PER_PLAYER: '5' }
  before(async () => {
    server = await makeServer(lifetime, { env })
    const made = await makeMerchant(server.ctx.db)
    token = made.token
    await publishOnly(server.ctx.db, made.merchant.merchantId, { stock: 1_000_000 })
    await server.ctx.wheels.current(made.merchant.merchantId)
  })
  const url = () => `${server.url}/api/v1/game/plays`

  /** The next play of a player, as its page would send it. */
  async function nextPlay(playerId: string, initialSpin = 5): Promise<Play> {
    const link = await post(`${server.url}/api/game/sso`, token, { playerId, initialSpin })
    const { body } = await post(`${server.url}/api/v1/game/session`, undefined, { token: link.body.token })
    const { session, next, wheel } = body as any
    return {
      session,
      playId: randomUUID(),
      playerSeed: randomBytes(32).toString('hex'),
      commitment: next.commitment,
      versionHash: wheel.hash,
    }
  }
  const play = (body: unknown, form: Form = 'common', headers: Record<string, string> = {}) =>
    sendRequest(url(), form, { body, headers })

  test('handles common plays on the bare connection, and behind the page behind Node', async () => {
    const body = await nextPlay('pia')
    assert.equal(await countMessages(inNode, () => play(body)), 0)
    assert.equal(await countMessages(inFramework, () => play(body, 'after another')), 1, 'the other one')
    assert.equal(await countMessages(inFramework, () => play(body, 'chunked')), 1)
    assert.equal(await countMessages(inNode, () => play({ ...body, more: 1 })), 1, 'left to the framework')
  })

  const changes: [string, (body: Play) => unknown][] = [
    ['a play', (body) => body],
    ['an outdated commitment', (body) => ({ ...body, commitment: 'ab'.repeat(32) })],
    ['another version', (body) => ({ ...body, versionHash: 'ab'.repeat(32) })],
    ['a forged session', (body) => ({ ...body, session: `${body.session}x` })],
    ['an unknown field', (body) => ({ ...body, more: true })],
    ['a missing field', (body) => ({ ...body, playId: undefined })],
    ['an id in capitals', (body) => ({ ...body, playId: body.playId.toUpperCase() })],
    ['a short seed', (body) => ({ ...body, playerSeed: 'ab' })],
    ['a session that is a number', (body) => ({ ...body, session: 5 })],
    ['a list', () => []],
    ['truncated JSON', () => Buffer.from('{"session":')],
  ]
  for (const [name, change] of changes) {
    test(`answers like the framework: ${name}`, async () => {
      const body = change(await nextPlay(randomUUID()))
      const [first, ...others] = [
        await play(body),
        await play(body, 'after another'),
        await play(body, 'chunked'),
      ]
      for (const other of others) assert.deepEqual(comparable(other), comparable(first))
    })
  }

  test('counts plays of a player and requests of an address together with the framework', async () => {
    const body = await nextPlay('bot')
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const left = async (form: Form) =>
      /r=(\d+)/.exec(String((await play(body, form, headers)).headers.ratelimit))?.[1]
    assert.deepEqual(
      [await left('common'), await left('after another'), await left('chunked')],
      ['4', '3', '2'],
    )
    await left('common')
    await left('after another')
    const over = await play(body, 'common', headers)
    assert.deepEqual([over.status, over.body.code], [429, 'rate_limited'])
    assert.equal(over.body.detail, 'Too many plays of this player: the limit is 5 in 60 seconds.')
    assert.equal((await play(body, 'after another', headers)).status, 429)
  })

  test('a session whose key was revoked, or has expired, is refused on all paths', async () => {
    const { db, linkKeys } = server.ctx
    const body = await nextPlay('late')
    const { keyId } = await linkKeys.newest()
    await rotateSigningKeys(db, 'links', new Date())
    await revokeSigningKey(db, keyId, new Date())
    // Like a process that has not read its keys for a while.
    const other = await makeServer(lifetime, { env, database: { db, target: server.target } })
    for (const form of ['common', 'after another', 'chunked'] as const) {
      const answer = await sendRequest(`${other.url}/api/v1/game/plays`, form, { body })
      assert.deepEqual([answer.status, answer.body.code], [401, 'game_token_invalid'], form)
    }
  })
})

test("the client's address is the one that the framework finds", async (t) => {
  const networks = ['127.0.0.1', '10.0.0.0/8']
  const app = Fastify({ trustProxy: networks })
  t.after(() => app.close())
  app.get('/', (request) => request.ip)
  const headers = [
    undefined,
    '',
    ' ',
    ',',
    '1.2.3.4',
    '1.2.3.4, 10.1.1.1',
    '10.1.1.1, 10.2.2.2',
    'x, 10.1.1.1',
    '1.2.3.4,,',
    '::1, 5.6.7.8 , 10.0.0.9',
  ]
  for (const remoteAddress of ['127.0.0.1', '::ffff:127.0.0.1', '10.9.9.9', '9.9.9.9', '::1'])
    for (const header of headers) {
      const expected = await app.inject({
        url: '/',
        remoteAddress,
        headers: header === undefined ? {} : { 'x-forwarded-for': header },
      })
      const found = clientAddress(networks)(remoteAddress, header)
      assert.equal(found, expected.body, `${remoteAddress} ${JSON.stringify(header)}`)
    }
  assert.equal(clientAddress([])('127.0.0.1', '1.2.3.4'), '127.0.0.1')
})

/** Leaves out the parts that differ from one request to the next on every path. */
function comparable({ status, headers, body }: ParsedResponse): unknown {
  const {
    'x-request-id': id,
    ratelimit,
    date,
    'content-length': _,
    'transfer-encoding': __,
    ...rest
  } = headers
  assert.match(String(id), /^[0-9a-f]{10}-/)
  const { requestId: ___, ...said } = body
  return {
    status,
    headers: rest,
    limit: /^"(\w+)"/.exec(String(ratelimit))?.[1],
    hasDate: date !== undefined,
    said,
  }
}
