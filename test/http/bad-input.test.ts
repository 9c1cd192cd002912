// Bad input gets a clear problem and changes nothing: no 5xx, no hang. Raw sockets, since an HTTP client would fix many
// requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  bodyBytesMax,
  connectionsCheckIntervalMs,
  headerBytesMax,
  headerCountMax,
  headersTimeoutMs,
  requestTimeoutMs,
} from '../../src/limits.ts'
import { refusals, type RefusalCode } from '../../src/refusals.ts'
import {
  asSuperuser,
  makeMerchant,
  makeServer,
  type Server,
  suiteLifetime,
  times,
  until,
  waitMsMax,
} from '../scenes/scene.ts'

type RawAnswer = { status: number; headers: Map<string, string>; body: string }

/** Sends raw bytes and reads one response; undefined if the server closed without one. Never closes first. */
async function exchange(
  url: string,
  bytes: Iterable<string | Uint8Array>,
  isHead = false,
): Promise<RawAnswer | undefined> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  // Far beyond every limit: reaching this means that the server hangs.
  socket.setTimeout(waitMsMax, () => socket.destroy())
  let answer: RawAnswer | undefined
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    answer = readAnswer(received, isHead)
    if (answer !== undefined) socket.destroy()
  })
  // A server that refuses a body while it still arrives may reset the connection after its response.
  socket.on('error', () => socket.destroy()).on('end', () => socket.destroy())
  for (const part of bytes) socket.write(part)
  await once(socket, 'close')
  return answer
}

function readAnswer(text: string, isHead: boolean): RawAnswer | undefined {
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s)
  if (body === undefined) return undefined
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
  )
  const isWhole = isHead || body.length >= Number(headers.get('content-length'))
  return isWhole ? { status: Number(statusLine.split(' ')[1]), headers, body } : undefined
}

type RequestParts = { method?: string; headers?: string[]; body?: string | Uint8Array }

function requestBytes(path: string, { method = 'POST', headers = [], body = '' }: RequestParts): Uint8Array {
  const bytes = Buffer.from(body)
  const length = headers.some((line) => /^transfer-encoding/i.test(line))
    ? []
    : [`Content-Length: ${bytes.length}`]
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: test', ...headers, ...length]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

function assertProblem(answer: RawAnswer | undefined, code: RefusalCode, pointers?: string[]): void {
  assert.ok(answer, 'there is a response')
  const { status, title } = refusals[code]
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual([answer.status, problem.code], [status, code], answer.body)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json(;|$)/)
  const fields = ['type', 'title', 'status', 'detail', 'code', 'requestId', 'retryable']
  assert.deepEqual(Object.keys(problem), pointers === undefined ? fields : [...fields, 'errors'])
  assert.equal(problem.type, `http://127.0.0.1:8080/docs/errors#${code}`)
  assert.deepEqual([problem.title, problem.status], [title, status])
  assert.equal(problem.retryable, 'retryable' in refusals[code])
  assert.ok(typeof problem.detail === 'string' && problem.detail.length > 0)
  assert.match(String(problem.requestId), /^[0-9a-f]{10}-[0-9a-z]+$/)
  assert.equal(answer.headers.get('x-request-id'), problem.requestId)
  if (pointers === undefined) return
  const errors = problem.errors as { pointer: string; detail: string }[]
  assert.deepEqual(
    errors.map((error) => error.pointer).toSorted(),
    pointers.toSorted(),
    'each field appears once',
  )
  assert.ok(errors.every((error) => error.detail.length > 0))
}

let server: Server
let token: string
const lifetime = suiteLifetime()
before(async () => {
  server = await makeServer(lifetime)
  ;({ token } = await makeMerchant(server.ctx.db))
})
const json = 'Content-Type: application/json'
const withToken = () => [json, `Authorization: ${token}`]

/** Everything that a merchant's request could have changed. */
async function rowCounts(): Promise<unknown> {
  return asSuperuser(server.target.database, async (client) => {
    const counted = await client.query(
      'select (select count(*) from players) players, (select count(*) from ledger_entries) entries, (select sum(balance) from players) spins',
    )
    return counted.rows[0]
  })
}

