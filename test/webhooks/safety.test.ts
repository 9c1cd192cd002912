import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ConfigError, parseConfig } from '../../src/config.ts'
import { webhookAnswerBytesMax, webhookExcerptLengthMax } from '../../src/limits.ts'
import { keptHeaders } from '../../src/webhooks/sending/answer-headers.ts'
import type { Answer } from '../../src/webhooks/sending/answers.ts'
import { endpointUrlFault } from '../../src/webhooks/endpoint-url.ts'
import { makeAddressCheck } from '../../src/webhooks/network-rules.ts'
import { type Reach, WebhookClient } from '../../src/webhooks/sending/webhook-client.ts'
import { makeCertificate } from '../scenes/certificates.ts'
import { makeRawReceiver, makeReceiver, writeContinuously } from '../scenes/receivers.ts'
import { defer, freePort, type Lifetime, node, repository, times, until } from '../scenes/scene.ts'

const closed = { allowHttp: true, allowedNetworks: [] }
const loopback = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] }

function makeClient(t: Lifetime, url: string, change: Partial<Reach> = {}): WebhookClient {
  const reach = { ...loopback, lookup: async () => ['127.0.0.1'], timeoutMs: 1_000, ...change }
  const client = new WebhookClient(url, reach, 4)
  defer(t, () => client.close())
  return client
}

const sendTo = async (t: Lifetime, url: string, change: Partial<Reach> = {}): Promise<Answer> =>
  makeClient(t, url, change).send('{}', { 'webhook-id': 'evt_1' })

const publicAddresses = [
  '93.184.215.14',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
]

/** Each points to a place that only this machine, or its network, should reach. */
const innerAddresses = [
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.8.8.8',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

/** Other notations of a private address in a URL. */
const otherNotations = [
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://2852039166/',
  'https://0xA9FEA9FE/latest/meta-data/',
  'https://169.254.43518/',
  'https://0251.0376.0251.0376/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
]

test('only public addresses are reached, in whatever notation a private one is written', () => {
  const isAllowed = makeAddressCheck(closed)
  for (const address of publicAddresses) assert.equal(isAllowed(address), true, address)
  for (const address of [...innerAddresses, '', 'example.com', '127.1', '1.1.1.1.1'])
    assert.equal(isAllowed(address), false, address)
  for (const url of otherNotations) {
    assert.equal(endpointUrlFault(url, closed), 'must lead to a public address', url)
  }
})

test('an operator can allow named networks, but never cloud metadata addresses', () => {
  const isAllowed = makeAddressCheck({
    allowedNetworks: ['10.0.0.0/8', 'fd00::/8', '169.254.0.0/16', '192.168.1.7'],
  })
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '169.254.1.1', '192.168.1.7'])
    assert.equal(isAllowed(address), true, address)
  for (const address of [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    '192.168.1.8',
    '127.0.0.1',
  ])
    assert.equal(isAllowed(address), false, address)
})

test('an invalid network or an invalid list of times is refused at start', () => {
  for (const [name, value] of [
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOWED_NETWORKS', 'intern'],
    ['WEBHOOK_RETRY_PAUSES', '5'],
    ['WEBHOOK_RETRY_PAUSES', '0s'],
  ] as const) {
    assert.throws(() => parseConfig({ [name]: value }), ConfigError, `${name}=${value}`)
  }
  const { webhooks } = parseConfig({ WEBHOOK_RETRY_PAUSES: '1s, 2m' })
  assert.deepEqual(webhooks.retryPausesSeconds, [1, 120])
  assert.equal(webhooks.allowHttp, false)
  assert.deepEqual(webhooks.allowedNetworks, [])
})

test('a webhook address is https, without user, fragment or unusual port', () => {
  const rules = { allowHttp: false, allowedNetworks: [] }
  assert.equal(endpointUrlFault('https://shop.example/hook?a=b', rules), undefined)
  assert.equal(endpointUrlFault('https://shop.example:8443/hook', rules), undefined)
  assert.equal(endpointUrlFault('http://shop.example/', { ...rules, allowHttp: true }), undefined)
  for (const url of [
    'http://shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#part',
    'https://shop.example:25/',
    'https://shop.example:22/',
    'https://shop.example/a b',
    'https://',
    'shop.example',
    '',
    `https://shop.example/${'a'.repeat(2_000)}`,
  ])
    assert.notEqual(endpointUrlFault(url, rules), undefined, url)
})

