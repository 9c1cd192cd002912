// The operator's view: health, metrics, logs and stop.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { requestsInFlightMax, sameSignalMs } from '../../src/limits.ts'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  type Lifetime,
  makeDatabase,
  makeMerchant,
  makeServer,
  openTestDatabase,
  post,
  setDeadlines,
  spawnServer,
  times,
  until,
  untilOutput,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const increaseSpin = (url: string) => `${url}/api/player/increaseSpin`

/** A server process with a merchant. */
async function spawnWithMerchant(t: Lifetime, env: Record<string, string> = {}) {
  const { target, db } = await makeDatabase(t)
  const { merchant, token } = await makeMerchant(db)
  const server = await spawnServer(t, { DATABASE_URL: databaseUrl(target), ...env })
  return { ...server, target, db, merchant, token }
}

/** Blocks every grant for as long as `work` takes. */
async function whileGrantsWait<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return asSuperuser(database, async (client) => {
    await client.query('begin')
    await client.query('lock table players in exclusive mode')
    const result = await work(client)
    await client.query('commit')
    return result
  })
}

/** Not from pg_stat_activity, of which a transaction sees only one snapshot. */
async function waitingForLocks(client: pg.Client): Promise<number> {
  const found = await client.query<{ count: string }>(
    `select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
  )
  return Number(found.rows[0]?.count)
}

// One after the other: the deadlines of one would hold for the other.
describe('health', () => {
  test('a server is alive and ready, and not ready once its database is gone', async (t) => {
    const database = await makeDatabase(t)
    const server = await makeServer(t, { database })
    const ask = async (path: string) => {
      const response = await fetch(server.url + path)
      return [response.status, (await response.json()) as Record<string, string>] as const
    }
    assert.deepEqual(await ask('/livez'), [200, { status: 'alive' }])
    assert.deepEqual(await ask('/readyz'), [200, { status: 'ready' }])
    const { database: name } = database.target
    await asSuperuser(name, (client) =>
      client.query(`
        create table probes (at timestamptz);
        create function note_probe() returns trigger security definer language plpgsql
        as 'begin insert into probes values (now()); return new; end';
        create trigger note before insert or update on work_positions for each row
        when (new.work = 'write probe') execute function note_probe()`),
    )
    const askedAt = performance.now()
    await Promise.all(times(30, () => ask('/readyz')))
    const probes = await asSuperuser(name, (client) => client.query('select from probes'))
    const seconds = (performance.now() - askedAt) / 1000
    assert.ok((probes.rowCount ?? 0) <= 2 * (seconds + 1), `${probes.rowCount} writes in ${seconds} s`)
    await asSuperuser(name, (client) =>
      client.query(`
        create or replace function note_probe() returns trigger security definer language plpgsql
        as 'begin raise exception ''No space left on device'' using errcode = ''53100''; end'`),
    )
    await until(async () => (await ask('/readyz'))[1].status === 'disk full')
    await asSuperuser(name, (client) => client.query('drop function note_probe cascade'))
    const readOnly = (state: 'on' | 'off') =>
      `alter database ${name} set default_transaction_read_only = ${state}`
    await asSuperuser('postgres', async (client) => {
      await client.query(readOnly('on'))
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })
    await until(async () => (await ask('/readyz'))[1].status === 'database read-only')
    await asSuperuser('postgres', (client) => client.query(readOnly('off')))
    await until(async () => (await ask('/readyz'))[0] === 200)
    await asSuperuser('postgres', (client) => client.query(`drop database ${name} with (force)`))
    await until(async () => (await ask('/readyz'))[0] === 503)
    assert.equal((await ask('/readyz'))[1].status, 'database unavailable')
    assert.deepEqual(await ask('/livez'), [200, { status: 'alive' }])
    // An empty database is not enough.
    await asSuperuser('postgres', (client) => client.query(`create database ${name} owner wheelhouse`))
    await until(async () => (await ask('/readyz'))[1].status === 'writes fail')
    await migrate(database.db)
    await until(async () => (await ask('/readyz'))[0] === 200)
  })

  test('a request without a database gets a 503 and can be retried', async (t) => {
    const { target, db } = await makeDatabase(t)
    const { token } = await makeMerchant(db)
    setDeadlines(t, { operationMs: 5_000, connectMs: 3_000, queueWaitMs: 1_000 })
    const nobodyThere = { ...target, host: '127.0.0.1', port: await freePort() }
    const server = await makeServer(t, { database: { target, db: openTestDatabase(t, nobodyThere) } })
    const answer = await post(increaseSpin(server.url), token, { playerId: 'ann', spinNumber: 1 })
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.retryable],
      [503, 'database_unavailable', true],
    )
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal((await fetch(`${server.url}/readyz`)).status, 503)
  })
})

describe('observability', { concurrency: 2 }, () => {
  test('metrics have their own address', onLanding, async (t) => {
    const metricsPort = await freePort()
    const server = await spawnWithMerchant(t, { METRICS_ADDRESS: `127.0.0.1:${metricsPort}` })
    await post(increaseSpin(server.url), server.token, { playerId: 'ann', spinNumber: 1 })
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    const grants =
      /^wheelhouse_http_requests_total\{route="\/api\/player\/increaseSpin",method="POST",status="200"\} 1$/m
    for (const expected of [
      grants,
      /^wheelhouse_grants_total\{outcome="granted"\} 1$/m,
      /^wheelhouse_http_request_seconds_bucket\{/m,
      /^wheelhouse_http_requests_in_flight \d/m,
      /^wheelhouse_database_connections \d/m,
      /^wheelhouse_database_waiting \d/m,
    ])
      assert.match(text, expected)
    assert.equal((await fetch(`${server.url}/metrics`)).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/livez`)).status, 404)
  })

  test('every response has the security headers', async (t) => {
    const plain = await makeServer(t)
    const secure = await makeServer(t, { env: { PUBLIC_URL: 'https://wheel.example' } })
    const { token } = await makeMerchant(plain.ctx.db)
    const pages = ['/livez', '/nothing', '/docs/errors', '/openapi.json', '/spinthewheel/?token=x', '/%']
    const answers = [
      ...(await Promise.all(pages.map((path) => fetch(plain.url + path)))),
      await post(increaseSpin(plain.url), token, { playerId: 'ann', spinNumber: 1 }),
      await post(increaseSpin(plain.url), undefined, {}),
    ]
    for (const { headers } of answers) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors '(none|self)'/)
      assert.match(headers.get('x-request-id') ?? '', /\w/)
      assert.deepEqual([headers.get('server'), headers.get('x-powered-by')], [null, null])
      assert.equal(headers.get('strict-transport-security'), null)
    }
    const hsts = (await fetch(`${secure.url}/livez`)).headers.get('strict-transport-security')
    assert.match(hsts ?? '', /^max-age=\d{8}/)
  })

  test('the log has one line per request and no secret, even at the most verbose level', async (t) => {
    const server = await spawnWithMerchant(t, { LOG_LEVEL: 'trace' })
    const secret = server.token.split(':')[1] as string
    const canary = 'canary-4242424242424242-canary'
    const link = await post(`${server.url}/api/game/sso`, server.token, { playerId: canary, initialSpin: 1 })
    const gameToken = String(link.body.token)
    const grant = { playerId: canary, spinNumber: 1 }
    const headers = {
      'Idempotency-Key': canary,
      'X-Request-Id': canary,
      Cookie: canary,
      'User-Agent': canary,
    }
    const wrong = `${server.token.split(':')[0]}:${'0'.repeat(48)}${canary.replace(/\D/g, '')}`
    const get = async (path: string) => fetch(server.url + path, { headers: { Referer: gameToken } })
    const answers: { headers: Headers }[] = [
      link,
      await post(increaseSpin(server.url), server.token, grant, headers),
      await post(increaseSpin(server.url), wrong, grant),
      await post(increaseSpin(server.url), `Bearer ${server.token}`, grant),
      await post(increaseSpin(server.url), server.token, `{"${canary}`),
      await post(increaseSpin(server.url), server.token, { playerId: ` ${canary}`, spinNumber: canary }),
      await post(`${server.url}/api/v1/game/session`, undefined, { token: gameToken }),
      await post(`${server.url}/api/v1/game/session`, undefined, { token: `${gameToken}x` }),
      await get(`/spinthewheel/?token=${gameToken}`),
      await fetch(`${server.url}/spinthewheel?token=${gameToken}`, { redirect: 'manual' }),
      await get(`/spinthewheel/${gameToken}`),
      await get(`/${canary}/${server.token}?${canary}=${secret}`),
      await get(`/${secret}%zz`),
    ]
    const requestIds = answers.map((answer) => answer.headers.get('x-request-id'))
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.msg === 'request')
    await until(() => lines().length >= answers.length)
    server.child.kill('SIGTERM')
    await server.stopped
    assert.deepEqual(
      lines().map((line) => line.requestId),
      requestIds,
    )
    assert.ok(
      lines().every((line) => line.status !== undefined && line.path !== undefined && line.ms !== undefined),
    )
    for (const hidden of [
      secret,
      secret.slice(32),
      canary,
      canary.replace(/\D/g, ''),
      ...gameToken.split('.'),
    ])
      assert.ok(!server.output().includes(hidden), `${hidden} is in the log`)
  })
})

