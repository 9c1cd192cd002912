// Sends requests to a real server, which fast-check generates from the OpenAPI document, and checks every answer.
import assert from 'node:assert/strict'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { Pool } from 'undici'
import { uploadCodes } from '../src/stock/code-pools.ts'
import { alwaysWins, type ManagementApi, makeManagementApi } from '../test/scenes/management-scene.ts'
import { post, type Server, times } from '../test/scenes/scene.ts'
import { makeStaff, signInAs } from '../test/scenes/staff-scene.ts'
import { type Operation, readDocument } from './api-document.ts'
import { type FuzzAnswer, problemsWith } from './judge.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'

/** The data of one round. `hidden` occurs only in data of the merchant that no request names, so it reveals a leak. */
type Fixture = {
  api: ManagementApi
  hidden: string
  origin: string
  ids: Record<string, string>
  cookies: string[]
  foreignToken: string
}

export type Tally = {
  requests: number
  rawExchanges: number
  byStatus: Record<string, number>
  reached: Set<string>
}

export type FuzzRun = {
  /** Sends about `requests` requests, all generated from the seed, and throws if any answer was wrong. */
  run: (options: { requests: number; seed: number; onRound?: (tally: Tally) => void }) => Promise<void>
  /** Sends mutated HTTP requests and random bytes. */
  runRaw: (options: { exchanges: number; seed: number }) => Promise<void>
  tally: Tally
  operations: Operation[]
  close: () => Promise<void>
}

const concurrency = 8
const batchSize = { minLength: concurrency, maxLength: concurrency }
const requestsPerRound = 2_000
const findingsMax = 30

/** Settings of the server under test: every request has an address of its own, and no webhooks are sent. */
export const fuzzSettings = {
  WEBHOOKS: 'off',
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  TRUST_PROXY: '127.0.0.1',
}

export async function makeFuzzRun(server: Server): Promise<FuzzRun> {
  const operations = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
  const pool = new Pool(server.url, { connections: 2 * concurrency })
  const tally: Tally = { requests: 0, rawExchanges: 0, byStatus: {}, reached: new Set() }
  const findings = new Map<string, string>()
  const keys = await server.ctx.db.query<{ secret: Buffer }>({
    name: '',
    text: 'select secret from signing_keys',
  })
  const keySecrets = keys.flatMap(({ secret }) => [secret.toString('hex'), secret.toString('base64url')])

  async function runRound(numRuns: number, seed: number): Promise<void> {
    const own = await makeFixture(server)
    const secrets = {
      everywhere: [...keySecrets, secretOf(own.api.token), secretOf(own.foreignToken)],
      foreign: own.hidden,
    }
    const check = async (request: FuzzRequest) => {
      const filled = fill(request, own)
      const answer = await send(pool, filled)
      tally.requests++
      const status =
        answer.status < 500
          ? answer.status
          : `${answer.status} ${codeOf(answer)} ${request.operation.operationId}`
      tally.byStatus[status] = (tally.byStatus[status] ?? 0) + 1
      if (answer.status < 300) tally.reached.add(request.operation.operationId)
      const problems = problemsWith(request, answer, { ...secrets, sent: filled.sent })
      // A refused request may be allowed by now. A claim of a prize that is already claimed is a replay and does
      // nothing.
      const isFirst = answer.headers['idempotent-replayed'] === undefined
      if (request.kind === 'repeated' && answer.status < 300 && isFirst) {
        const again = await send(pool, filled)
        tally.requests++
        if (again.status < 500 && comparable(request, again) !== comparable(request, answer))
          problems.push(`the repeat has a different answer: ${again.status} ${again.text.slice(0, 300)}`)
      }
      for (const problem of problems) addFinding(findings, { request, answer, problem })
    }
    const batches = fc.array(requestsOf(operations, Object.keys(own.ids)), batchSize)
    const details = await fc.check(
      fc.asyncProperty(batches, async (batch) => {
        await Promise.all(batch.map(check))
      }),
      { numRuns, seed, endOnFailure: true },
    )
    if (details.failed) throw details.errorInstance
  }

  return {
    tally,
    operations,
    run: async ({ requests, seed, onRound }) => {
      const earlier = findings.size
      for (let round = 0; round * requestsPerRound < requests; round++) {
        const count = Math.min(requestsPerRound, requests - round * requestsPerRound)
        await runRound(Math.ceil(count / concurrency), seed + round)
        onRound?.(tally)
      }
      assert.equal(findings.size, earlier, `seed ${seed}:\n${[...findings.values()].join('\n\n')}`)
    },
    runRaw: async ({ exchanges, seed }) => {
      const { token } = await makeManagementApi(server)
      const batches = fc.array(rawBytes(operations, token), batchSize)
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          await Promise.all(batch.map((bytes) => exchangeRaw(server, bytes, tally)))
          assert.equal((await fetch(`${server.url}/livez`)).status, 200)
        }),
        { numRuns: Math.ceil(exchanges / concurrency), seed, endOnFailure: true },
      )
    },
    close: () => pool.close(),
  }
}