test('a name that resolves to a private address is not connected to, whatever else it resolves to', async (t) => {
  const receiver = await makeReceiver(t)
  const url = `http://hooks.example:${receiver.port}/`
  for (const address of innerAddresses.filter((one) => one !== '127.0.0.1')) {
    const answer = await sendTo(t, url, { lookup: async () => [address], allowedNetworks: ['127.0.0.1/32'] })
    if (address === '::ffff:127.0.0.1' || address === '::ffff:7f00:1') continue
    assert.equal(answer.fault, 'blocked', address)
  }
  const literal = await sendTo(t, receiver.url, { allowedNetworks: [] })
  assert.equal(literal.fault, 'blocked')
  const mixed = await sendTo(t, url, { lookup: async () => ['10.0.0.1', '127.0.0.1', '169.254.169.254'] })
  assert.equal(mixed.status, 200)
})

test('plain http is not used unless allowed, even for an existing webhook', async (t) => {
  const receiver = await makeReceiver(t)
  assert.equal((await sendTo(t, receiver.url, { allowHttp: false })).fault, 'blocked')
  assert.equal(receiver.connectionCount(), 0)
})

test('a name is resolved once per connection, so a changing DNS response has no effect', async (t) => {
  const receiver = await makeReceiver(t)
  let lookups = 0
  const lookup = async () => (++lookups === 1 ? ['127.0.0.1'] : ['169.254.169.254'])
  const client = makeClient(t, `http://rebind.example:${receiver.port}/`, { lookup })
  assert.equal((await client.send('{}', {})).status, 200)
  assert.equal(lookups, 1)
  const later = makeClient(t, `http://rebind.example:${receiver.port}/`, { lookup })
  assert.equal((await later.send('{}', {})).fault, 'blocked')
  assert.equal(lookups, 2)
  assert.equal(receiver.received[0]?.headers.host, `rebind.example:${receiver.port}`)
})

test('connections are reused, and concurrent requests get their own', async (t) => {
  const receiver = await makeReceiver(t)
  const client = makeClient(t, receiver.url)
  for (let count = 0; count < 10; count++) assert.equal((await client.send('{}', {})).status, 200)
  // A response arrives a moment before its connection is free again.
  assert.ok(receiver.connectionCount() <= 2)
  await Promise.all([client.send('{}', {}), client.send('{}', {}), client.send('{}', {})])
  assert.ok(receiver.connectionCount() <= 4)
})

