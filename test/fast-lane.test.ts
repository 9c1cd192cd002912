import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { setBlock } from '../src/players/players.ts'
import { makeMerchant, makeServer, post, type Server, suiteLifetime, times } from './scene.ts'

/** A merchant's request in two forms: the common one takes the lane, one in chunks takes the framework. */
type Form = 'common' | 'chunked'
type Told = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> }

async function tell(
  url: string,
  form: Form,
  order: { token: string; body: unknown; headers?: Record<string, string> },
): Promise<Told> {
  const bytes = Buffer.isBuffer(order.body) ? order.body : Buffer.from(JSON.stringify(order.body))
  const length =
    form === 'common' ? { 'content-length': String(bytes.length) } : { 'transfer-encoding': 'chunked' }
  const request = send(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', authorization: order.token, ...length, ...order.headers },
  })
  request.end(bytes)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = JSON.parse(await text(response)) as Record<string, unknown>
  return { status: response.statusCode as number, headers: response.headers, body }
}

/** What differs from one request to the next, whichever way it takes. */
function withoutChance({ status, headers, body }: Told): unknown {
  const {
    'x-request-id': id,
    ratelimit,
    date,
    'content-length': _,
    'transfer-encoding': __,
    ...rest
  } = headers
  assert.match(String(id), /^[0-9a-f]{10}-/)
  assert.match(String(ratelimit), /^"token";r=\d+;t=\d+$/)
  assert.ok(date !== undefined)
  const { requestId: ___, link, token, ...said } = body
  return {
    status,
    headers: rest,
    said,
    hasLink: typeof link === 'string',
    hasToken: typeof token === 'string',
  }
}

describe('the fast lane', () => {
  let server: Server
  let token: string
  const grantUrl = () => `${server.url}/api/player/increaseSpin`
  const linkUrl = () => `${server.url}/api/game/sso`
  const lifetime = suiteLifetime()

  before(async () => {
    server = await makeServer(lifetime)
    const made = await makeMerchant(server.ctx.db, { settings: { grantMax: 1_000 } })
    token = made.token
    await post(grantUrl(), token, { playerId: 'blocked', spinNumber: 1 })
    await setBlock(server.ctx.db, { merchantId: made.merchant.merchantId, playerId: 'blocked' }, new Date())
  })

  /** How many of the requests that `work` makes come before the framework. */
  async function countFramework(work: () => Promise<unknown>): Promise<number> {
    let count = 0
    const channel = 'tracing:fastify.request.handler:start'
    const listener = () => count++
    subscribe(channel, listener)
    await work().finally(() => unsubscribe(channel, listener))
    return count
  }

  test('takes what is common, and leaves the rest', async () => {
    const order = { token, body: { playerId: 'pia', spinNumber: 1 } }
    assert.equal(await countFramework(() => tell(grantUrl(), 'common', order)), 0)
    assert.equal(
      await countFramework(() => tell(linkUrl(), 'common', { ...order, body: { playerId: 'pia' } })),
      0,
    )
    assert.equal(await countFramework(() => tell(grantUrl(), 'chunked', order)), 1)
  })

  for (const [name, url, body, headers] of [
    ['a grant', grantUrl, { playerId: 'same', spinNumber: 3 }, { 'idempotency-key': 'k' }],
    ['a repeat', grantUrl, { playerId: 'same', spinNumber: 3 }, { 'idempotency-key': 'k' }],
    [
      'another number under the same key',
      grantUrl,
      { playerId: 'same', spinNumber: 4 },
      { 'idempotency-key': 'k' },
    ],
    ['more than a call may add', grantUrl, { playerId: 'same', spinNumber: 1_001 }],
    ['a blocked player', grantUrl, { playerId: 'blocked', spinNumber: 1 }],
    ['a link', linkUrl, { playerId: 'same', initialSpin: 2, more: true }],
    ['a link for a blocked player', linkUrl, { playerId: 'blocked' }],
    ['a fraction', grantUrl, { playerId: 'same', spinNumber: 1.5 }],
    ['no spins at all', grantUrl, { playerId: 'same', spinNumber: 0 }],
    ['a number beyond all numbers', grantUrl, Buffer.from('{"playerId":"same","spinNumber":1e309}')],
    ['a player without a name', linkUrl, { playerId: '' }],
    ['a player with a space', linkUrl, { playerId: ' same' }],
    ['a lone surrogate', linkUrl, Buffer.from(String.raw`{"playerId":"\ud800"}`)],
    ['a name of 129 characters', linkUrl, { playerId: 'x'.repeat(129) }],
    ['a name of 128 characters outside the first plane', linkUrl, { playerId: '🎡'.repeat(128) }],
    ['a list', grantUrl, []],
    ['null', grantUrl, Buffer.from('null')],
    ['bytes that are no text', grantUrl, Buffer.from([0x22, 0xff, 0x22])],
    ['half a body', grantUrl, Buffer.from('{"playerId":')],
    ['__proto__', grantUrl, Buffer.from('{"__proto__":{},"playerId":"same","spinNumber":1}')],
    ['a key with a space', grantUrl, { playerId: 'same', spinNumber: 1 }, { 'idempotency-key': 'a b' }],
    ['an empty key', grantUrl, { playerId: 'same', spinNumber: 1 }, { 'idempotency-key': '' }],
  ] as [string, () => string, unknown, Record<string, string>?][]) {
    test(`answers as the framework does: ${name}`, async () => {
      const order = { token, body, ...(headers && { headers }) }
      if (name === 'a grant') await tell(url(), 'chunked', order)
      const common = await tell(url(), 'common', order)
      assert.deepEqual(withoutChance(common), withoutChance(await tell(url(), 'chunked', order)))
    })
  }

  test('a body that comes in pieces is put together, and a second request may follow it', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const body = JSON.stringify({ playerId: 'pieces', spinNumber: 2 })
    const head = `POST /api/player/increaseSpin HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    let heard = ''
    socket.setEncoding('utf8').on('data', (piece: string) => (heard += piece))
    socket.write(head)
    for (const letter of body) socket.write(letter)
    while (!heard.includes('"spinCount":2')) await once(socket, 'data')
    // Three at once on one connection: the answers come in order, whichever way each request went.
    socket.write((head + body).repeat(3))
    while (!heard.includes('"spinCount":8')) await once(socket, 'data')
    socket.destroy()
    assert.deepEqual(
      [...heard.matchAll(/"spinCount":(\d+)/g)].map(([, count]) => Number(count)),
      times(4, (index) => 2 * index + 2),
    )
  })
})