/** Keeps one example for each operation and kind of problem. */
function addFinding(
  findings: Map<string, string>,
  { request, answer, problem }: { request: FuzzRequest; answer: FuzzAnswer; problem: string },
): void {
  const { operation, ...shown } = request
  const name = `${operation.operationId} ${problem.slice(0, 40)}`
  if (findings.has(name) || findings.size >= findingsMax) return
  const shownAnswer = `${answer.status} ${answer.type} ${answer.text.slice(0, 400)}`
  findings.set(
    name,
    `${operation.operationId}: ${problem}\n  ${JSON.stringify(shown).slice(0, 1_500)}\n  → ${shownAnswer}`,
  )
}

async function makeFixture(server: Server): Promise<Fixture> {
  const { db } = server.ctx
  const mark = randomBytes(6).toString('hex')
  const hidden = `hidden-${mark}`
  const scopes = ['spins', 'links', 'manage', 'events', 'prizes', 'read'] as const
  const [api, other] = [
    await makeManagementApi(server, { scopes: [...scopes] }),
    await makeManagementApi(server, { scopes: [...scopes] }),
  ]
  const { merchantId } = api.merchant
  const [playerId, poolName] = [`player-${mark}`, `p-${mark}`]
  await uploadCodes(db, { merchantId, pool: poolName }, [`${mark}-1`, `${hidden}-2`], new Date())
  await api.publish(alwaysWins({ label: `${hidden} mug`, stock: 1_000_000 }))
  await api.grant(hidden, 5)
  const play = await api.play(playerId)
  const issued = await api.call('POST', '/tokens', { name: `${hidden} token`, scopes: ['read'] })
  const url = `http://127.0.0.1:1/${mark}`
  const hook = await api.call('POST', '/webhooks', { url })
  const link = await post(`${server.url}/api/game/sso`, api.token, { playerId })
  const token = String(link.body.token)
  const opened = (await post(`${server.url}/api/v1/game/session`, undefined, { token })).body as any
  const staff = await makeStaff(db, [[api.merchant, 'owner']])
  // Many, since each request that signs out ends one session.
  const browsers = await Promise.all(times(40, () => signInAs(server, staff)))
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  return {
    api,
    hidden,
    origin: server.url,
    foreignToken: other.token,
    cookies: browsers.map((browser) =>
      [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    ),
    ids: {
      playerId,
      wheel: 'main',
      pool: poolName,
      playId: play.playId,
      code: `${mark}-1`,
      prizeId: 'mug',
      version: '1',
      tokenId: issued.body.tokenId,
      webhook: hook.body.webhookId,
      linkId: claims.jti,
      token,
      session: opened.session,
      commitment: opened.next.commitment,
      versionHash: opened.wheel.hash,
      hash: opened.wheel.hash,
      url,
    },
  }
}

type Filled = {
  request: FuzzRequest
  path: string
  headers: Record<string, string>
  body: string | undefined
  sent: string[]
}

/** Replaces placeholders with the ids of this round. */
function fill(request: FuzzRequest, own: Fixture): Filled {
  const ids: Record<string, string> = { ...own.ids, freshKey: randomUUID() }
  const sent: string[] = []
  const put = (text: string, write: (value: string) => string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = ids[name]
      if (value !== undefined) sent.push(value, encodeURIComponent(value))
      return value === undefined ? encodeURIComponent(whole) : write(value)
    })
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      // The HTTP client can't send other characters; `runRaw` sends them as raw bytes.
      put(value, (one) => one).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?'),
    ]),
  )
  return {
    request,
    path: put(request.path, encodeURIComponent),
    headers: { ...headers, ...credentials(request, own), 'x-forwarded-for': someAddress() },
    body:
      request.body === undefined ? undefined : put(request.body, (one) => JSON.stringify(one).slice(1, -1)),
    sent,
  }
}

