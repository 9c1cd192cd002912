// Traces, as a real OTLP receiver sees them.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { spansWaitingMax } from '../../src/limits.ts'
import { makeLog } from '../../src/log.ts'
import { Tracing } from '../../src/tracing/tracing.ts'
import { makeReceiver, type Received } from '../scenes/receivers.ts'
import {
  databaseUrl,
  freePort,
  type Lifetime,
  makeDatabase,
  makeMerchant,
  makeServer,
  post,
  spawnServer,
  times,
  until,
  untilOutput,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

type Value = { stringValue?: string; intValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status: { code: number }
}
type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

/** An OTLP receiver, and the spans that it has received so far. */
async function makeCollector(t: Lifetime) {
  const receiver = await makeReceiver(t, (_, response) => void response.end('{}'))
  const spans = (): Span[] => receiver.received.flatMap(spansIn)
  const text = (): string => receiver.received.map(({ body }) => body).join('\n')
  return { endpoint: `http://127.0.0.1:${receiver.port}`, received: receiver.received, spans, text }
}

function spansIn({ body }: Received): Span[] {
  const { resourceSpans } = JSON.parse(body) as Export
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

const newId = (bytes: number): string => randomBytes(bytes).toString('hex')

type Caller = { traceId: string; spanId: string }

function newCaller(flags: '00' | '01'): Caller & { headers: { traceparent: string } } {
  const [traceId, spanId] = [newId(16), newId(8)]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

/** Fails unless the trace has a request below the caller's span, and a wait and a commit below the request. */
function expectGrant(spans: readonly Span[], { traceId, spanId }: Caller, route: string): Span {
  const own = spans.filter((span) => span.traceId === traceId)
  const [request, wait, commit] = [`POST ${route}`, 'batch wait', 'commit'].map((name) =>
    own.find((span) => span.name === name),
  ) as [Span, Span, Span]
  assert.equal(own.length, 3, JSON.stringify(own))
  assert.equal(request.parentSpanId, spanId)
  assert.equal(wait.parentSpanId, request.spanId)
  assert.equal(commit.parentSpanId, request.spanId)
  assert.equal(attributesOf(commit)['wheelhouse.batch.size'], 1)
  const moments = [request.startTimeUnixNano, wait.endTimeUnixNano, commit.endTimeUnixNano].map(Number)
  const inOrder = moments.toSorted((one, other) => one - other)
  assert.deepEqual(moments, inOrder)
  return request
}

describe('traces', { concurrency: 3 }, () => {
  const increaseSpin = '/api/player/increaseSpin'

  test(
    'a traced grant shows its wait and its commit to the caller, on every path through the server',
    onLanding,
    async (t) => {
      const collector = await makeCollector(t)
      const { target, db } = await makeDatabase(t)
      const { merchant, token } = await makeMerchant(db)
      const server = await spawnServer(t, {
        DATABASE_URL: databaseUrl(target),
        LOG_LEVEL: 'info',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
        OTEL_TRACES_SAMPLER_ARG: '0',
        OTEL_SERVICE_NAME: 'wheel',
      })
      const give = (headers: Record<string, string>, path = increaseSpin) =>
        post(`${server.url}${path}`, token, { playerId: 'a-secret-player', spinNumber: 1 }, headers)
      const [bare, framework, link, refused] = [
        newCaller('01'),
        newCaller('01'),
        newCaller('01'),
        newCaller('01'),
      ]
      const unsampled = newCaller('00')
      assert.equal((await give(bare.headers)).status, 200)
      assert.equal((await give({ ...framework.headers, cookie: 'a=b' })).status, 200)
      assert.equal((await give(link.headers, '/api/game/sso')).status, 200)
      const wrong = await post(`${server.url}${increaseSpin}`, token, { playerId: '' }, refused.headers)
      assert.equal(wrong.status, 400)
      await give(unsampled.headers)
      // Nobody but a merchant's server decides what is traced.
      const stranger = newCaller('01')
      await post(`${server.url}/api/v1/game/session`, undefined, { token: 'x' }, stranger.headers)
      await untilOutput(server, '/api/v1/game/session')

      server.child.kill('SIGTERM')
      await server.stopped
      const spans = collector.spans()
      const request = expectGrant(spans, bare, increaseSpin)
      expectGrant(spans, framework, increaseSpin)
      expectGrant(spans, link, '/api/game/sso')
      const { 'wheelhouse.request_id': requestId, ...facts } = attributesOf(request)
      assert.deepEqual(facts, {
        'http.request.method': 'POST',
        'http.route': increaseSpin,
        'http.response.status_code': 200,
        'wheelhouse.merchant': merchant.slug,
      })
      const refusal = spans.filter(({ traceId }) => traceId === refused.traceId)
      assert.deepEqual(
        refusal.map((span) => attributesOf(span)['wheelhouse.refusal']),
        ['validation_failed'],
      )
      assert.equal(spans.length, 10)
      assert.ok(!collector.text().includes('a-secret-player'))
      assert.match(collector.text(), /"service.name","value":\{"stringValue":"wheel"\}/)
      assert.equal(collector.received[0]?.headers.authorization, 'Bearer abc')
      const line =
        server
          .output()
          .split('\n')
          .find((text) => text.includes(bare.traceId)) ?? '{}'
      assert.deepEqual(
        [
          (JSON.parse(line) as Record<string, unknown>).requestId,
          server.output().includes(unsampled.traceId),
        ],
        [requestId, false],
      )
    },
  )

  test(
    'a traced webhook attempt gives its trace to the receiver, and a play shows its commit',
    onLanding,
    async (t) => {
      const collector = await makeCollector(t)
      const receiver = await makeReceiver(t, (_, response) => void response.writeHead(404).end())
      const server = await makeServer(t, {
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
          OTEL_TRACES_SAMPLER: 'traceidratio',
          OTEL_TRACES_SAMPLER_ARG: '1',
          WEBHOOK_ALLOW_HTTP: 'on',
          WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        },
      })
      const { token } = await makeMerchant(server.ctx.db)
      const types = ['spins.granted']
      await post(`${server.url}/api/v1/webhooks`, token, { url: receiver.url, types })
      // The ratio alone decides, not the caller.
      const caller = newCaller('00')
      await post(`${server.url}${increaseSpin}`, token, { playerId: 'ann', spinNumber: 1 }, caller.headers)
      await playOnce(server.url, token)
      await until(async () => {
        await server.ctx.tracing?.close()
        const names = collector.spans().map(({ name }) => name)
        // The span of a request may end after its answer has arrived.
        return names.includes('webhook attempt') && names.includes('POST /api/v1/game/plays')
      })
      const spans = collector.spans()
      // On a slow machine, the second attempt may have been made too.
      const attempt = spans.find(({ name }) => name === 'webhook attempt') as Span
      const [first] = receiver.received
      assert.equal(`00-${attempt.traceId}-${attempt.spanId}-01`, first?.headers.traceparent)
      assert.deepEqual([attributesOf(attempt)['http.response.status_code'], attempt.status.code], [404, 2])
      assert.equal(attributesOf(attempt)['wheelhouse.event.id'], first?.headers['webhook-id'])
      expectGrant(spans, caller, increaseSpin)
      const play = spans.find(({ name }) => name === 'POST /api/v1/game/plays')
      const parts = spans.filter(({ parentSpanId }) => parentSpanId === play?.spanId)
      assert.deepEqual(parts.map(({ name }) => name).toSorted(), ['batch wait', 'commit'])
    },
  )

  test('a receiver of traces that is down or silent costs spans and nothing else', onLanding, async (t) => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
    }
    const server = await makeServer(t, { env })
    const { token } = await makeMerchant(server.ctx.db)
    const give = () => post(`${server.url}${increaseSpin}`, token, { playerId: 'ann', spinNumber: 1 })
    assert.ok((await Promise.all(times(20, give))).every(({ status }) => status === 200))
    await server.ctx.tracing?.close()
    await until(() => server.ctx.tracing?.spanCounts.dropped === 60)

    const silent = await makeReceiver(t, () => undefined)
    const settings = {
      endpoint: `http://127.0.0.1:${silent.port}`,
      headers: {},
      ratio: 1,
      followsCaller: true,
    }
    const tracing = new Tracing({ ...settings, serviceName: 'wheelhouse' }, makeLog('silent'))
    const describeAttempt = () => ({
      merchant: 'm',
      host: 'h',
      eventId: randomUUID(),
      eventType: 'spins.granted',
    })
    for (let count = 0; count < spansWaitingMax + 5; count++) tracing.startAttempt(describeAttempt)?.end({})
    assert.deepEqual(tracing.spanCounts, { exported: 0, dropped: 5 })
    // The receiver never answers.
    await tracing.close()
    await until(() => tracing.spanCounts.dropped > 5)
  })
})

async function playOnce(url: string, token: string): Promise<void> {
  const link = await post(`${url}/api/game/sso`, token, { playerId: 'ann' })
  const { body } = await post(`${url}/api/v1/game/session`, undefined, { token: link.body.token })
  const { session, next, wheel } = body as {
    session: string
    next: { commitment: string }
    wheel: { hash: string }
  }
  const proof = { playerSeed: newId(32), commitment: next.commitment, versionHash: wheel.hash }
  const play = await post(`${url}/api/v1/game/plays`, undefined, { session, playId: randomUUID(), ...proof })
  assert.equal(play.status, 200, JSON.stringify(play.body))
}
