import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../scene/postgres.ts'
import {
  childrenMicros,
  freePort,
  processMicros,
  residentBytes,
  startServer,
} from '../scene/server-process.ts'
import { addWebhook, fillLog, makeScene, program, startReceiver } from './scene.ts'

/** How fast one process sends a full log to a healthy receiver beside two dead ones, and how much memory it takes. */
export async function measureRate(
  postgres: Postgres,
  { events, players }: { events: number; players: number },
) {
  const scene = await makeScene(postgres, 'webhook_rate')
  const [healthy, hanging] = [await startReceiver(), await startReceiver('--hang')]
  try {
    await addWebhook(scene, healthy.url)
    await addWebhook(scene, hanging.url)
    await addWebhook(scene, `http://127.0.0.1:${await freePort()}/`)
    await fillLog(scene, events, players)
    const server = await startServer([program, 'serve'], scene.env)
    const before = { server: processMicros(server.pid), database: childrenMicros(postgres.pid) }
    const startedAt = Date.now()
    let memoryMax = 0
    let report = await healthy.ask('report')
    while (report.distinct < events) {
      if (Date.now() - startedAt > 600_000) throw new Error(`only ${report.distinct} of ${events} arrived`)
      await sleep(200)
      memoryMax = Math.max(memoryMax, residentBytes(server.pid))
      report = await healthy.ask('report')
    }
    const micros = (now = 0, then = 0) => ((now - then) / events).toFixed(0)
    const dead = await hanging.ask('report')
    const seconds = (report.lastAt - report.firstAt) / 1000
    console.log(
      [
        `${events} events of ${players} players to a healthy receiver, beside one that hangs and one that refuses connections:`,
        `  ${Math.round(events / seconds)} events/s (${seconds.toFixed(1)} s)`,
        `  ${report.requests} requests, ${report.distinct} distinct, ${report.outOfOrder} out of their player's order`,
        `  ${dead.requests} requests to the receiver that hangs`,
        `  memory of the server: at most ${Math.round(memoryMax / 2 ** 20)} MB`,
        `  processor time per event: server ${micros(processMicros(server.pid), before.server)} µs, database ${micros(childrenMicros(postgres.pid), before.database)} µs`,
      ].join('\n'),
    )
    await server.stop()
    // There are a few more events than `events`: those of the merchant and its token.
    if (report.requests !== report.distinct || report.outOfOrder > 0)
      throw new Error('events arrived twice, or out of order')
  } finally {
    healthy.stop()
    hanging.stop()
    await scene.db.close()
  }
}