function credentials({ operation, caller }: FuzzRequest, own: Fixture): Record<string, string> {
  if (caller === 'none' || operation.credential === 'none') return {}
  if (operation.credential === 'session')
    return caller === 'own'
      ? {
          cookie: own.cookies[randomInt(own.cookies.length)] as string,
          origin: own.origin,
          'sec-fetch-site': 'same-origin',
          'wheelhouse-merchant': own.api.merchant.slug,
        }
      : { cookie: `wheelhouse-session-8080=${randomBytes(32).toString('base64url')}` }
  if (caller === 'own') return { authorization: own.api.token }
  if (caller === 'foreign') return { authorization: own.foreignToken }
  return { authorization: own.api.token.replace(/.{8}$/, randomBytes(4).toString('hex')) }
}

function someAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}

function codeOf({ text }: FuzzAnswer): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? ''
}

function secretOf(token: string): string {
  return token.split(':')[1] as string
}

/** The part of an answer that a repeat must reproduce. */
function comparable({ operation }: FuzzRequest, { status, text, type }: FuzzAnswer): string {
  // A prize is shown in its current state: it may have been redeemed since it was claimed.
  if (operation.path.startsWith('/api/v1/prizes/') && status === 200) return 'the prize'
  if (!type.startsWith('application/problem+json')) return `${status} ${text}`
  const { requestId: _, ...rest } = JSON.parse(text) as Record<string, unknown>
  return `${status} ${JSON.stringify(rest)}`
}

async function send(pool: Pool, { request, path, headers, body }: Filled): Promise<FuzzAnswer> {
  const answer = await pool.request({
    method: request.operation.method,
    path,
    headers,
    body: body ?? null,
  })
  const type = String(answer.headers['content-type'] ?? '')
  const isEventStream = type.startsWith('text/event-stream')
  const text = isEventStream ? '' : await answer.body.text()
  if (isEventStream) answer.body.on('error', () => undefined).destroy()
  return { status: answer.statusCode, type, text, headers: answer.headers }
}

/** Random bytes, or a request in which a few bytes were changed, added or removed. */
function rawBytes(operations: readonly Operation[], token: string): fc.Arbitrary<Uint8Array> {
  const random = fc.uint8Array({ minLength: 1, maxLength: 500 })
  const request = fc.constantFrom(...operations).map((operation) => {
    const body = Object.keys(operation.body).length > 0 ? '{"playerId":"ann","spinNumber":1}' : ''
    const type = Object.keys(operation.body)[0]
    const lines = [
      `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, 'x')} HTTP/1.1`,
      'Host: test',
      `Authorization: ${token}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })
  const edits = fc.array(
    fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('put', 'add', 'cut')),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  const mutated = fc.tuple(request, edits).map(([bytes, changes]) => {
    const all = [...bytes]
    for (const [place, value, how] of changes)
      all.splice(
        place % all.length,
        how === 'add' ? 0 : how === 'put' ? 1 : 1 + (value % 9),
        ...(how === 'cut' ? [] : [value]),
      )
    return Uint8Array.from(all)
  })
  return fc.oneof({ weight: 1, arbitrary: random }, { weight: 4, arbitrary: mutated })
}

/** The server must answer in HTTP, without a 5xx, or close the connection. It must not leave it open unanswered. */
async function exchangeRaw(server: Server, bytes: Uint8Array, tally: Tally): Promise<void> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  let isSilent = false
  socket.setTimeout(60_000, () => {
    isSilent = true
    socket.destroy()
  })
  socket
    .setEncoding('latin1')
    .on('data', (text: string) => {
      received += text
      // An event stream does not end by itself.
      if (/content-type: text\/event-stream/i.test(received)) socket.destroy()
    })
    .on('error', () => socket.destroy())
    .on('end', () => socket.destroy())
  socket.end(bytes)
  await once(socket, 'close')
  tally.rawExchanges++
  const shown = `${JSON.stringify(Buffer.from(bytes).toString('latin1'))}\n→ ${received.slice(0, 500)}`
  assert.ok(!isSilent, `the server neither answered nor closed the connection: ${shown}`)
  assert.match(received, /^(HTTP\/1\.1 [2-4]\d\d |$)/, shown)
}
