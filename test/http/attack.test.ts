// The threats of docs/threat-model.md that no other file tests.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import vm from 'node:vm'
import { readDocument } from '../../fuzz/api-document.ts'
import type { Database } from '../../src/db/database.ts'
import { readEvents } from '../../src/events/event-log.ts'
import { numberNextPages } from '../../src/events/sequencer.ts'
import { limitConnections } from '../../src/http/transport/connection-limit.ts'
import { readLinkId } from '../../src/links/game-links.ts'
import { alwaysWins, callApi, makeManagementApi } from '../scenes/management-scene.ts'
import {
  makeMerchant,
  makeServer,
  post,
  repository,
  type Server,
  suiteLifetime,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'
import { makeBrowser, makeStaff, password, signInAs } from '../scenes/staff-scene.ts'

const read = (file: string): string => readFileSync(join(repository, file), 'utf8')

describe('an attacker', () => {
  const lifetime = suiteLifetime()
  let server: Server
  let db: Database
  before(async () => {
    server = await makeServer(lifetime, {
      env: { GAME_PLAYS_PER_PLAYER: '3', GAME_SESSIONS_PER_PLAYER: '4', TRUST_PROXY: '127.0.0.1' },
    })
    ;({ db } = server.ctx)
  })

  async function makePlayer(playerId: string) {
    const api = await makeManagementApi(server)
    await api.publish(alwaysWins({}))
    await api.grant(playerId, 50)
    const link = await post(`${server.url}/api/game/sso`, api.token, { playerId })
    const token = String(link.body.token)
    const open = () => post(`${server.url}/api/v1/game/session`, undefined, { token })
    const play = (session: any, changes: object = {}) =>
      post(`${server.url}/api/v1/game/plays`, undefined, {
        session: session.session,
        playId: randomUUID(),
        playerSeed: randomBytes(32).toString('hex'),
        commitment: session.next.commitment,
        versionHash: session.wheel.hash,
        ...changes,
      })
    return { api, token, open, play }
  }

  test('a scripted player is held to the rate limit per player across all its sessions, and the merchant is notified once', async () => {
    const { api, open, play } = await makePlayer('robot')
    const other = await makePlayer('human')
    const sessions = [(await open()).body, (await open()).body] as any[]
    // The rate window is one minute, so the eight plays fall into at most two windows: at least two are refused.
    const answers = []
    for (let turn = 0; turn < 8; turn++) answers.push(await play(sessions[turn % 2]))
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 2, `${refused.length} of 8 refused`)
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1))
    const opened = await Promise.all(times(10, open))
    assert.ok(opened.some(({ status, body }) => status === 429 && body.code === 'rate_limited'))
    assert.equal((await other.play((await other.open()).body)).status, 200, 'other players are not affected')
    const spent = answers.filter(({ status }) => status === 200)
    const { body } = await api.call('GET', '/players/robot')
    assert.deepEqual([body.spinCount, body.playCount], [50 - spent.length, spent.length])
    const query = {
      merchantId: api.merchant.merchantId,
      after: 0,
      types: ['player.limited' as const],
      limit: 100,
    }
    let limitEvents: string[] = []
    await until(async () => {
      await numberNextPages(db)
      const events = await readEvents(db, query)
      limitEvents = events.map(({ data }: any) => [data.playerId, data.limit, data.perMinute].join())
      return new Set(limitEvents).size >= 2
    })
    assert.deepEqual(new Set(limitEvents), new Set(['robot,plays,3', 'robot,sessions,4']))
    assert.ok(limitEvents.length <= 4, 'at most one event per window')
  })

  test('a stolen session stops working once its link is revoked or its player is blocked', async () => {
    for (const end of ['link', 'links', 'block'] as const) {
      const { api, token, open, play } = await makePlayer(`victim-${end}`)
      const session = (await open()).body
      assert.equal((await play(session)).status, 200)
      if (end === 'link') await api.call('PUT', `/links/${readLinkId(token)}/revocation`)
      if (end === 'links') await api.call('PUT', `/players/victim-${end}/links/revocation`)
      if (end === 'block') await api.call('PUT', `/players/victim-${end}/block`)
      const late = await play(session)
      assert.ok([401, 403].includes(late.status), `${end}: ${late.status}`)
    }
  })

  test('a session plays only for its own player, whatever else the request contains', async () => {
    const ann = await makePlayer('ann')
    const bob = await makePlayer('bob')
    const [annSession, bobSession] = [(await ann.open()).body, (await bob.open()).body] as any[]
    const swapped = await ann.play(annSession, { commitment: bobSession.next.commitment })
    assert.deepEqual([swapped.status, swapped.body.code], [409, 'play_outdated'])
    const named = await ann.play(annSession, { playerId: 'bob', merchant: 'x' })
    assert.deepEqual([named.status, named.body.code], [400, 'validation_failed'])
    assert.equal((await bob.api.call('GET', '/players/bob')).body.playCount, 0)
  })

  test('a session planted in the browser before the sign-in is replaced at the sign-in', async () => {
    const person = await makeStaff(db, [])
    const evil = await signInAs(server, await makeStaff(db, []))
    const planted = evil.cookies.get('wheelhouse-session-8080') as string
    const browser = makeBrowser(server)
    browser.cookies.set('wheelhouse-session-8080', planted)
    const body = { email: person.email, password }
    assert.equal((await browser.call('POST', '/api/v1/session', { body })).status, 200)
    assert.notEqual(browser.cookies.get('wheelhouse-session-8080'), planted)
    const { staff } = (await evil.call('GET', '/api/v1/session')).body as any
    assert.notEqual(staff?.email, person.email)
  })

  test('no request body can pollute object prototypes', onLanding, async () => {
    const { token } = await makeMerchant(db)
    const operations = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
    const evil = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}'
    for (const { method, path, body } of operations.filter((one) => 'application/json' in one.body)) {
      const names = Object.keys(body['application/json']?.schema?.properties ?? {})
      const nested = names.map((name) => `,"${name}":{${evil}}`).join('')
      for (const text of [`{${evil}${nested}}`, `{"a":{${evil}}${nested}}`, `[{${evil}}]`]) {
        const answer = await callApi(server, token, method, path.replaceAll(/\{\w+\}/g, 'x'), {
          body: text,
          headers: { 'Idempotency-Key': randomUUID(), 'X-Forwarded-For': `10.0.${randomBytes(2).join('.')}` },
        })
        assert.ok(answer.status < 500, `${path}: ${answer.text}`)
      }
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    assert.equal(Object.keys(Object.prototype).length, 0)
  })

  test('no path escapes a static folder', async () => {
    const marks = [/"name": "wheelhouse"/, /root:.*:0:0/, /import .* from '/]
    const steps = ['..', '%2e%2e', '..%2f..', '%2e%2e%2f%2e%2e', '..%5c..', '....//', '.%00.', '%252e%252e']
    const files = ['package.json', 'src/main.ts', 'etc/passwd', '.env', '.git/config']
    for (const folder of ['/spinthewheel', '/spinthewheel/assets', '/console', '/console/assets', '/docs']) {
      for (const step of steps) {
        for (const file of files) {
          for (const depth of [1, 3, 6]) {
            const path = `${folder}/${`${step}/`.repeat(depth)}${file}`
            const answer = await rawGet(server, path)
            assert.match(answer, /^HTTP\/1\.1 [234]/, path)
            for (const mark of marks) assert.doesNotMatch(answer, mark, path)
          }
        }
      }
    }
  })

  test("a merchant's content carries no script: images are PNG, JPEG or WebP, links are https, texts are plain text", async () => {
    const api = await makeManagementApi(server)
    const pictures = [
      'data:image/svg+xml;base64,PHN2Zz4=',
      'javascript:alert(1)',
      'data:text/html;base64,PGI+',
      'https://evil.example/x.png',
    ]
    for (const image of pictures) {
      const answer = await api.call('PUT', '/wheels/main', alwaysWins({ image }))
      assert.equal(answer.status, 400, image)
    }
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', ' https://x.example']) {
      const answer = await api.call(
        'PUT',
        '/wheels/main',
        alwaysWins({ prize: { kind: 'link', url } as never }),
      )
      const published = answer.status === 200 ? await api.call('POST', '/wheels/main/publication') : answer
      assert.ok([400, 422].includes(published.status), `${url}: ${published.status}`)
    }
    // The pages insert texts through textContent or React; nothing in their sources writes HTML.
    for (const file of globSync('web/{game,console}/**/*.{ts,tsx,html}', { cwd: repository }).filter(
      (name) => !/\/dist[./]/.test(name),
    ))
      assert.doesNotMatch(
        read(file),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|\beval\(|new Function/,
        file,
      )
  })
})

