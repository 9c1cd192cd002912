// Sends what fast-check makes of the OpenAPI document to a real server, and judges every answer.
import assert from 'node:assert/strict'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { Pool } from 'undici'
import { uploadCodes } from '../src/stock/code-pools.ts'
import { alwaysWins, type Desk, makeDesk } from '../test/management-scene.ts'
import { post, type Server, times } from '../test/scene.ts'
import { makeStaff, signInAs } from '../test/staff-scene.ts'
import { type Operation, readDocument } from './api-document.ts'
import { type FuzzAnswer, problemsWith } from './judge.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'

/** What exists in one leg of a campaign. `hidden` is in things of the merchant that no request names. */
type Belongings = {
  desk: Desk
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

export type Campaign = {
  /** Sends about so many requests, all made from the seed, and throws if any answer was wrong. */
  run: (options: { requests: number; seed: number; onLeg?: (tally: Tally) => void }) => Promise<void>
  /** Sends bytes that are HTTP, almost HTTP, or nothing of the kind. */
  runRaw: (options: { exchanges: number; seed: number }) => Promise<void>
  tally: Tally
  operations: Operation[]
  close: () => Promise<void>
}

const atOnce = 8
const legRequests = 2_000
const findingsMax = 30

/** Settings that a server needs for it: every request has an address of its own, and webhooks lead nowhere. */
export const campaignSettings = {
  WEBHOOKS: 'off',
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  TRUST_PROXY: '127.0.0.1',
}

export async function makeCampaign(server: Server): Promise<Campaign> {
  const operations = readDocument(await (await fetch(`${server.url}/openapi.json`)).json())
  const pool = new Pool(server.url, { connections: 2 * atOnce })
  const tally: Tally = { requests: 0, rawExchanges: 0, byStatus: {}, reached: new Set() }
  const findings = new Map<string, string>()
  const keys = await server.ctx.db.query<{ secret: Buffer }>({
    name: '',
    text: 'select secret from signing_keys',
  })
  const keySecrets = keys.flatMap(({ secret }) => [secret.toString('hex'), secret.toString('base64url')])

  async function runLeg(numRuns: number, seed: number): Promise<void> {
    const own = await makeBelongings(server)
    const secrets = {
      everywhere: [...keySecrets, secretOf(own.desk.token), secretOf(own.foreignToken)],
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
      // What was refused may be allowed by now; what was done stays done. A claim of what is claimed already does nothing.
      const isFirst = answer.headers['idempotent-replayed'] === undefined
      if (request.kind === 'twice' && answer.status < 300 && isFirst) {
        const again = await send(pool, filled)
        tally.requests++
        if (again.status < 500 && essence(request, again) !== essence(request, answer))
          problems.push(`the repeat is answered otherwise: ${again.status} ${again.text.slice(0, 300)}`)
      }
      for (const problem of problems) note(findings, { request, answer, problem })
    }
    const batches = fc.array(requestsOf(operations, Object.keys(own.ids)), {
      minLength: atOnce,
      maxLength: atOnce,
    })
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
    run: async ({ requests, seed, onLeg }) => {
      const earlier = findings.size
      for (let leg = 0; leg * legRequests < requests; leg++) {
        const count = Math.min(legRequests, requests - leg * legRequests)
        await runLeg(Math.ceil(count / atOnce), seed + leg)
        onLeg?.(tally)
      }
      assert.equal(findings.size, earlier, `seed ${seed}:\n${[...findings.values()].join('\n\n')}`)
    },
    runRaw: async ({ exchanges, seed }) => {
      const { token } = await makeDesk(server)
      const batches = fc.array(rawBytes(operations, token), { minLength: atOnce, maxLength: atOnce })
      await fc.assert(
        fc.asyncProperty(batches, async (batch) => {
          await Promise.all(batch.map((bytes) => exchangeRaw(server, bytes, tally)))
          assert.equal((await fetch(`${server.url}/livez`)).status, 200)
        }),
        { numRuns: Math.ceil(exchanges / atOnce), seed, endOnFailure: true },
      )
    },
    close: () => pool.close(),
  }
}

/** One example for each operation and kind of problem. */
function note(
  findings: Map<string, string>,
  { request, answer, problem }: { request: FuzzRequest; answer: FuzzAnswer; problem: string },
): void {
  const { operation, ...shown } = request
  const name = `${operation.operationId} ${problem.slice(0, 40)}`
  if (findings.has(name) || findings.size >= findingsMax) return
  const told = `${answer.status} ${answer.type} ${answer.text.slice(0, 400)}`
  findings.set(
    name,
    `${operation.operationId}: ${problem}\n  ${JSON.stringify(shown).slice(0, 1_500)}\n  → ${told}`,
  )
}

async function makeBelongings(server: Server): Promise<Belongings> {
  const { db } = server.ctx
  const mark = randomBytes(6).toString('hex')
  const hidden = `hidden-${mark}`
  const scopes = ['spins', 'links', 'manage', 'events', 'prizes', 'read'] as const
  const [desk, other] = [
    await makeDesk(server, { scopes: [...scopes] }),
    await makeDesk(server, { scopes: [...scopes] }),
  ]
  const { merchantId } = desk.merchant
  const [playerId, poolName] = [`player-${mark}`, `p-${mark}`]
  await uploadCodes(db, { merchantId, pool: poolName }, [`${mark}-1`, `${hidden}-2`], new Date())
  await desk.publish(alwaysWins({ label: `${hidden} mug`, stock: 1_000_000 }))
  await desk.grant(hidden, 5)
  const play = await desk.play(playerId)
  const issued = await desk.call('POST', '/tokens', { name: `${hidden} token`, scopes: ['read'] })
  const url = `http://127.0.0.1:1/${mark}`
  const hook = await desk.call('POST', '/webhooks', { url })
  const link = await post(`${server.url}/api/game/sso`, desk.token, { playerId })
  const token = String(link.body.token)
  const opened = (await post(`${server.url}/api/v1/game/session`, undefined, { token })).body as any
  const staff = await makeStaff(db, [[desk.merchant, 'owner']])
  // Many, since whoever signs out has one less.
  const browsers = await Promise.all(times(40, () => signInAs(server, staff)))
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  return {
    desk,
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

/** Puts what exists into the places of the names. */
function fill(request: FuzzRequest, own: Belongings): Filled {
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
      // A client can't send the others; raw bytes can, and do.
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

function credentials({ operation, asker }: FuzzRequest, own: Belongings): Record<string, string> {
  if (asker === 'none' || operation.credential === 'none') return {}
  if (operation.credential === 'session')
    return asker === 'own'
      ? {
          cookie: own.cookies[randomInt(own.cookies.length)] as string,
          origin: own.origin,
          'sec-fetch-site': 'same-origin',
          'wheelhouse-merchant': own.desk.merchant.slug,
        }
      : { cookie: `wheelhouse-session-8080=${randomBytes(32).toString('base64url')}` }
  if (asker === 'own') return { authorization: own.desk.token }
  if (asker === 'foreign') return { authorization: own.foreignToken }
  return { authorization: own.desk.token.replace(/.{8}$/, randomBytes(4).toString('hex')) }
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

/** What a repeat must have in common with the first answer. */
function essence({ operation }: FuzzRequest, { status, text, type }: FuzzAnswer): string {
  // A prize is shown as it is now: it may have been redeemed since it was claimed.
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
  const isEndless = type.startsWith('text/event-stream')
  const text = isEndless ? '' : await answer.body.text()
  if (isEndless) answer.body.on('error', () => undefined).destroy()
  return { status: answer.statusCode, type, text, headers: answer.headers }
}

/** Nothing of the kind, or a request in which a few bytes were changed, doubled or left out. */
function rawBytes(operations: readonly Operation[], token: string): fc.Arbitrary<Uint8Array> {
  const nothing = fc.uint8Array({ minLength: 1, maxLength: 500 })
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
  const spoilt = fc.tuple(request, edits).map(([bytes, changes]) => {
    const all = [...bytes]
    for (const [place, value, how] of changes)
      all.splice(
        place % all.length,
        how === 'add' ? 0 : how === 'put' ? 1 : 1 + (value % 9),
        ...(how === 'cut' ? [] : [value]),
      )
    return Uint8Array.from(all)
  })
  return fc.oneof({ weight: 1, arbitrary: nothing }, { weight: 4, arbitrary: spoilt })
}

/** The server answers in HTTP, without a 5xx, or hangs up; it never falls silent. */
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
      // A stream of events has no end of its own.
      if (/content-type: text\/event-stream/i.test(received)) socket.destroy()
    })
    .on('error', () => socket.destroy())
    .on('end', () => socket.destroy())
  socket.end(bytes)
  await once(socket, 'close')
  tally.rawExchanges++
  const shown = `${JSON.stringify(Buffer.from(bytes).toString('latin1'))}\n→ ${received.slice(0, 500)}`
  assert.ok(!isSilent, `the server fell silent at ${shown}`)
  assert.match(received, /^(HTTP\/1\.1 [2-4]\d\d |$)/, shown)
}
