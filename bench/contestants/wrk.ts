import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCommand } from '../scene/redis.ts'
import type { Contestant } from './contestant.ts'
import { bareHttp } from './peers.ts'

/** Bare http driven by wrk, which is written in C and checks no answers. The difference is the cost of our driver. */
export const bareHttpByWrk: Contestant = {
  name: 'bare http, driven by wrk',
  skipReason: () => (hasCommand('wrk') ? undefined : 'wrk is not installed (Debian: apt-get install wrk)'),
  async start(setup) {
    const server = await bareHttp.start(setup)
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
    const script = join(folder, 'grant.lua')
    writeFileSync(script, grantScript(server.token))
    return {
      ...server,
      name: bareHttpByWrk.name,
      async ownTurn({ connections, seconds }) {
        const whole = Math.max(1, Math.round(seconds))
        const flags = ['-t1', `-c${connections}`, `-d${whole}`, '--latency', '-s', script]
        const address = `http://127.0.0.1:${server.port}/api/player/increaseSpin`
        const { stdout } = await promisify(execFile)('wrk', [...flags, address])
        const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
        if (!(rate > 0) || stdout.includes('Non-2xx')) throw new Error(stdout)
        const at = (percent: number) => millis(new RegExp(`${percent}%\\s+([\\d.]+\\w+)`).exec(stdout)?.[1])
        const latency = { p50: at(50), p95: Number.NaN, p99: at(99), max: Number.NaN }
        return { answers: rate * whole, seconds: whole, latency, driverMicros: Number.NaN }
      },
      async stop() {
        await server.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

function grantScript(token: string): string {
  return `
wrk.method = "POST"
wrk.body = '{"playerId":"player-0000001","spinNumber":3}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "${token}"
wrk.headers["Idempotency-Key"] = "order-rs-100000001"
`
}

function millis(text: string | undefined): number {
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text ?? '') ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN)
}