async function rawGet({ url }: Server, path: string): Promise<string> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (data: string) => (text += data))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`)
  await new Promise((resolve) => socket.once('close', resolve).on('error', resolve))
  return text
}

test('no single address can take all connections, and a trusted proxy has a higher limit', async (t) => {
  for (const trusted of [[], ['10.0.0.0/8', '127.0.0.1']]) {
    const server = createServer((_request, response) => response.end('fine')).listen(0, '0.0.0.0')
    t.after(() => server.close())
    limitConnections(server, { perAddressMax: 3, trusted })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const idle = times(6, () => connect(port, '127.0.0.1').on('error', () => undefined))
    t.after(() => idle.forEach((socket) => socket.destroy()))
    const closed = new Set<unknown>()
    for (const socket of idle) socket.on('close', () => closed.add(socket)).resume()
    const ask = async (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      let text = ''
      socket.setEncoding('utf8').on('data', (data: string) => (text += data))
      await once(socket, 'close')
      return text.includes('fine')
    }
    if (trusted.length === 0) {
      await until(() => closed.size === 3)
      assert.equal(await ask('127.0.0.1'), false)
    } else assert.equal(await ask('127.0.0.1'), true)
    assert.equal(await ask('127.0.0.2'), true, 'another address is served')
    for (const socket of idle) socket.destroy()
    await until(async () => ask('127.0.0.1'))
  }
})

test('no regular expression takes long on any input that can reach it', onLanding, async (t) => {
  const server = await makeServer(t)
  const literal =
    /(?<=[=(,:!&|?[\s])\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s.,;)\]]|$)/gm
  const sources = globSync(['src/**/*.ts', 'web/game/**/*.ts', 'web/console/**/*.{ts,tsx}'], {
    cwd: repository,
  }).filter((file) => !/\/dist[./]/.test(file))
  const expressions = new Map<string, RegExp>()
  const add = (source: string, flags: string) => {
    try {
      expressions.set(`/${source}/${flags}`, new RegExp(source, flags.replace(/[gy]/g, '')))
    } catch {
      // A division, or a path in a comment.
    }
  }
  for (const file of sources)
    for (const [, source, flags] of read(file).matchAll(literal)) add(source as string, flags as string)
  const text = await (await fetch(`${server.url}/openapi.json`)).text()
  for (const [, pattern] of text.matchAll(/"pattern":("(?:\\.|[^"\\])*")/g))
    add(JSON.parse(pattern as string) as string, 'u')
  assert.ok(expressions.size > 60, `${expressions.size} expressions`)

  const pieces = [
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '-',
    '.',
    ',',
    '/',
    '=',
    '"',
    '\\',
    ':',
    ';',
    '%',
    '<',
    '(',
    '[',
    '+',
    '_',
    'é',
    '😀',
    'a-',
    'a.',
    'a,',
    '0.',
    '0:',
    'a=',
    '""',
    '\r\n',
    'a a',
    '/..',
    'select ',
  ]
  const evil = pieces.flatMap((piece) => {
    const many = piece.repeat(Math.ceil(4_096 / piece.length))
    return [`${many}\u0000`, `x${many}!`, `data:image/png;base64,${many}!`]
  })
  const context = vm.createContext({})
  for (const [name, expression] of expressions) {
    for (const input of evil) {
      Object.assign(context, { expression, input })
      // A thousand times the usual time. Catastrophic backtracking would take years.
      vm.runInContext('expression.test(input)', context, { timeout: 60_000, filename: name })
    }
  }
})

test('every comparison of secrets takes constant time', () => {
  const comparing = [
    'crypto/game-token',
    'crypto/frame-pass',
    'crypto/service-token',
    'crypto/password',
    'merchants/token-verifier',
  ]
  for (const file of comparing) assert.match(read(`src/${file}.ts`), /timingSafeEqual\(/, file)
  for (const file of globSync('src/**/*.ts', { cwd: repository }))
    assert.doesNotMatch(
      read(file),
      /(secret|signature|proof|digest|password)(Sha256|Hash)? [!=]==? (?!undefined|null|'')/i,
      file,
    )
})

test('every package has a permitted licence, and an SBOM can be generated', onLanding, () => {
  const fine = new Set([
    'MIT',
    'MIT-0',
    'ISC',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'BlueOak-1.0.0',
    'Python-2.0',
    'Unlicense',
    'CC0-1.0',
    'MPL-2.0',
    // Fonts.
    'OFL-1.1',
  ])
  type Packages = Record<string, { license?: string; link?: boolean }>
  const installed = ['.', 'scripts/lint', 'test/openapi-tools', 'test/smtp-server']
    .flatMap((folder) => {
      const lock = JSON.parse(read(join(folder, 'package-lock.json'))) as { packages: Packages }
      return Object.entries(lock.packages)
    })
    .filter(([name, { link }]) => name.includes('node_modules/') && link !== true)
  for (const [path, { license = 'none' }] of installed) {
    // It names its licence in the older field `licenses`: MIT.
    if (path === 'node_modules/reserved') continue
    const names = license.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)
    assert.ok(
      names.every((one) => fine.has(one)),
      `${path}: ${license}`,
    )
  }
  const bill = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    }),
  ) as { bomFormat: string; components: { name: string }[] }
  assert.equal(bill.bomFormat, 'CycloneDX')
  for (const used of ['fastify', 'pg-protocol'])
    assert.ok(
      bill.components.some(({ name }) => name === used),
      used,
    )
  assert.ok(!bill.components.some(({ name }) => name === 'vite'), 'build-time packages are left out')
})
