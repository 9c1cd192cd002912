// HTTP as in RFC 9110 and RFC 9112, over raw sockets, with the same results on both paths: our parser and Node's.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, describe, test } from 'node:test'
import { bodyBytesMax, readAheadBytesMax } from '../../src/limits.ts'
import {
  asSuperuser,
  makeMerchant,
  makeServer,
  post,
  type Server,
  suiteLifetime,
  until,
  untilSteady,
} from '../scenes/scene.ts'

let server: Server
let token: string
const lifetime = suiteLifetime()
before(async () => {
  server = await makeServer(lifetime)
  ;({ token } = await makeMerchant(server.ctx.db))
  await balanceAfterOneMore('known')
})

const path = '/api/player/increaseSpin'
const livez = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
/** The first request on a connection decides which parser reads the rest. */
const entries = { 'our parser': '', "Node's parser": livez }

type Form = 'plain' | 'chunked'

function grant(playerId: string, { form = 'plain', more = '', by = token }: Partial<Grant> = {}): string {
  return request(JSON.stringify({ playerId, spinNumber: 1 }), { form, more, by })
}
type Grant = { form: Form; more: string; by: string }

function request(body: string, { form = 'plain', more = '', by = token }: Partial<Grant> = {}): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${by}\r\nContent-Type: application/json\r\n${more}`
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  return form === 'plain'
    ? `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    : `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`
}

function open(t: { after: (end: () => void) => void } = lifetime, allowHalfOpen = false): Socket {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen })
  t.after(() => socket.destroy())
  return socket.setNoDelay()
}

/** Sends the text, or its pieces one by one, and returns all that the server sends until it closes. */
async function exchange(text: string | readonly string[], { isHalfClosed = false } = {}): Promise<string> {
  const socket = open().setEncoding('latin1')
  let received = ''
  socket.on('data', (piece: string) => (received += piece)).on('error', () => undefined)
  const closed = once(socket, 'close')
  for (const piece of [text].flat()) await new Promise((written) => socket.write(piece, 'latin1', written))
  if (isHalfClosed) socket.end()
  await closed
  return received
}

const statusesIn = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)).filter((one) => one !== 100)

/** A separate request, which is handled after every earlier one of the player. */
async function balanceAfterOneMore(playerId: string): Promise<unknown> {
  const { body } = await post(`${server.url}${path}`, token, { playerId, spinNumber: 1 })
  return body.spinCount
}

