// `npm run test:monitoring`: a server, a Prometheus that watches it, and every query of the dashboard and the alerts.
import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, startServer } from '../bench/scene/server-process.ts'
import { alerts } from '../src/monitoring/alerts.ts'
import { dashboardQueries } from '../src/monitoring/dashboard.ts'

const root = join(import.meta.dirname, '..')
const program = join(root, 'bin', 'wheelhouse')
const waitMsMax = 60_000

/** Takes webhooks and traces. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

async function startPrometheus(folder: string, metricsPort: number) {
  const port = await freePort()
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(root, 'deploy', 'monitoring', 'wheelhouse-alerts.yml')],
    scrape_configs: [{ job_name: 'wheelhouse', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  )
  child.once('error', (error) => console.error(`Prometheus can't be run: ${error.message}`))
  const ask = async (path: string): Promise<{ status: string; error?: string; data?: unknown }> =>
    (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json() as never
  return { ask, stop: () => child.kill() }
}

type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

/** A grant, a link, a play, a refusal and a webhook. */
async function useServer(url: string, token: string, receiver: string): Promise<void> {
  const post = async (path: string, body: object, headers: object = {}) => {
    const options = { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(url + path, {
      ...options,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return (await response.json()) as Record<string, never>
  }
  const own = { authorization: token }
  await post('/api/v1/webhooks', { url: receiver }, own)
  await post('/api/player/increaseSpin', { playerId: 'ann', spinNumber: 10 }, own)
  await post('/api/player/increaseSpin', { playerId: 'ann', spinNumber: 10 }, { authorization: 'wrong' })
  const link = await post('/api/game/sso', { playerId: 'ann' }, own)
  const { session, next, wheel } = await post('/api/v1/game/session', { token: link.token })
  const proof = { commitment: next?.['commitment'], versionHash: wheel?.['hash'] }
  const ids = { playId: randomUUID(), playerSeed: randomBytes(32).toString('hex') }
  await post('/api/v1/game/plays', { session, ...ids, ...proof })
}

/** Waits until the query has data, and returns the problem if it never has. */
async function problemOf({ ask }: Prometheus, query: string): Promise<string | undefined> {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const answer = await ask(`query?query=${encodeURIComponent(query)}`).catch((error: unknown) => ({
      status: 'down',
      error: String(error),
      data: undefined,
    }))
    if (answer.status === 'error') return answer.error
    const { result = [] } = (answer.data ?? {}) as { result?: unknown[] }
    if (result.length > 0) return undefined
    if (performance.now() > deadline) return 'has no data'
    await sleep(500)
  }
}

function queries(): { title: string; query: string }[] {
  const charts = dashboardQueries().map(({ title, expr }) => ({
    title,
    query: expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m'),
  }))
  // An alert has no data while all is well, but its metrics have.
  const names = new Set(
    alerts.flatMap(({ expr }) => expr.match(/\b(?:wheelhouse|process|nodejs)_\w+|\bup\b/g) ?? []),
  )
  const metrics = [...names].map((name) => ({ title: 'metric of an alert', query: name }))
  const rules = alerts.map(({ name, expr }) => ({ title: name, query: `count(${expr}) or vector(0)` }))
  return [...charts, ...metrics, ...rules]
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-monitoring-'))
// PostgreSQL runs as another user if we are root.
chmodSync(folder, 0o711)
const receiver = await startReceiver()
const metricsPort = await freePort()
const env = {
  DATA_DIR: join(folder, 'data'),
  METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_TRACES_SAMPLER_ARG: '1',
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}
const server = await startServer([program, 'serve'], env)
const prometheus = await startPrometheus(folder, metricsPort)
try {
  const issue = ['token', 'issue', 'demo', '--scopes', 'spins,links,manage', '--json']
  const { stdout } = await promisify(execFile)(program, issue, { env: { PATH: process.env.PATH, ...env } })
  const { token } = JSON.parse(stdout) as { token: string }
  await useServer(`http://127.0.0.1:${server.port}`, token, receiver.url)
  const problems: string[] = []
  for (const { title, query } of queries()) {
    const problem = await problemOf(prometheus, query)
    if (problem !== undefined) problems.push(`${title}: ${query}\n  ${problem}`)
  }
  console.log(problems.join('\n') || `${queries().length} queries work and have data.`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  prometheus.stop()
  receiver.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
