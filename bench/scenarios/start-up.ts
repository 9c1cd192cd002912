import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from '../contestants/wheelhouse.ts'
import { printTable, showRatio, spreadOf } from '../report.ts'
import { tracked } from '../scene/children.ts'
import { freePort } from '../scene/server-process.ts'
import type { Bench, Scenario } from './scenario.ts'

const startTimeoutMs = 120_000

/** The time from the command to the first answered grant, with an empty data folder and with an existing one. */
export const startUp: Scenario = {
  name: 'start-up',
  title: 'Start-up with the embedded PostgreSQL, until the first grant',
  seconds: (bench) => 10 * Math.min(3, bench.roundsAt(64)),
  async run(bench: Bench) {
    const cold: number[] = []
    const warm: number[] = []
    for (let round = 1; round <= Math.min(3, bench.roundsAt(64)); round++) {
      const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
      chmodSync(folder, 0o711)
      try {
        const first = await startOnce(bench, folder, undefined)
        cold.push(first.seconds)
        warm.push((await startOnce(bench, folder, first.token)).seconds)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
    console.log(`\n${startUp.title}`)
    const rows = [
      ['first start, empty folder', showRatio(spreadOf(cold))],
      ['later starts', showRatio(spreadOf(warm))],
    ]
    printTable(['', 'seconds'], rows)
  },
}

/** The first start prints the token of the demo merchant; later ones do not. */
async function startOnce(bench: Bench, folder: string, knownToken: string | undefined) {
  const port = await freePort()
  const startedAt = performance.now()
  const child = tracked(
    spawn(program, ['serve'], {
      cwd: tmpdir(),
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        PORT: String(port),
        METRICS_ADDRESS: 'off',
        ...bench.settings,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const gone = once(child, 'exit')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  try {
    while (performance.now() - startedAt < startTimeoutMs && child.exitCode === null) {
      const token = knownToken ?? /[a-z0-9-]+:[0-9a-f]{64}/.exec(output)?.[0]
      if (token !== undefined && (await grants(port, token)))
        return { token, seconds: (performance.now() - startedAt) / 1000 }
      await sleep(5)
    }
    throw new Error(`the server did not start:\n${output}`)
  } finally {
    child.kill('SIGTERM')
    await gone
  }
}

async function grants(port: number, token: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/player/increaseSpin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: token },
      body: '{"playerId":"first","spinNumber":1}',
    })
    return answer.status === 200
  } catch {
    // The server does not listen yet.
    return false
  }
}
