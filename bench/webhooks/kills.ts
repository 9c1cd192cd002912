import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBacklog } from '../../src/webhooks/tidy-webhooks.ts'
import type { Postgres } from '../scene/postgres.ts'
import { freePort } from '../scene/server-process.ts'
import { addWebhook, makeScene, program, type Scene, startReceiver } from './scene.ts'

/**
 * Grants arrive over HTTP and webhooks are sent, while the processes that do both are killed repeatedly with `kill -9`.
 * At the end every acknowledged grant must have reached the receiver, under one event id.
 */
export async function killRepeatedly(
  postgres: Postgres,
  { events, kills }: { events: number; kills: number },
) {
  const scene = await makeScene(postgres, 'webhook_kills')
  const [healthy, hanging] = [await startReceiver(), await startReceiver('--hang')]
  const servers = [await RestartableServer.start(scene), await RestartableServer.start(scene)]
  try {
    await addWebhook(scene, healthy.url)
    await addWebhook(scene, hanging.url)
    const granting = grantAll(scene, servers, events)
    let killed = 0
    for (; killed < kills; killed++) {
      const goal = (events / (kills + 1)) * (killed + 1)
      while (granting.done.length < goal) await sleep(20)
      await servers[killed % servers.length]?.killAndRestart()
    }
    await granting.over
    const deadline = Date.now() + 600_000
    let report = await healthy.ask('report')
    for (; ; report = await healthy.ask('report')) {
      const keys = new Set((await healthy.ask('keys')).keys)
      const missing = granting.done.filter((key) => !keys.has(key))
      const { waiting } = await readBacklog(scene.db)
      if (missing.length === 0) break
      if (Date.now() > deadline)
        throw new Error(`${missing.length} grants are missing, ${waiting} deliveries wait`)
      await sleep(500)
    }
    console.log(
      [
        `${events} grants over HTTP to two processes, killed with kill -9 ${killed} times in total:`,
        `  all arrived; ${report.requests - report.distinct} repeated deliveries under the same id; ${report.secondIds} under a second id`,
      ].join('\n'),
    )
    if (report.secondIds > 0) throw new Error('an event arrived under a second id')
  } finally {
    for (const server of servers) await server.end()
    healthy.stop()
    hanging.stop()
    await scene.db.close()
  }
}

/** Sends every grant, with its key, until it is acknowledged. */
function grantAll(scene: Scene, servers: readonly RestartableServer[], count: number) {
  const done: string[] = []
  let next = 0
  const client = async (clientNo: number) => {
    for (let number = next++; number < count; number = next++) {
      const key = `order-${number}`
      for (let tries = 0; !(await grant(scene, servers[(clientNo + tries) % servers.length], key)); tries++)
        await sleep(20)
      done.push(key)
    }
  }
  return { done, over: Promise.all(Array.from({ length: 48 }, (_, clientNo) => client(clientNo))) }
}

async function grant({ token }: Scene, server: RestartableServer | undefined, key: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${server?.port}/api/player/increaseSpin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: token, 'Idempotency-Key': key },
      body: JSON.stringify({ playerId: `player-${Number(key.slice(6)) % 1_000}`, spinNumber: 1 }),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // The server was killed, or is still starting. The key makes a retry safe.
    return false
  }
}

/** A server that can be killed and restarted on the same port. */
class RestartableServer {
  readonly port: number
  readonly #env: Record<string, string>
  #child: ChildProcess

  static async start(scene: Scene): Promise<RestartableServer> {
    return new RestartableServer(await freePort(), scene.env)
  }

  private constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.#env = env
    this.#child = this.#spawn()
  }

  #spawn(): ChildProcess {
    const env = { PATH: process.env.PATH, ...this.#env, PORT: String(this.port) }
    return spawn(program, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  async killAndRestart(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
    this.#child = this.#spawn()
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'exit')
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM')) await gone
  }
}