describe('stopping', { concurrency: 2 }, () => {
  test('SIGTERM lets all requests in flight finish, then exits at once with code 0', async (t) => {
    const server = await spawnWithMerchant(t, { STOP_GRACE_SECONDS: '120' })
    const agent = new Agent({ keepAlive: true })
    t.after(() => agent.destroy())
    let received = 0
    const grant = async (index: number) => {
      const headers = { Authorization: server.token, 'Content-Type': 'application/json' }
      const sent = httpRequest(increaseSpin(server.url), {
        method: 'POST',
        agent,
        headers: { ...headers, Expect: '100-continue' },
      })
      sent.flushHeaders()
      const answered = once(sent, 'response')
      await once(sent, 'continue')
      received += 1
      sent.end(JSON.stringify({ playerId: `player-${index}`, spinNumber: 1 }))
      const [answer] = await answered
      answer.resume()
      return answer.statusCode as number
    }
    assert.equal(await grant(0), 200, 'this connection is idle when the signal arrives')
    const answers = await whileGrantsWait(server.target.database, async (client) => {
      const inFlight = times(5, grant)
      await until(async () => received === 6 && (await waitingForLocks(client)) >= 1)
      server.child.kill('SIGTERM')
      await until(() =>
        fetch(`${server.url}/livez`).then(
          () => false,
          () => true,
        ),
      )
      return inFlight
    }).then((inFlight) => Promise.all(inFlight))
    const start = performance.now()
    assert.deepEqual(
      answers,
      times(5, () => 200),
    )
    await server.stopped
    assert.equal(server.child.exitCode, 0)
    assert.ok(performance.now() - start < 60_000, 'keep-alive connections do not delay the stop')
  })

  test('a hanging client delays a stop by at most STOP_GRACE_SECONDS', onLanding, async (t) => {
    const server = await spawnWithMerchant(t, { STOP_GRACE_SECONDS: '1' })
    const hanging = connect(Number(new URL(server.url).port), '127.0.0.1')
    t.after(() => hanging.destroy())
    let answered = ''
    hanging.on('error', () => undefined).on('data', (piece) => (answered += String(piece)))
    hanging.write(
      `POST /api/game/sso HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.token}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    )
    await fetch(`${server.url}/livez`)
    const start = performance.now()
    // As when its terminal is closed.
    server.child.kill('SIGHUP')
    await server.stopped
    assert.deepEqual([server.child.exitCode, server.child.signalCode], [0, null])
    assert.ok(performance.now() - start > 900)
    assert.equal(answered, '', 'without the limit, the server would wait until it can answer 408')
  })

  test(
    'with STOP_DELAY_SECONDS new requests are served after SIGTERM while /readyz reports not ready',
    onLanding,
    async (t) => {
      const server = await spawnWithMerchant(t, { STOP_DELAY_SECONDS: '600' })
      server.child.kill('SIGTERM')
      await until(async () => (await fetch(`${server.url}/readyz`)).status === 503)
      const body = { playerId: 'alice', spinNumber: 1 }
      const answer = await post(`${server.url}/api/player/increaseSpin`, server.token, body)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('connection'), 'close')
      await sleep(sameSignalMs + 50)
      server.child.kill('SIGTERM')
      await server.stopped
    },
  )

  test(
    'a later SIGTERM exits at once; one that comes with the first, as under npm, changes nothing',
    onLanding,
    async (t) => {
      const server = await spawnWithMerchant(t, { STOP_GRACE_SECONDS: '60', LOG_LEVEL: 'info' })
      const hanging = connect(Number(new URL(server.url).port), '127.0.0.1')
      t.after(() => hanging.destroy())
      hanging.on('error', () => undefined).write('POST /')
      await fetch(`${server.url}/livez`)
      server.child.kill('SIGTERM')
      await untilOutput(server, '"stopping"')
      server.child.kill('SIGTERM')
      await sleep(sameSignalMs + 50)
      assert.equal(server.child.signalCode, null)
      server.child.kill('SIGTERM')
      await until(() => server.child.signalCode !== null)
      assert.equal(server.child.signalCode, 'SIGKILL')
    },
  )
})

test('concurrent requests above the limit get a 503, and the others are served', async (t) => {
  const server = await spawnWithMerchant(t, {
    DATABASE_LOCK_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
  })
  const tooMany = 20
  const overloaded: Record<string, unknown>[] = []
  const grant = async (index: number) => {
    const answer = await post(increaseSpin(server.url), server.token, {
      playerId: `p-${index}`,
      spinNumber: 1,
    }).catch((error: unknown) => {
      // On a slow machine some requests are sent so slowly that they are cut.
      assert.match(String((error as Error).cause), /ECONNRESET|other side closed/)
    })
    if (answer?.body.code === 'overloaded')
      overloaded.push({ ...answer.body, after: answer.headers.get('retry-after') })
    return answer
  }
  const pending = await whileGrantsWait(server.target.database, async () => {
    const sent = times(requestsInFlightMax + tooMany, grant)
    await until(() => overloaded.length > 0)
    return { sent }
  })
  const answers = await Promise.all(pending.sent)
  const [first] = overloaded
  assert.deepEqual([first?.status, first?.retryable, first?.after], [503, true, '1'])
  // On a slow machine some requests reach their deadline, or arrive too slowly: they can be retried, too.
  const expected = ['overloaded', 'database_unavailable', 'request_timeout', undefined]
  assert.deepEqual(
    answers.filter((answer) => !expected.includes(answer?.body.code as string | undefined)),
    [],
  )
  await until(async () => (await grant(0))?.status === 200)
})