async function unchanged(work: () => Promise<void>): Promise<void> {
  const counts = await rowCounts()
  await work()
  assert.deepEqual(await rowCounts(), counts)
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const quoted = (text: string) => JSON.stringify(text)
const brokenBodies: Record<string, string | Uint8Array> = {
  'an empty body': '',
  'white space': ' \n',
  'broken JSON': '{"playerId":"ann",',
  'two bodies in one': '{"playerId":"ann"}{"playerId":"ann"}',
  'single quotes': "{'playerId':'ann'}",
  'a trailing comma': '{"playerId":"ann",}',
  'a raw control character': '{"playerId":"a\nb"}',
  'an array': '[{"playerId":"ann"}]',
  'a string': '"ann"',
  null: 'null',
  'a number': '5',
  NaN: 'NaN',
  'arrays nested to the limit of the body': nested(bodyBytesMax / 2),
  'endlessly nested objects': '{"a":'.repeat(bodyBytesMax / 5),
  'a byte order mark': '\ufeff{"playerId":"ann","spinNumber":1}',
  'bytes that are not UTF-8': Buffer.from('{"playerId":"ann\xff","spinNumber":1}', 'latin1'),
  'an overlong NUL': Buffer.from('{"playerId":"ann\xc0\x80","spinNumber":1}', 'latin1'),
  'a surrogate in UTF-8': Buffer.from('{"playerId":"ann\xed\xa0\x80","spinNumber":1}', 'latin1'),
  ['__proto__']: '{"__proto__":{"playerId":"ann"},"playerId":"ann","spinNumber":1}',
  'a field twice': '{"playerId":5,"playerId":"ann","spinNumber":1,"initialSpin":1}',
  'an escaped __proto__': '{"\\u005f_proto__":{"playerId":"ann"},"playerId":"ann","spinNumber":1}',
}
const wrongTypes = ['true', 'null', '[]', '{}', '[1]']
const wrongNumbers = [
  '"5"',
  '-1',
  '1.5',
  '1e309',
  '-1e309',
  '1000001',
  '12345678901234567890',
  '9'.repeat(400),
]
const badCharacters = ['\0', 'a\0b', 'a\nb', '\x1f', '\x7f', '\x85', '\ud800', 'a\udc00b', '\ude00\ud83d']
const badEnds = [' a', 'a ', ' ', '\ta', '\u00a0a', 'a\u00a0', '\ufeffa', 'a\ufeff', 'a\u2028', '\u3000a']
const badLengths = ['', 'x'.repeat(129), '😀'.repeat(129), 'x'.repeat(10_240)]
const badIds = [...badCharacters, ...badEnds, ...badLengths].map(quoted)
const otherTypes = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense', '']

const operations = [
  { path: '/api/player/increaseSpin', field: 'spinNumber', needed: ['/playerId', '/spinNumber'] },
  { path: '/api/game/sso', field: 'initialSpin', needed: ['/playerId'] },
]

for (const { path, field, needed } of operations) {
  describe(`POST ${path}`, () => {
    const send = (parts: RequestParts, by = withToken()) =>
      exchange(server.url, [requestBytes(path, { headers: by, ...parts })])
    const fine = `{"playerId":"ann","${field}":1}`

    for (const [name, body] of Object.entries(brokenBodies)) {
      test(`a body with ${name} is malformed and changes nothing`, () =>
        unchanged(async () => assertProblem(await send({ body }), 'body_malformed')))
    }

    test('errors[] names each wrong field, all at once, and nothing changes', () =>
      unchanged(async () => {
        const isOptional = needed.length === 1
        const types = isOptional ? wrongTypes.filter((type) => type !== 'null') : wrongTypes
        for (const value of [...types, ...wrongNumbers, ...(isOptional ? [] : ['0', '-0'])]) {
          assertProblem(await send({ body: `{"playerId":"ann","${field}":${value}}` }), 'validation_failed', [
            `/${field}`,
          ])
        }
        for (const id of [...wrongTypes, '5', ...badIds]) {
          const one = await send({ body: `{"playerId":${id},"${field}":1}` })
          assertProblem(one, 'validation_failed', ['/playerId'])
          const both = await send({ body: `{"playerId":${id},"${field}":"1"}` })
          assertProblem(both, 'validation_failed', ['/playerId', `/${field}`])
        }
        assertProblem(await send({ body: '{}' }), 'validation_failed', needed)
        assertProblem(await send({ body: '{"playerid":"ann","SPINNUMBER":1}' }), 'validation_failed', needed)
      }))

    test('another content type, or none, is refused and changes nothing', () =>
      unchanged(async () => {
        for (const headers of [[], ...otherTypes.map((type) => [`Content-Type: ${type}`])]) {
          const answer = await send({ body: fine, headers: [`Authorization: ${token}`, ...headers] })
          assertProblem(answer, 'content_type_unsupported')
        }
      }))

    test('a body above the limit is refused, by its Content-Length or while it streams, and changes nothing', () =>
      unchanged(async () => {
        const large = Buffer.alloc(20_000_000, ' ')
        assertProblem(await send({ body: large }), 'body_too_large')
        assertProblem(await send({ body: fine.padEnd(bodyBytesMax + 1) }), 'body_too_large')
        const head = requestBytes(path, { headers: [...withToken(), 'Transfer-Encoding: chunked'] })
        const chunk = Buffer.concat([
          Buffer.from('186a0\r\n'),
          large.subarray(0, 100_000),
          Buffer.from('\r\n'),
        ])
        assertProblem(await exchange(server.url, [head, ...times(200, () => chunk)]), 'body_too_large')
      }))

    test('a missing, duplicate or malformed token is refused and changes nothing', () =>
      unchanged(async () => {
        const [id = '', secret = ''] = token.split(':')
        assertProblem(await send({ body: fine }, [json]), 'token_missing')
        const values = [
          '',
          id,
          `${id}:`,
          `:${secret}`,
          `${id}:${secret.slice(1)}`,
          `${token}0`,
          `${id}::${secret}`,
        ]
        const more = [
          `${id}:${'g'.repeat(64)}`,
          `Bearer ${token}`,
          `"${token}"`,
          `${token},${token}`,
          `${token} x`,
        ]
        for (const value of [...values, ...more, 'ÿ', ':'.repeat(9_000)]) {
          const answer = await send({ body: fine }, [json, `Authorization: ${value}`])
          assertProblem(answer, 'token_malformed')
          assert.ok(answer?.headers.has('www-authenticate'))
          assert.ok(!answer?.body.includes(secret.slice(1)), 'the secret is not sent back')
        }
        for (const second of [token, 'x'])
          assertProblem(
            await send({ body: fine }, [...withToken(), `authorization: ${second}`]),
            'token_malformed',
          )
      }))

    test('another method is refused with the list of allowed methods', () =>
      unchanged(async () => {
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'HEAD']) {
          const bytes = requestBytes(path, {
            method,
            headers: withToken(),
            body: method === 'PUT' ? fine : '',
          })
          const answer = await exchange(server.url, [bytes], method === 'HEAD')
          if (method !== 'HEAD') assertProblem(answer, 'method_not_allowed')
          assert.deepEqual([answer?.status, answer?.headers.get('allow')], [405, 'POST'], method)
        }
      }))

    test('a misspelt path is not found', () =>
      unchanged(async () => {
        const misspelt = [
          path.toLowerCase(),
          path.toUpperCase(),
          `${path}/`,
          `/${path}`,
          `${path}/x`,
          `${path}%00`,
        ]
        for (const wrong of [
          ...misspelt.filter((one) => one !== path),
          '/',
          '/api',
          `/${'x'.repeat(8_000)}`,
        ]) {
          const answer = await exchange(server.url, [
            requestBytes(wrong, { headers: withToken(), body: fine }),
          ])
          assertProblem(answer, 'route_not_found')
        }
      }))

    test('a method that is not known, and CONNECT, are refused as malformed HTTP', () =>
      unchanged(async () => {
        for (const line of ['CONNECT 127.0.0.1:80', `FOO ${path}`]) {
          const bytes = Buffer.from(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
          assertProblem(await exchange(server.url, [bytes]), 'request_malformed')
        }
      }))

    test('a connection that asks for CONNECT and is reset does no harm', () =>
      unchanged(async () => {
        const { hostname, port } = new URL(server.url)
        const uncaught: unknown[] = []
        const note = (error: unknown) => uncaught.push(error)
        process.on('uncaughtException', note)
        for (const pauseMs of [0, 1, 5, 20]) {
          const socket = connect(Number(port), hostname)
          socket.on('error', () => {})
          await once(socket, 'connect')
          socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n')
          await sleep(pauseMs)
          socket.resetAndDestroy()
        }
        await sleep(100)
        process.off('uncaughtException', note)
        assert.deepEqual(uncaught, [], 'they would end the server')
      }))

    test('malformed percent-encoding in the path is refused as malformed HTTP', () =>
      unchanged(async () => {
        for (const wrong of [`${path}%`, `${path}%zz`, '/%', '/%c0%af', '/spinthewheel/%ff']) {
          const answer = await exchange(server.url, [
            requestBytes(wrong, { headers: withToken(), body: fine }),
          ])
          assertProblem(answer, 'request_malformed')
        }
      }))

    test('unusual but valid requests are accepted', async () => {
      const ids = [
        '😀',
        '👩‍👩‍👧',
        'لاعب',
        '\u202eabc',
        'a b',
        '__proto__',
        'constructor',
        'x'.repeat(128),
        '😀'.repeat(128),
      ]
      const bodies = [
        ...ids.map((id) => `{"playerId":${quoted(id)},"${field}":1}`),
        `{"playerId":"ann","${field}":1,"constructor":{"prototype":1},"extra":{"__proto__":[]}}`,
        `{"playerId":"ann","${field}":1,"deep":${nested(8_000)}}`,
        fine.padEnd(bodyBytesMax),
      ]
      for (const body of bodies) {
        const answer = await send({ body })
        assert.equal(answer?.status, 200, `${body.slice(0, 100)} ${answer?.body}`)
      }
      const typed = ['content-type: Application/JSON; charset=utf-8', `AUTHORIZATION:\t${token} `]
      assert.equal((await send({ body: fine }, typed))?.status, 200)
    })

    test('requests with too large or too many headers are refused, never truncated', () =>
      unchanged(async () => {
        const bomb = await send({ body: fine }, [...withToken(), `X-Bomb: ${'x'.repeat(headerBytesMax)}`])
        assertProblem(bomb, 'headers_too_large')
        // Dropping headers at the end could drop an Idempotency-Key: the merchant's retry would then grant twice.
        const many = times(headerCountMax + 1, (index) => `X-${index}: y`)
        assertProblem(await send({ body: fine }, [...withToken(), ...many]), 'headers_too_large')
      }))

    test('invalid or ambiguous HTTP is refused as malformed and changes nothing', () =>
      unchanged(async () => {
        const smuggled = ['Content-Length: 5', 'Transfer-Encoding: chunked']
        const cases = {
          garbage: '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n',
          'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          'an unknown method': `SPIN ${path} HTTP/1.1\r\nHost: test\r\n\r\n`,
          'two Content-Length headers': requestBytes(path, {
            headers: [...withToken(), 'Content-Length: 5'],
            body: fine,
          }),
          'a negative length': `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Length: -1\r\n\r\n`,
          'a Content-Length with chunks': requestBytes(path, {
            headers: [...withToken(), ...smuggled],
            body: '0\r\n\r\n',
          }),
          'a broken chunk': requestBytes(path, {
            headers: [...withToken(), 'Transfer-Encoding: chunked'],
            body: 'zz\r\n',
          }),
          'a folded header': requestBytes(path, { headers: [...withToken(), 'X-A: b\r\n c'], body: fine }),
          'a bare line feed': `POST ${path} HTTP/1.1\nHost: test\n\n`,
          'no host': `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`,
          'an unknown expectation': requestBytes(path, {
            headers: [...withToken(), 'Expect: cake'],
            body: fine,
          }),
        }
        for (const [name, bytes] of Object.entries(cases)) {
          const answer = await exchange(server.url, [bytes])
          assert.doesNotThrow(
            () => assertProblem(answer, 'request_malformed'),
            `${name}: ${JSON.stringify(answer)}`,
          )
        }
      }))

    test('a connection dropped in mid-body changes nothing, and the server keeps running', () =>
      unchanged(async () => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
        socket.write(requestBytes(path, { headers: withToken(), body: fine }).subarray(0, -1))
        await until(async () => (await connections()) > 0)
        socket.resetAndDestroy()
        await until(async () => (await connections()) === 0)
        assertProblem(await send({ body: '{}' }), 'validation_failed', needed)
      }))
  })
}

