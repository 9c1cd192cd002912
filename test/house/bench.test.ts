import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Driver } from '../../bench/driver/driver.ts'
import { startServer } from '../../bench/scene/server-process.ts'
import type { WorkSpec } from '../../bench/work/make-work.ts'
import { defer, type Lifetime, node, repository, until } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const token = 'bench-1:0'
/** One of the first four requests. They are sent concurrently, so it arrives however slow the machine is. */
const falsifiedNo = 3

/** A server that keeps balances; `spoil` can falsify a response. */
async function makePeer(
  t: Lifetime,
  falsify: (count: number, answer: { spinCount: number }, response: ServerResponse) => void = () => undefined,
): Promise<number> {
  const done = new Map<string, { playerId: string; spinCount: number }>()
  const balances = new Map<string, number>()
  let count = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { playerId, spinNumber } = JSON.parse(text) as { playerId: string; spinNumber: number }
      const key = `${String(request.headers['idempotency-key'])} ${playerId}`
      const before = done.get(key)
      const spinCount = (balances.get(playerId) ?? 0) + spinNumber
      const answer = before ?? { playerId, spinCount }
      if (before !== undefined) response.setHeader('Idempotent-Replayed', 'true')
      else balances.set(playerId, spinCount)
      done.set(key, answer)
      const sent = { ...answer }
      falsify(++count, sent, response)
      if (!response.destroyed) response.end(JSON.stringify(sent))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  defer(t, async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

async function runWork(t: Lifetime, port: number, spec: Partial<WorkSpec> = {}) {
  const driver = Driver.start()
  defer(t, () => driver.stop())
  const grants = { kind: 'grants', token, players: 50, balanceAtFirst: 0, seed: 1, isEcho: false }
  await driver.prepare('work', port, { ...grants, ...spec } as WorkSpec)
  await driver.closedLoop('work', { port, connections: 4, seconds: 0.5 })
  return driver.tally('work')
}

test('the bench counts correct responses, repeats included, and the grants they acknowledged', async (t) => {
  const tally = await runWork(t, await makePeer(t))
  assert.ok(tally.grants >= 4 && tally.spins >= tally.grants)
})

test('one wrong balance fails a bench run', async (t) => {
  const port = await makePeer(t, (count, answer) => {
    if (count === falsifiedNo) answer.spinCount += 1
  })
  await assert.rejects(runWork(t, port), /instead of/)
})

test('one lost response fails a bench run', async (t) => {
  const port = await makePeer(t, (count, _answer, response) => {
    if (count === falsifiedNo) response.destroy()
  })
  await assert.rejects(runWork(t, port), /an answer was lost/)
})

test('the same balance returned twice for one player fails a bench run', async (t) => {
  const port = await makePeer(t, (count, answer) => {
    if (count === falsifiedNo) answer.spinCount -= 1
  })
  await assert.rejects(runWork(t, port, { kind: 'one-player', player: 7 }), /answered twice/)
})

test(
  'a version that does not exist is refused in one sentence, before anything is started',
  onLanding,
  async () => {
    const args = [join(repository, 'bench', 'main.ts'), 'grants', '--before', 'no-such-version']
    const failed = await promisify(execFile)(node, args).then(
      () => assert.fail('the bench ran'),
      (error: { stdout: string; stderr: string }) => error,
    )
    assert.match(failed.stderr, /^--before no-such-version: [^\n]+\.\n$/)
    assert.equal(failed.stdout, '')
  },
)

test('a server that cannot be started is an error of the run, which then stops everything', async () => {
  await assert.rejects(startServer([join(repository, 'no-such-program')], {}), /no-such-program.*ENOENT/s)
})

test(
  'the bench runs a scenario against a peer and a commit, and finds every acknowledged grant in all databases',
  onLanding,
  async () => {
    const args = [
      'grants',
      '--peers',
      'transaction',
      '--before',
      'HEAD',
      '--connections',
      '4',
      '--rounds',
      '1',
      '--seconds',
      '0.2',
      '--players',
      '500',
    ]
    const bench = () => promisify(execFile)(node, [join(repository, 'bench', 'main.ts'), ...args])
    let stdout = ''
    // On a busy machine a server may refuse a request, which ends the bench.
    await until(() =>
      bench().then(
        (printed) => ((stdout = printed.stdout), true),
        ({ stderr }: { stderr: string }) => (assert.match(stderr, /"code":"overloaded"/), false),
      ),
    )
    assert.match(stdout, /wheelhouse +\d/)
    assert.match(stdout, /wheelhouse before +\d/)
    assert.match(stdout, /fastify, transaction +\d/)
  },
)