for (const [entry, first] of Object.entries(entries)) {
  const answered = first === '' ? [] : [200]
  const name = (what: string) => `${what}-${first.length}`

  describe(`with ${entry}`, () => {
    for (const [what, refused, status] of [
      ['a body that is not JSON', () => request('{bad'), 400],
      ['a body that is too large', () => request('x'.repeat(bodyBytesMax + 1)), 413],
      ['bytes that are not HTTP', () => 'NONSENSE\r\n\r\n', 400],
      [
        'a Content-Length with chunks',
        () => request('{}', { form: 'chunked', more: 'Content-Length: 5\r\n' }),
        400,
      ],
    ] as [string, () => string, number][]) {
      test(`after a refusal that closes the connection no further request is executed: ${what}`, async () => {
        for (const form of ['plain', 'chunked'] as const) {
          const player = name(`${what}-${form}`)
          const received = await exchange(
            first + refused() + grant(player, { form }) + grant(player, { form }),
          )
          assert.deepEqual(statusesIn(received), [...answered, status], form)
          assert.match(received, /connection: close/i)
          const middle = first + grant(player) + grant(player, { form: 'chunked' }) + refused()
          const all = await exchange(middle + grant(player, { form }))
          assert.deepEqual(statusesIn(all), [...answered, 200, 200, status], `${form}, in the middle`)
          assert.equal(await balanceAfterOneMore(player), 3)
        }
      })
    }

    test('after a response to Connection: close no further request is executed', async () => {
      const player = name('last')
      const received = await exchange(
        first + grant(player, { more: 'Connection: close\r\n' }) + grant(player),
      )
      assert.deepEqual(statusesIn(received), [...answered, 200])
      assert.equal(await balanceAfterOneMore(player), 2)
    })

    test('requests that RFC 9112 calls malformed are refused', async () => {
      const odd = (was: string | RegExp, is: string) => grant(name('odd')).replace(was, is)
      for (const [text, status] of [
        [odd('Host: x', 'Host: x\r\nHost: x'), 400],
        [odd('Host: x', 'Host: x\r\nHost: y'), 400],
        [odd('Host: x', 'Host: x\r\nContent-Type: text/plain'), 400],
        [odd('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n'), 400],
        ...['a b', 'a/b', 'a,b', 'a@b', 'http://a', '[::1', 'a:b', 'a:123456', 'é'].map((host) => [
          odd('Host: x', `Host: ${host}`),
          400,
        ]),
        [odd('HTTP/1.1', 'HTTP/2.0'), 400],
        [odd('HTTP/1.1', 'HTTP/0.9'), 400],
        [odd('HTTP/1.1', 'HTTP/1.2'), 400],
        ...['gzip', 'br', 'gzip, identity'].map((coding) => [
          grant(name('odd'), { more: `Content-Encoding: ${coding}\r\n` }),
          415,
        ]),
        ...['utf-16', 'iso-8859-1', '"latin1"', 'us-ascii', '"utf-16'].map((charset) => [
          odd('/json', `/json; charset=${charset}`),
          415,
        ]),
      ] as [string, number][]) {
        const received = await exchange(
          first + text + 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        )
        assert.equal(statusesIn(received)[answered.length], status, text)
        assert.match(received, /application\/problem\+json/)
      }
      for (const text of [
        odd('Host: x', 'Host: [::1]:8080'),
        odd('Host: x', 'Host: a-b.example:80'),
        odd('Host: x', 'Host: a_b'),
        grant(name('odd'), { more: 'Content-Encoding: identity\r\n' }),
        ...['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'utf-8; x=y'].map((charset) =>
          odd('/json', `/json; charset=${charset}`),
        ),
      ])
        assert.deepEqual(
          statusesIn(await exchange(first + text, { isHalfClosed: true })),
          [...answered, 200],
          text,
        )
    })

    test('a client that has closed its side gets its responses', async () => {
      const wrong = `nobody:${'0'.repeat(64)}`
      const fresh = await makeMerchant(server.ctx.db)
      for (const [text, statuses] of [
        [grant('known'), [200]],
        [grant('known', { by: fresh.token }), [200]],
        [grant('known', { by: wrong }), [401]],
        [grant('known', { form: 'chunked' }), [200]],
        [request('{}'), [400]],
        [grant('known') + livez + grant('known'), [200, 200, 200]],
        [grant('known') + grant('known', { by: wrong }) + grant('known'), [200, 401, 200]],
        [livez, [200]],
        [grant('known').slice(0, -1), [400]],
      ] as [string, number[]][]) {
        const received = await exchange(first + text, { isHalfClosed: true })
        assert.deepEqual(statusesIn(received), [...answered, ...statuses], text)
      }
    })

    test('a client that closes its side before the end of its request is told so, and may repeat it', async () => {
      for (const form of ['plain', 'chunked'] as const)
        for (const length of [10, 60, grant(name('cut'), { form }).length - 1]) {
          const received = await exchange(first + grant(name('cut'), { form }).slice(0, length), {
            isHalfClosed: true,
          })
          assert.match(received, /"code":"request_incomplete".*"retryable":true/, `${form} ${length}`)
        }
      assert.equal(await balanceAfterOneMore(name('cut')), 1)
    })

    test('a client that is still sending a too large body gets the refusal', async (t) => {
      const large = Buffer.alloc(20_000_000, ' ')
      const socket = open(t, true).setEncoding('latin1').pause()
      let error: Error | undefined
      socket.on('error', (met) => (error = met))
      const head = request('').replace('Content-Length: 0', `Content-Length: ${large.length}`)
      const written = new Promise((resolve) => {
        socket.write(first + head)
        socket.write(large, resolve)
      })
      // Like many clients, it reads only after it has written everything.
      await written
      let received = ''
      socket.on('data', (piece: string) => (received += piece)).resume()
      await Promise.race([once(socket, 'end'), once(socket, 'close')])
      assert.equal(error, undefined)
      assert.deepEqual(statusesIn(received), [...answered, 413])
    })

    test('a client that never stops sending is disconnected', async (t) => {
      const socket = open(t, true)
        .resume()
        .on('error', () => undefined)
      socket.write(first + request('').replace('Content-Length: 0', 'Content-Length: 1000000000000'))
      const piece = Buffer.alloc(1_000_000)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      const more = () => {
        if (socket.destroyed) return
        if (!socket.writableNeedDrain) socket.write(piece)
        setImmediate(more)
      }
      more()
      await closed
    })

    test('pipelined requests are handled in order, and few are read ahead', async (t) => {
      const player = name('ahead')
      const padded = grant(player, { more: `X-Padding: ${'x'.repeat(2_000)}\r\n` })
      const [count, each] = first === '' ? [500, padded] : [20_000, livez]
      let accepted: Socket | undefined
      server.app.server.once('connection', (socket) => (accepted = socket))
      const socket = open(t).setEncoding('latin1')
      let received = ''
      socket.on('data', (piece: string) => (received += piece))
      await asSuperuser(server.target.database, async (client) => {
        await client.query('begin')
        await client.query('lock table players in exclusive mode')
        socket.write(first + grant(player) + each.repeat(count))
        await until(() => (accepted?.bytesRead ?? 0) > readAheadBytesMax / 2)
        await untilSteady(() => accepted?.bytesRead)
        const read = accepted?.bytesRead ?? 0
        assert.ok(read < 8 * readAheadBytesMax, `${read} bytes were read ahead`)
        await client.query('commit')
      })
      socket.write(grant(player, { more: 'Connection: close\r\n' }))
      await once(socket, 'close')
      const statuses = statusesIn(received)
      assert.equal(statuses.length, answered.length + count + 2)
      assert.ok(statuses.every((status) => status === 200))
    })
  })
}

