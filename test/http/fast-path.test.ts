import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveBareConnections } from '../../src/http/transport/bare-connections.ts'
import { commonReader } from '../../src/http/transport/common-request.ts'
import { LoopTurns } from '../../src/http/transport/loop-turns.ts'
import { readAheadBytesMax, refusalLinesMax, requestsInFlightMax, wholeRequestMs } from '../../src/limits.ts'
import { setBlock } from '../../src/players/players.ts'
import {
  countMessages as count,
  inFramework,
  inNode,
  type ParsedResponse,
  sendRequest,
} from './request-forms.ts'
import {
  type Lifetime,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  until,
  untilSteady,
} from '../scenes/scene.ts'

/** Leaves out the parts that differ from one request to the next on every path. */
function withoutVariableParts({ status, headers, body }: ParsedResponse): unknown {
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

describe('the fast path', () => {
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

  test('refuses each of a flood with the same answer, counts all, and logs the first few', async () => {
    const { inFlight, registry } = server.ctx.metrics
    const send = () => sendRequest(grantUrl(), 'common', { token, body: { playerId: 'pia', spinNumber: 1 } })
    const countRefusals = async () => {
      const shown = await registry.metrics()
      const requests =
        /^wheelhouse_http_requests_total\{route="\/api\/player\/increaseSpin",.*status="503"\} (\d+)$/m
      const refusals = /^wheelhouse_refusals_total\{code="overloaded"\} (\d+)$/m
      return [requests, refusals].map((pattern) => Number(pattern.exec(shown)?.[1] ?? 0))
    }
    const countedBefore = await countRefusals()
    inFlight.count += requestsInFlightMax
    const answers: unknown[] = []
    for (let sent = 0; sent < 3 * refusalLinesMax; sent++) answers.push(withoutVariableParts(await send()))
    inFlight.count -= requestsInFlightMax
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    const { status, headers, said } = answers[0] as {
      status: number
      headers: Record<string, string>
      said: Record<string, unknown>
    }
    assert.deepEqual([status, headers['retry-after'], said.code], [503, '1', 'overloaded'])
    const added = 3 * refusalLinesMax
    assert.deepEqual(
      await countRefusals(),
      countedBefore.map((counted) => counted + added),
    )
  })

  test('handles common requests and leaves the rest to the framework', async () => {
    const order = { token, body: { playerId: 'pia', spinNumber: 1 } }
    const link = { ...order, body: { playerId: 'pia' } }
    assert.equal(await count(inNode, () => sendRequest(grantUrl(), 'common', order)), 0)
    assert.equal(await count(inNode, () => sendRequest(linkUrl(), 'common', link)), 0)
    assert.equal(await count(inNode, () => sendRequest(grantUrl(), 'after another', order)), 2)
    assert.equal(await count(inFramework, () => sendRequest(grantUrl(), 'after another', order)), 1)
    assert.equal(await count(inFramework, () => sendRequest(grantUrl(), 'chunked', order)), 1)
  })

  test('handles the first request of a token that is not cached yet', async () => {
    const made = await makeMerchant(server.ctx.db)
    const order = { token: made.token, body: { playerId: 'pia', spinNumber: 1 } }
    assert.equal(await count(inNode, () => sendRequest(grantUrl(), 'common', order)), 0)
  })

  for (const [name, url, body, headers] of [
    ['a grant', grantUrl, { playerId: 'same', spinNumber: 3 }, { 'idempotency-key': 'k' }],
    ['a repeat', grantUrl, { playerId: 'same', spinNumber: 3 }, { 'idempotency-key': 'k' }],
    [
      'another number with the same key',
      grantUrl,
      { playerId: 'same', spinNumber: 4 },
      { 'idempotency-key': 'k' },
    ],
    ['more than the limit per call', grantUrl, { playerId: 'same', spinNumber: 1_001 }],
    ['a blocked player', grantUrl, { playerId: 'blocked', spinNumber: 1 }],
    ['a link', linkUrl, { playerId: 'same', initialSpin: 2, more: true }],
    ['a link without spins', linkUrl, { playerId: 'same', initialSpin: null }],
    ['a link for a blocked player', linkUrl, { playerId: 'blocked' }],
    ['a fraction', grantUrl, { playerId: 'same', spinNumber: 1.5 }],
    ['no spins at all', grantUrl, { playerId: 'same', spinNumber: 0 }],
    ['a number beyond the range of doubles', grantUrl, Buffer.from('{"playerId":"same","spinNumber":1e309}')],
    ['an empty player id', linkUrl, { playerId: '' }],
    ['a player id with a space', linkUrl, { playerId: ' same' }],
    ['a lone surrogate', linkUrl, Buffer.from(String.raw`{"playerId":"\ud800"}`)],
    ['a player id of 129 characters', linkUrl, { playerId: 'x'.repeat(129) }],
    ['a player id of 128 characters outside the BMP', linkUrl, { playerId: '🎡'.repeat(128) }],
    ['a list', grantUrl, []],
    ['null', grantUrl, Buffer.from('null')],
    ['bytes that are not UTF-8', grantUrl, Buffer.from([0x22, 0xff, 0x22])],
    ['truncated JSON', grantUrl, Buffer.from('{"playerId":')],
    ['__proto__', grantUrl, Buffer.from('{"__proto__":{},"playerId":"same","spinNumber":1}')],
    ['a key with a space', grantUrl, { playerId: 'same', spinNumber: 1 }, { 'idempotency-key': 'a b' }],
    ['an empty key', grantUrl, { playerId: 'same', spinNumber: 1 }, { 'idempotency-key': '' }],
  ] as [string, () => string, unknown, Record<string, string>?][]) {
    test(`answers like the framework: ${name}`, async () => {
      const order = { token, body, ...(headers && { headers }) }
      if (name === 'a grant') await sendRequest(url(), 'chunked', order)
      const expected = withoutVariableParts(await sendRequest(url(), 'common', order))
      assert.deepEqual(expected, withoutVariableParts(await sendRequest(url(), 'after another', order)))
      assert.deepEqual(expected, withoutVariableParts(await sendRequest(url(), 'chunked', order)))
    })
  }

  /** A request as text. `exchange` sends pieces on one connection and returns what the server sends until it closes. */
  const grant = (playerId: string, more = '') => {
    const body = JSON.stringify({ playerId, spinNumber: 2 })
    return `POST /api/player/increaseSpin HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
  }
  const last = 'Connection: close\r\n'
  /** Writes the pieces to a connection and returns everything that the server sends until it closes. */
  async function exchange(pieces: readonly string[], pauseMs = 0): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      .setNoDelay()
      .setEncoding('utf8')
    let received = ''
    socket.on('data', (piece: string) => (received += piece))
    const closed = once(socket, 'close')
    for (const piece of pieces) {
      socket.write(piece)
      await sleep(pauseMs)
    }
    await closed
    return received
  }
  const countsIn = (received: string) =>
    [...received.matchAll(/"spinCount":(\d+)/g)].map(([, number]) => Number(number))

  test('a request that arrives in pieces is assembled', async () => {
    // On a busy machine the pieces may take longer than `wholeRequestMs`. Then Node assembles the request.
    let tries = 0
    await until(async () => {
      const player = `pieces-${++tries}`
      const pieces = [...(grant(player).match(/[^]{1,20}/g) ?? []), grant(player, last)]
      const send = async () => assert.deepEqual(countsIn(await exchange(pieces)), [2, 4])
      return (await count(inNode, send)) === 1
    })
  })

  test('a request whose pieces arrive slowly is answered', async () => {
    const [head = '', body = ''] = grant('apart', last).split('\r\n\r\n')
    assert.deepEqual(countsIn(await exchange([head, '\r\n\r\n', body], 1.2 * wholeRequestMs)), [2])
  })

  test('responses come in the order of the requests, whichever path handles each', async () => {
    const livez = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
    const received = await exchange([
      grant('order').repeat(3) + livez + grant('order') + grant('order', last),
    ])
    assert.deepEqual(countsIn(received), [2, 4, 6, 8, 10])
    assert.ok(received.indexOf('"spinCount":6') < received.indexOf('"status":"alive"'))
    assert.ok(received.indexOf('"status":"alive"') < received.indexOf('"spinCount":8'))
  })

  test('a client that closes its side of the connection still gets the response', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.end(grant('goodbye'))
    assert.deepEqual(countsIn(await text(socket)), [2])
  })

  test('bytes after a request whose token is being loaded are not lost', async () => {
    const other = await makeMerchant(server.ctx.db)
    const first = grant('unknown').replace(token, other.token)
    const pieces = [first, first.repeat(2), grant('unknown', last).replace(token, other.token)]
    assert.deepEqual(countsIn(await exchange(pieces)), [2, 4, 6, 8])
    const wrong = `${'0'.repeat(8)}:${'0'.repeat(64)}`
    const received = await exchange([grant('nobody').replace(token, wrong), grant('unknown', last)])
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  test('two spellings of a token that is being loaded do not interfere', async () => {
    const other = await makeMerchant(server.ctx.db)
    const [id, secret = ''] = other.token.split(':')
    const spellings = [other.token, `${id}:${secret.toUpperCase()}`]
    const received = await Promise.all(
      spellings.map((spelling) => exchange([grant('spelt', last).replace(token, spelling)])),
    )
    assert.deepEqual(
      received.flatMap(countsIn).toSorted((a, b) => a - b),
      [2, 4],
    )
  })

  test('a client that stops in mid-request gets a timeout response', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.end(grant('half').slice(0, -1))
    assert.match(await text(socket), /^HTTP\/1\.1 400 /)
  })
})

/** A server with one path, whose requests `serve` answers. */
async function serveOnePath(
  t: Lifetime,
  serve: (answer: (text: string) => void) => void,
): Promise<{ server: HttpServer; client: Socket; request: string; accepted: () => Socket }> {
  const server = createServer()
  serveBareConnections(server, {
    headers: {},
    read: commonReader(['/path']),
    turns: new LoopTurns(),
    handle: () =>
      new Promise((resolve) => {
        serve((said) =>
          resolve({
            status: 200,
            headers: ['content-length', String(said.length)],
            text: said,
            isLast: false,
          }),
        )
      }),
  })
  let accepted: Socket | undefined
  server.on('connection', (socket) => (accepted = socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  t.after(() => client.destroy())
  const head = 'POST /path HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Type: application/json\r\n'
  return {
    server,
    client,
    request: `${head}Content-Length: 2\r\n\r\n{}`,
    accepted: () => accepted ?? assert.fail('no client has connected'),
  }
}

test('a client that does not read its responses is disconnected and does not delay a stop', async (t) => {
  let served = 0
  const { server, client, request } = await serveOnePath(t, (answer) => {
    served++
    answer('x'.repeat(1_000_000))
  })
  client.pause()
  // The responses to all of them would be a hundred megabytes.
  client.write(request.repeat(100))
  await until(() => served > 0)
  await untilSteady(() => served)
  assert.ok(served < 50, String(served))
  server.closeAllConnections()
  await once(client.resume(), 'close')
})

test('a client that reads only after the server begins to stop is released', async (t) => {
  const { server, client, request, accepted } = await serveOnePath(t, (answer) =>
    answer('x'.repeat(20_000_000)),
  )
  client.pause()
  client.write(request)
  await once(client, 'connect')
  await until(() => accepted().writableLength > 0)
  server.close()
  await once(client.resume(), 'close')
})

test('of pipelined requests that arrive faster than responses, only a few are read ahead', async (t) => {
  let served = 0
  const { client, request, accepted } = await serveOnePath(t, (answer) => {
    served++
    setTimeout(() => answer('done'), 1)
  })
  client.resume()
  client.write(request.repeat(100_000))
  await until(() => served > 20)
  const ahead = accepted().bytesRead - served * request.length
  assert.ok(ahead < 5 * readAheadBytesMax, `${served} served, ${ahead} bytes ahead`)
})