describe('a malicious receiver', () => {
  const head = (status: string, ...lines: string[]) => `HTTP/1.1 ${[status, ...lines].join('\r\n')}\r\n\r\n`
  const drip = (socket: Socket, text: string) => {
    let sent = 0
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write(text[sent++ % text.length] ?? '')
    }, 50)
    socket.on('close', () => clearInterval(timer))
  }

  test('that is not there is a failure', async (t) => {
    assert.equal((await sendTo(t, `http://127.0.0.1:${await freePort()}/`)).fault, 'refused')
  })

  test('whose name does not resolve is a failure', async (t) => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    assert.equal((await sendTo(t, 'http://nowhere.example:8080/', { lookup })).fault, 'dns')
    assert.equal((await sendTo(t, 'http://empty.example:8080/', { lookup: async () => [] })).fault, 'blocked')
  })

  test('whose name server does not respond is given up in time', async (t) => {
    const lookup = async () => new Promise<string[]>(() => undefined)
    assert.equal((await sendTo(t, 'http://silent.example:8080/', { lookup })).fault, 'timeout')
  })

  test('that answers 500 is a failure, with a short excerpt', async (t) => {
    const receiver = await makeReceiver(t, (_, response) => {
      response.statusCode = 500
      response.end(`no\u0000\u001b[31m${'x'.repeat(10_000)}`)
    })
    const answer = await sendTo(t, receiver.url)
    assert.equal(answer.status, 500)
    assert.equal(answer.excerpt?.length, webhookExcerptLengthMax)
    assert.match(answer.excerpt ?? '', /^no\uFFFD\uFFFD\[31mxxx/)
  })

  test('has its helpful headers stored, cut and without keys, and no others', async (t) => {
    const receiver = await makeReceiver(t, (_, response) => {
      response.writeHead(302, {
        Location: '/login/0123456789012345678901234567/?key=secret',
        Server: `nginx\u0085${'x'.repeat(500)}`,
        'X-Request-Id': '7f3c',
        'Set-Cookie': 'session=secret',
        Via: times(20, () => 'a'.repeat(100)),
      })
      response.end()
    })
    const { headers } = await sendTo(t, receiver.url)
    assert.equal(headers.location, '/login/0123…/?…')
    assert.equal(headers['x-request-id'], '7f3c')
    assert.match(headers.server ?? '', /^nginx\uFFFDx{193}…$/)
    assert.equal(headers.via?.length, 200)
    assert.ok(!JSON.stringify(headers).includes('secret'))
    const many = Object.fromEntries(
      ['location', 'server', 'via', 'allow', 'cf-ray', 'traceparent', 'x-request-id', 'x-correlation-id'].map(
        (name) => [name, '"'.repeat(500)],
      ),
    )
    const length = JSON.stringify(keptHeaders(many)).length
    assert.ok(length > 1_000 && length <= 2_000, String(length))
    assert.deepEqual(keptHeaders({ location: 'https://a.example/b?c=d' }), {
      location: 'https://a.example/b?…',
    })
  })

  test('that hangs is given up in time', async (t) => {
    const receiver = await makeRawReceiver(t, () => undefined)
    const answer = await sendTo(t, receiver.url)
    assert.deepEqual([answer.status, answer.fault], [null, 'timeout'])
  })

  test('that sends its headers byte by byte is given up in time', async (t) => {
    const receiver = await makeRawReceiver(t, (socket) =>
      drip(socket, head('200 OK', `X: ${'y'.repeat(9_000)}`)),
    )
    assert.equal((await sendTo(t, receiver.url)).fault, 'timeout')
  })

  test('that sends its body byte by byte has still answered', async (t) => {
    const receiver = await makeRawReceiver(t, (socket) => {
      socket.write(head('200 OK', 'Content-Length: 1000000'))
      drip(socket, 'z')
    })
    const answer = await sendTo(t, receiver.url)
    assert.deepEqual([answer.status, answer.fault], [200, null])
    assert.match(answer.excerpt ?? '', /^z+$/)
  })

  test('with an endless body is read briefly, then disconnected', async (t) => {
    let socketOfReceiver: Socket | undefined
    const receiver = await makeRawReceiver(t, (socket) => {
      socketOfReceiver = socket
      socket.write(head('200 OK', 'Transfer-Encoding: chunked'))
      writeContinuously(socket, Buffer.from(`400\r\n${'e'.repeat(1024)}\r\n`))
    })
    const answer = await sendTo(t, receiver.url)
    assert.equal(answer.status, 200)
    assert.equal(answer.excerpt, 'e'.repeat(webhookExcerptLengthMax))
    await until(() => socketOfReceiver?.destroyed === true)
    // The bytes written include those in the kernel's buffers, which were not read.
    assert.ok((socketOfReceiver?.bytesWritten ?? Infinity) < webhookAnswerBytesMax + 32 * 1024 * 1024)
  })

  test('with a gzip bomb is not decompressed', async (t) => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const receiver = await makeReceiver(t, (_, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(bomb)
    })
    const before = process.memoryUsage().rss
    const answer = await sendTo(t, receiver.url)
    assert.deepEqual([answer.status, answer.excerpt], [200, '(compressed; not read)'])
    assert.ok(process.memoryUsage().rss - before < 48 * 1024 * 1024)
    assert.equal(receiver.received[0]?.headers['accept-encoding'], 'identity')
  })

  test('with huge headers, or without valid HTTP, is a failure', async (t) => {
    const huge = await makeRawReceiver(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      writeContinuously(socket, Buffer.from(`X-${'h'.repeat(1_000)}: y\r\n`))
    })
    assert.equal((await sendTo(t, huge.url)).fault, 'protocol')
    const other = await makeRawReceiver(t, (socket) => void socket.write('220 mail.example ESMTP\r\n\r\n'))
    assert.equal((await sendTo(t, other.url)).fault, 'protocol')
  })

  test('that redirects to a metadata address is not followed', async (t) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await makeReceiver(t, (_, response) => {
        response.writeHead(status, { Location: 'http://169.254.169.254/latest/meta-data/' })
        response.end()
      })
      const answer = await sendTo(t, receiver.url)
      assert.deepEqual([answer.status, receiver.received.length], [status, 1])
    }
  })

  test('that resets after its 200 has accepted the event; one that resets before has not', async (t) => {
    const after = await makeRawReceiver(t, (socket) => {
      socket.write(`${head('200 OK', 'Content-Length: 100')}half`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      )
    })
    assert.equal((await sendTo(t, after.url)).status, 200)
    const before = await makeRawReceiver(t, (socket) => void socket.resetAndDestroy())
    assert.deepEqual(pick(await sendTo(t, before.url)), { status: null, fault: 'reset' })
    const half = await makeRawReceiver(t, (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-'))
    assert.equal((await sendTo(t, half.url)).status, null)
  })

  test('with a certificate that is expired, not yet valid, for another name or untrusted gets no request', async (t) => {
    const day = 86_400_000
    const now = Date.now()
    const valid = { from: new Date(now - day), until: new Date(now + day) }
    const cases = {
      expired: makeCertificate('hooks.example', {
        from: new Date(now - 2 * day),
        until: new Date(now - day),
      }),
      early: makeCertificate('hooks.example', { from: new Date(now + day), until: new Date(now + 2 * day) }),
      'of another': makeCertificate('evil.example', valid),
      unknown: makeCertificate('hooks.example', valid),
      good: makeCertificate('hooks.example', valid),
    }
    for (const [name, certificate] of Object.entries(cases)) {
      let request = ''
      const receiver = await makeRawReceiver(
        t,
        (socket) => {
          request = name
          socket.end(head('204 No Content'))
        },
        certificate,
      )
      const url = `https://hooks.example:${receiver.port}/hook`
      const trustedCertificates = name === 'unknown' ? undefined : [certificate.cert]
      const answer = await sendTo(t, url, {
        timeoutMs: 60_000,
        ...(trustedCertificates && { trustedCertificates }),
      })
      const expected = name === 'good' ? { status: 204, fault: null } : { status: null, fault: 'tls' }
      assert.deepEqual(pick(answer), expected, name)
      assert.equal(request, name === 'good' ? 'good' : '')
    }
  })
})

test('a proxy in the environment is not used', async (t) => {
  const receiver = await makeReceiver(t)
  const proxy = await makeRawReceiver(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  const script = `
    import { WebhookClient } from ${JSON.stringify(join(repository, 'src/webhooks/sending/webhook-client.ts'))}
    const reach = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'], lookup: async () => [], timeoutMs: 60000 }
    const client = new WebhookClient(${JSON.stringify(receiver.url)}, reach, 1)
    console.log((await client.send('{}', {})).status)
    await client.close()`
  const env = Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
      name,
      `http://127.0.0.1:${proxy.port}`,
    ]),
  )
  const child = spawn(node, ['--input-type=module-typescript', '-e', script], {
    env: { PATH: process.env.PATH, NODE_USE_ENV_PROXY: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  assert.equal(output.trim(), '200')
  assert.equal(proxy.connectionCount(), 0)
  assert.equal(receiver.received.length, 1)
})

function pick({ status, fault }: Answer): Pick<Answer, 'status' | 'fault'> {
  return { status, fault }
}
