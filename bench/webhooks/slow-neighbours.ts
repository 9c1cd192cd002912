import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import type { Postgres } from '../scene/postgres.ts'
import { residentBytes, startServer } from '../scene/server-process.ts'
import { addWebhook, fillLog, makeScene, program, type Scene, startReceiver } from './scene.ts'

const merchants = 4
const webhooksEach = 50
const delayMs = 9_000
const events = 240
const pauseMs = 250
const p99MaxMs = 2_000

/**
 * Four merchants have 50 webhooks each, all with a backlog, whose receiver answers 200 after nine seconds. A fifth
 * merchant has one webhook with a healthy receiver, and an event every quarter of a second: how late does each arrive?
 * The first ones come when the server has just started, and knows nothing of the receivers yet.
 */
export async function measureSlowNeighbours(postgres: Postgres): Promise<void> {
  const healthy = await makeScene(postgres, 'webhook_neighbours')
  const [quick, slow] = [await startReceiver('--latencies'), await startReceiver(`--delay=${delayMs}`)]
  try {
    for (let number = 0; number < merchants; number++) {
      const order = { slug: `slow-${number}`, name: 'Slow', now: new Date() }
      const neighbour = { ...healthy, merchant: await createMerchant(healthy.db, order) }
      for (let made = 0; made < webhooksEach; made++) await addWebhook(neighbour, `${slow.url}/${made}`)
      await fillLog(neighbour, 1_000, 100)
    }
    await addWebhook(healthy, quick.url)
    const server = await startServer([program, 'serve'], healthy.env)
    for (let told = 0; told < events; told++) {
      await grant(healthy, server.port)
      await sleep(pauseMs)
    }
    const deadline = Date.now() + 60_000
    while ((await quick.ask('report')).distinct < events && Date.now() < deadline) await sleep(200)
    const { latenciesMs } = await quick.ask('report')
    const { requests } = await slow.ask('report')
    const memory = Math.round(residentBytes(server.pid) / 2 ** 20)
    await server.stop()
    const sorted = latenciesMs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Infinity
    console.log(
      [
        `${merchants * webhooksEach} webhooks of ${merchants} merchants that answer after ${delayMs / 1000} s, and a healthy one of a fifth:`,
        `  ${sorted.length} of ${events} events arrived; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, the last ${at(1)} ms after they happened`,
        `  ${requests} requests to the slow ones meanwhile; memory of the server ${memory} MB`,
      ].join('\n'),
    )
    if (sorted.length < events || at(0.99) >= p99MaxMs)
      throw new Error(`a healthy webhook has to keep a p99 below ${p99MaxMs} ms`)
  } finally {
    quick.stop()
    slow.stop()
    await healthy.db.close()
  }
}

async function grant({ token }: Scene, port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/player/increaseSpin`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ playerId: 'alice', spinNumber: 1 }),
  })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a grant was answered with ${response.status}`)
}
