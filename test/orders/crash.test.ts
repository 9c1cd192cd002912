import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder, post, runCli, type ServerProcess, spawnServer, times, until } from '../scenes/scene.ts'
import { runsAll } from '../scenes/selection.ts'

type Sent = { key: string; playerId: string; answer: string | undefined }

/** Sends grants from eight clients until the server is gone, and records every response that arrived. */
function load(server: ServerProcess, token: string, round: string): { sent: Sent[]; over: Promise<unknown> } {
  const sent: Sent[] = []
  const over = Promise.all(
    times(8, async (client) => {
      for (let number = 0; number < 100_000; number++) {
        const one: Sent = {
          key: `${round}-${client}-${number}`,
          playerId: `player-${number % 5}`,
          answer: undefined,
        }
        sent.push(one)
        try {
          const answer = await grant(server.url, token, one)
          if (answer.status === 200) one.answer = JSON.stringify(answer.body)
        } catch {
          // The connection broke, so the result of this grant is unknown.
          return
        }
      }
    }),
  )
  return { sent, over }
}

function grant(url: string, token: string, { key, playerId }: Sent) {
  return post(
    `${url}/api/player/increaseSpin`,
    token,
    { playerId, spinNumber: 1 },
    { 'Idempotency-Key': key },
  )
}

test('kill -9 of the server, then of PostgreSQL too, under load loses nothing that was acknowledged', async (t) => {
  const env = { DATA_DIR: join(makeFolder(t), 'data') }
  const pidFile = join(env.DATA_DIR, 'embedded', 'postgres', 'postmaster.pid')
  let server = await spawnServer(t, env)
  const token = /demo-\w+:[0-9a-f]{64}/.exec(server.output())?.[0] ?? assert.fail('no token')
  const all: Sent[] = []
  const rounds = ['server and database', 'database under a living server', 'server']
  for (const round of runsAll ? rounds : rounds.slice(0, 2)) {
    const { sent, over } = load(server, token, round.replaceAll(' ', '-'))
    await until(() => sent.filter((one) => one.answer !== undefined).length > 200)
    const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (round.startsWith('server')) server.child.kill('SIGKILL')
    if (round.includes('database')) process.kill(postmaster, 'SIGKILL')
    if (round.startsWith('database')) {
      // The server restarts PostgreSQL and continues to answer; then it is stopped gracefully.
      const before = sent.filter((one) => one.answer !== undefined).length
      await until(() => sent.filter((one) => one.answer !== undefined).length > before + 200)
      server.child.kill('SIGTERM')
    }
    await over
    await server.stopped
    all.push(...sent)
    server = await spawnServer(t, env)
  }

  const repeat = async (one: Sent) => {
    const again = await grant(server.url, token, one)
    assert.equal(again.status, 200)
    if (one.answer === undefined) return
    assert.equal(again.headers.get('idempotent-replayed'), 'true', `${one.key} was acknowledged but is lost`)
    assert.equal(JSON.stringify(again.body), one.answer)
  }
  const left = all.values()
  await Promise.all(
    times(16, async () => {
      for (const one of left) await repeat(one)
    }),
  )
  const audit = await runCli(['audit', '--json'], env)
  assert.partialDeepStrictEqual(JSON.parse(audit.stdout), { players: 5, entries: all.length, findings: [] })
  server.child.kill('SIGTERM')
  await server.stopped
})