async function connections(): Promise<number> {
  return new Promise((resolve) => server.app.server.getConnections((_error, count) => resolve(count)))
}

test('slow senders get a timeout response within the limits and are disconnected', (t) =>
  unchanged(async () => {
    const earlyMsMax = 2 * connectionsCheckIntervalMs + 1_500
    const lateMsMax = 30_000
    const body = requestBytes('/api/game/sso', { headers: withToken(), body: '{"playerId":"slow"}' })
    const cases: [string, Uint8Array, number][] = [
      ['nothing at all', Buffer.alloc(0), headersTimeoutMs],
      ['half a request line', Buffer.from('POST /api/ga'), headersTimeoutMs],
      ['unfinished headers', body.subarray(0, 100), headersTimeoutMs],
      ['an unfinished body', body.subarray(0, -1), requestTimeoutMs],
    ]
    const trickles = cases.map(async ([name, bytes, limitMs]) => {
      const start = performance.now()
      assertProblem(await exchange(server.url, [bytes]), 'request_timeout')
      const tookMs = performance.now() - start
      assert.ok(tookMs > limitMs - earlyMsMax && tookMs < limitMs + lateMsMax, `${name}: ${tookMs} ms`)
    })
    // This client does not close when asked to, so the server must.
    const stubborn = connect({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    t.after(() => stubborn.destroy())
    stubborn
      .on('error', () => undefined)
      .resume()
      .write('POST')
    await Promise.all(trickles)
    await until(async () => (await connections()) === 0)
  }))