test('two spaces in a request line are refused as malformed, in any request of a connection', async () => {
  const good = grant('spaces')
  const [line = ''] = good.split('\r\n', 1)
  const lines = [`POST  ${path} HTTP/1.1`, `POST ${path}  HTTP/1.1`]
  for (const bad of [...lines.map((wrong) => good.replace(line, wrong)), livez.replace(' ', '  ')]) {
    for (const earlier of [[], [livez], [good], [livez, good], [grant('spaces', { form: 'chunked' })]]) {
      const statuses = [...earlier.map(() => 200), 400]
      assert.deepEqual(statusesIn(await exchange([...earlier, bad, good].join(''))), statuses, bad)
      assert.deepEqual(
        statusesIn(await exchange([...earlier, ...bad.split(''), good])),
        statuses,
        'byte by byte',
      )
    }
  }
  assert.equal(await balanceAfterOneMore('spaces'), 3 * 2 * 3 + 1)
})

test('a request for an upgrade is answered, and closes the connection', async () => {
  for (const protocol of ['h2c', 'websocket']) {
    const asking = grant('upgrade', { more: `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n` })
    const received = await exchange(asking + grant('upgrade') + grant('upgrade'))
    assert.deepEqual(statusesIn(received), [200])
    assert.match(received, /connection: close/i)
  }
  assert.equal(await balanceAfterOneMore('upgrade'), 3)
})

test('a transfer coding other than chunked is refused, and nothing is granted', async () => {
  const coded = grant('coded', { form: 'chunked', more: 'Connection: close\r\n' }).replace(
    'Encoding: ',
    'Encoding: gzip, ',
  )
  assert.deepEqual(statusesIn(await exchange(coded)), [400])
  assert.equal(await balanceAfterOneMore('coded'), 1)
})
