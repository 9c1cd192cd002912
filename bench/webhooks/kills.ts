import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBacklog } from '../../src/webhooks/tidy-webhooks.ts'
import type { Postgres } from '../scene/postgres.ts'
import { freePort } from '../scene/server-process.ts'
import { addWebhook, makeScene, program, type Scene, startReceiver } from './scene.ts'

/**
 * Grants come in over HTTP, webhooks go out, and the processes that do both are killed with -9 again and again. In the end
 * every grant that was acknowledged has arrived at the receiver, and under one event id.
 */
export async function killAgainAndAgain(
  postgres: Postgres,
  { events, kills }: { events: number; kills: number },
) {
  const scene = await makeScene(postgres, 'webhook_kills')
  const [healthy, hanging] = [await startReceiver(), await startReceiver('--hang')]
  const servers = [await Killable.start(scene), await Killable.start(scene)]
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
      if (Date.now() > deadline) throw new Error(`${missing.length} grants are missing, ${waiting} wait`)
      await sleep(500)
    }
    console.log(
      [
        `${events} grants over HTTP to two processes, killed with -9 ${killed} times in all:`,
        `  all arrived; ${report.requests - report.distinct} events came twice, under the same id; ${report.secondIds} under a second id`,
      ].join('\n'),
    )
    if (report.secondIds > 0) throw new Error('something came under a second id')
  } finally {
    for (const server of servers) await server.end()
    healthy.stop()
    hanging.stop()
    await scene.db.close()
  }
}

/** Sends every grant until it is acknowledged, however often, with its key. */
function grantAll(scene: Scene, servers: readonly Killable[], count: number) {
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

async function grant({ token }: Scene, server: Killable | undefined, key: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${server?.port}/api/player/increaseSpin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: token, 'Idempotency-Key': key },
      body: JSON.stringify({ playerId: `player-${Number(key.slice(6)) % 1_000}`, spinNumber: 1 }),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    // It was killed, or is not up yet. The key makes it safe to ask again.
    return false
  }
}

/** A server that is killed without a warning, and started again on the same port. */
class Killable {
  readonly port: number
  readonly #env: Record<string, string>
  #child: ChildProcess

  static async start(scene: Scene): Promise<Killable> {
    return new Killable(await freePort(), scene.env)
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
