// The log must not stop the game: not on a full disk, not on a closed pipe, not if nobody reads it.
import assert from 'node:assert/strict'
import { execFileSync, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { logBytesMax } from '../../src/limits.ts'
import { LogLines } from '../../src/log-lines.ts'
import {
  databaseUrl,
  defer,
  freePort,
  type Lifetime,
  main,
  makeDatabase,
  makeFolder,
  makeMerchant,
  node,
  post,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe(
  'a server goes on serving, tells of the lines that it drops, and stops at once',
  { concurrency: 2 },
  () => {
    test('on a full disk under the log', async (t) => {
      const full = openSync('/dev/full', 'w')
      defer(t, () => closeSync(full))
      const server = await spawnWithOutput(t, full)
      await assertServes(server, 'disk_full', /disk that standard output is written to is full/)
    })

    test('on a pipe whose reader is gone', onLanding, async (t) => {
      const server = await spawnWithOutput(t, 'pipe')
      server.child.stdout?.destroy()
      await assertServes(server, 'closed', /program that read standard output has ended/)
    })

    test('on a closed pipe, with several processes', onLanding, async (t) => {
      const server = await spawnWithOutput(t, 'pipe', { PROCESSES: '2' })
      server.child.stdout?.destroy()
      await assertServes(server, 'closed', /program that read standard output has ended/)
    })

    test('on a pipe that nobody reads', onLanding, async (t) => {
      const server = await spawnWithOutput(t, 'pipe')
      // More than fits into the pipe.
      for (const index of times(10, (number) => number))
        await Promise.all(times(50, () => server.grant(`player-${index}`)))
      server.child.kill('SIGTERM')
      assert.deepEqual(await server.exit, [0, null])
    })
  },
)

test('a reader of the log gets whole lines, and the number of those that it missed', async (t) => {
  const fifo = join(makeFolder(t), 'log')
  execFileSync('mkfifo', [fifo])
  const openReader = () => openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  let reader = openReader()
  const writer = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK)
  defer(t, () => closeSync(writer))
  const lines = new LogLines(writer)
  let seen = ''
  let missed = 0
  lines.onRecovery = (dropped) => (missed += dropped)
  const read = (bytesMax = 1024 * 1024) => {
    const piece = Buffer.alloc(bytesMax)
    try {
      seen += piece.toString('utf8', 0, readSync(reader, piece))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
    }
  }
  let written = 0
  const write = (count: number) => {
    for (let index = 0; index < count; index++)
      lines.write(`{"line":${written++},"text":"${'x'.repeat(1000)}"}\n`)
    lines.flush()
  }
  const drained = () => {
    lines.flush()
    read()
    return seen.includes(`{"line":${written - 1},`) && seen.endsWith('\n')
  }

  // Nobody reads: what does not fit into pipe and buffer is dropped.
  write(Math.ceil((2 * logBytesMax) / 1000))
  assert.ok(lines.dropped.blocked > 1000)
  assert.equal(lines.trouble, 'blocked')
  const beganAt = performance.now()
  lines.end()
  assert.ok(performance.now() - beganAt < 60_000, 'an exit does not wait for a reader that reads nothing')
  await soon(() => (lines.flush(), read(), missed > 0))
  write(1)
  await soon(drained)

  // The reader goes in the middle of a line, and another one comes.
  write(100)
  await soon(() => (lines.flush(), read(5_000), seen.includes(`{"line":${written - 95},`)))
  closeSync(reader)
  await soon(() => (lines.flush(), lines.trouble === 'closed'))
  write(3)
  await soon(() => lines.dropped.closed >= 3)
  reader = openReader()
  defer(t, () => closeSync(reader))
  write(2)
  await soon(drained)
  await soon(() => lines.trouble === undefined)
  assert.equal(missed, lines.dropped.blocked + lines.dropped.closed)
  const whole = seen.split('\n').filter((line) => line.endsWith('x"}'))
  for (const line of whole) JSON.parse(line)
  assert.equal(whole.length + missed, written)
})

/** Without pauses: the pipe takes little at a time. */
async function soon(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

type Spawned = Awaited<ReturnType<typeof spawnWithOutput>>

/** A server process with a merchant, whose standard output is the given one. */
async function spawnWithOutput(t: Lifetime, output: number | 'pipe', env: Record<string, string> = {}) {
  const { target, db } = await makeDatabase(t)
  const { token } = await makeMerchant(db)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const stdio: StdioOptions = ['ignore', output, 'inherit']
  const child = spawn(node, [main, 'serve'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl(target),
      PORT: String(port),
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      RATE_LIMIT_PER_SECOND: '100000',
      ...env,
    },
    stdio,
  })
  const exit = once(child, 'exit')
  defer(t, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
  })
  const url = `http://127.0.0.1:${port}`
  const ready = async (authorization?: string) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    const answer = await fetch(`${url}/readyz`, { headers }).catch(() => undefined)
    return answer?.ok === true ? ((await answer.json()) as Record<string, string>) : undefined
  }
  await until(async () => (await ready()) !== undefined || child.exitCode !== null)
  assert.equal(child.exitCode, null, 'the server has ended')
  const grant = async (playerId: string) => {
    const { status } = await post(`${url}/api/player/increaseSpin`, token, { playerId, spinNumber: 1 })
    assert.equal(status, 200)
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return { child, exit, token, ready, grant, metrics }
}

async function assertServes(server: Spawned, trouble: string, detail: RegExp): Promise<void> {
  const series = new RegExp(`^wheelhouse_log_lines_dropped_total\\{trouble="${trouble}"\\} [1-9]`, 'm')
  await until(async () => {
    await server.grant('ann')
    return series.test(await server.metrics())
  })
  await until(async () => detail.test((await server.ready(server.token))?.detail ?? ''))
  assert.deepEqual(await server.ready(), { status: 'ready' })
  assert.deepEqual(await server.ready(`${server.token.slice(0, -1)}g`), { status: 'ready' })
  await server.grant('ann')
  server.child.kill('SIGTERM')
  assert.deepEqual(await server.exit, [0, null])
}
