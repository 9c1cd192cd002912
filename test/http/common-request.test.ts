// Compares our request parser with Node's: Node must read every request that ours accepts in the same way, to the byte.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { commonReader } from '../../src/http/transport/common-request.ts'

const path = '/api/player/increaseSpin'
const read = commonReader([path, '/api/game/sso'])

const usual = [
  `POST ${path} HTTP/1.1`,
  'Host: x',
  'Authorization: a:b',
  'Content-Type: application/json',
  'Idempotency-Key: k',
  'Content-Length: 12',
]
const body = '{"a":"bcde"}'
const whole = `${usual.join('\r\n')}\r\n\r\n${body}`

test('a common request is parsed, and the bytes after it are left', () => {
  const request = read(Buffer.from(`${whole}POST`))
  assert.ok(typeof request !== 'string' && 'body' in request)
  assert.deepEqual(
    { ...request, body: request.body.toString() },
    {
      path,
      authorization: 'a:b',
      key: 'k',
      traceparent: undefined,
      forwardedFor: undefined,
      body,
      length: whole.length,
    },
  )
})

test('every prefix of a common request is reported as incomplete', () => {
  const headLength = whole.length - body.length
  for (let length = 0; length < whole.length; length++) {
    const lengthMin = length < headLength ? length + 1 : whole.length
    assert.deepEqual(read(Buffer.from(whole.slice(0, length))), { lengthMin }, String(length))
  }
})

test('an ambiguous request is reported as uncommon', () => {
  for (const [was, is] of [
    ['POST', 'GET'],
    ['POST', ' POST'],
    ['HTTP/1.1', 'HTTP/1.0'],
    [path, `${path}/`],
    [path, `${path}?a`],
    ['Host: x\r\n', ''],
    ['Host: x\r\n', 'Host: x\r\nHost: x\r\n'],
    ['Host: x', 'Host : x'],
    ['Host: x', 'Host: x\n'],
    ['Host: x', 'Host: x\r\n y'],
    ['Host: x', 'Host: \0'],
    ['Host: x', 'Host: é'],
    ['Host: x\r\n', 'Host: x\n'],
    ['Host: x\r\n', 'Host: x\r'],
    ['Authorization: a:b\r\n', ''],
    ['Authorization: a:b', 'Authorization: a:b\r\nauthorization: a:b'],
    ['application/json', 'text/plain'],
    ['application/json', 'application/json; charset=utf-16'],
    ['Key: k', 'Key: k\r\nIdempotency-Key: k'],
    ['Length: 12', 'Length: 12\r\nContent-Length: 12'],
    ['Length: 12', 'Length: +12'],
    ['Length: 12', 'Length: 012'],
    ['Length: 12', 'Length: 1e1'],
    ['Length: 12', 'Length: 0'],
    ['Length: 12', 'Length: 16385'],
    ['Length: 12', 'Length: 12\r\nTransfer-Encoding: chunked'],
    ['Length: 12', 'Length: 12\r\nConnection: close'],
    ['Length: 12', 'Length: 12\r\nConnection: keep-alive, upgrade'],
    ['Length: 12', 'Length: 12\r\nExpect: 100-continue'],
    ['Length: 12', 'Length: 12\r\nCookie: a=b'],
    ['Length: 12', `Length: 12${'\r\nX: y'.repeat(101)}`],
    ['Length: 12', `Length: 12\r\nX: ${'y'.repeat(17_000)}`],
  ] as const)
    assert.equal(read(Buffer.from(whole.replace(was, is), 'latin1')), 'uncommon', JSON.stringify(is))
})

test('Node parses every accepted request in the same way', async (t) => {
  const seen: { request: IncomingMessage; body: Promise<Buffer> }[] = []
  const server = createServer((request, response) => {
    const all = buffer(request)
    seen.push({ request, body: all })
    void all.then(() => response.setHeader('Connection', 'close').end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())

  const name = fc.constantFrom(
    'Host',
    'authorization',
    'Content-Type',
    'CONTENT-LENGTH',
    'Connection',
    'Idempotency-Key',
    'Traceparent',
    'X-Any',
    'Accept',
    'transfer-encoding',
    'X_Y',
    '',
  )
  const value = fc.oneof(
    fc.constantFrom('x', 'application/json', '12', '11', 'keep-alive', 'close', 'a:b', 'chunked', ''),
    fc.string({ unit: 'binary-ascii', maxLength: 6 }),
  )
  const colon = fc.constantFrom(':', ': ', ':  ', ': \t', ' : ')
  const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n ', ' \r\n')
  const extra = fc.tuple(name, colon, value, end).map((parts) => parts.join(''))
  const edit = fc.record({
    at: fc.nat(whole.length),
    length: fc.nat(2),
    by: fc.string({ unit: 'binary-ascii', maxLength: 2 }),
  })
  const lines = fc.shuffledSubarray(usual.slice(1), { minLength: 4 })
  const requests = fc
    .tuple(lines, fc.array(extra, { maxLength: 3 }), fc.option(edit, { freq: 3 }))
    .map(([some, extras, change]) => {
      const text = `${usual[0]}\r\n${some.join('\r\n')}\r\n${extras.join('')}\r\n${body}`
      return change === null
        ? text
        : text.slice(0, change.at) + change.by + text.slice(change.at + change.length)
    })
  let taken = 0
  await fc.assert(
    fc.asyncProperty(requests, async (text) => {
      const ours = read(Buffer.from(text, 'latin1'))
      if (typeof ours === 'string' || 'lengthMin' in ours) return
      taken++
      seen.length = 0
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.end(text.slice(0, ours.length), 'latin1')
      await once(socket.resume(), 'close')
      assert.equal(seen.length, 1, 'one request')
      const [{ request, body: its }] = seen as [(typeof seen)[0]]
      const { method, url, headers } = request
      assert.deepEqual(
        [
          method,
          url,
          headers.authorization,
          headers['idempotency-key'],
          headers.traceparent,
          (await its).toString('latin1'),
        ],
        ['POST', ours.path, ours.authorization, ours.key, ours.traceparent, ours.body.toString('latin1')],
      )
      assert.ok(headers.host !== undefined && headers['transfer-encoding'] === undefined)
    }),
    { numRuns: 3_000 },
  )
  assert.ok(taken > 100, `${taken} were accepted`)
})
