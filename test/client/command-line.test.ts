import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { sampleData } from '../../packages/client/src/generated/sample-data.ts'
import { verifyWebhook } from '../../packages/client/src/index.ts'
import type { EventData } from '../../src/events/catalogue.ts'
import { checkPayload } from '../../src/events/check-payloads.ts'
import { eventTypes } from '../../src/events/event-types.ts'
import { amountOf, commitEvents } from '../scenes/event-scene.ts'
import { type Fault, makeLossyProxy } from '../scenes/lossy-proxy.ts'
import { makeReceiver } from '../scenes/receivers.ts'
import {
  defer,
  type Lifetime,
  main,
  makeFolder,
  makeMerchant,
  makeServer,
  node,
  post,
  repository,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const program = join(repository, 'packages', 'client', 'src', 'command-line', 'main.ts')

/** Runs a script of the command line, and collects its output as it comes. */
function start(t: Lifetime, script: string, args: string[], env: Record<string, string>) {
  const child = spawn(node, [script, ...args], { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env } })
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>
  defer(t, async () => {
    child.kill('SIGKILL')
    await ended
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return { child, ended, output }
}

test(
  'listen sends each event once and signed, over lost connections, and trigger signs a sample the same way',
  onLanding,
  async (t) => {
    const server = await makeServer(t)
    const { token } = await makeMerchant(server.ctx.db)
    const faults: Fault[] = [
      'none',
      'drop-answer',
      'none',
      'cut-answer',
      'bad-gateway',
      'none',
      'drop-request',
    ]
    let requests = 0
    const proxy = await makeLossyProxy(t, server.url, () => faults[requests++ % faults.length] as Fault)
    const receiver = await makeReceiver(t, (_, response) => {
      response.statusCode = receiver.received.length === 2 ? 500 : 200
      response.end('said the \u009breceiver')
    })
    const grant = (spinNumber: number) =>
      post(`${server.url}/api/player/increaseSpin`, token, { playerId: 'alice', spinNumber })
    await grant(9)
    const env = { WHEELHOUSE_TOKEN: token }
    const flags = ['--server', proxy.url, '--forward-to', receiver.url, '--types', 'spins.granted']
    // The grant before is in the log once it has a number.
    await until(async () => (await grantsIn(server.url, token)).length === 1)
    const { child, ended, output } = start(t, program, ['listen', ...flags], env)
    await until(() => output.stderr.includes('whsec_'))
    for (const number of [1, 2, 3]) {
      await grant(number)
      await until(() => receiver.received.length === number)
    }
    await until(() => output.stdout.split('\n').length > 4)
    child.kill('SIGINT')
    assert.deepEqual(await ended, [0, null])

    const secret = /whsec_\S+/.exec(output.stderr)?.[0] as string
    const verified = await Promise.all(receiver.received.map((request) => verifyWebhook(request, secret)))
    assert.deepEqual(
      verified.map(({ data }) => (data as EventData<'spins.granted'>).amount),
      [1, 2, 3],
    )
    assert.deepEqual(verified, (await grantsIn(server.url, token)).slice(1))
    const [first, second, third] = verified.map(({ seq }) => seq)
    assert.deepEqual(output.stdout.replaceAll(/^[\d:]{8} {2}|\d+(?= ms)/gm, '').split('\n'), [
      `${first}  spins.granted  200 in  ms`,
      `${second}  spins.granted  500 in  ms`,
      '  said the �receiver',
      `${third}  spins.granted  200 in  ms`,
      '',
    ])

    // The server's own command line has the command too, and needs no database for it.
    const sent = start(t, main, ['client', 'trigger', 'prize.won', '--forward-to', receiver.url], env)
    assert.deepEqual(await sent.ended, [0, null], sent.output.stderr)
    assert.match(sent.output.stdout, /^prize\.won {2}200 in \d+ ms\n$/)
    const sample = await verifyWebhook(receiver.received[3] as never, secret)
    assert.deepEqual([sample.seq, sample.merchant, sample.type], [0, 'test', 'prize.won'])
    checkPayload(sample)
  },
)

async function grantsIn(url: string, token: string): Promise<object[]> {
  const headers = { Authorization: token }
  const response = await fetch(`${url}/api/v1/events?types=spins.granted`, { headers })
  return ((await response.json()) as { events: object[] }).events
}

test('events shows the newest, filters them, and with --follow goes on until Ctrl-C', async (t) => {
  const server = await makeServer(t)
  const { merchant, token } = await makeMerchant(server.ctx.db)
  const { merchantId } = merchant
  const env = { WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: token }
  await commitEvents(server.ctx.db, [1, 30], { merchantId, playerId: 'esc\u009b31m' })
  await until(async () => (await grantsIn(server.url, token)).length === 30)
  const newest = start(t, program, ['events'], env)
  assert.deepEqual(await newest.ended, [0, null], newest.output.stderr)
  assert.equal(newest.output.stdout.trim().split('\n').length, 20)
  assert.match(newest.output.stdout, /spins\.granted {2}\{"playerId":"esc�31m","amount":30,/)

  const flags = ['--after', '0', '--types', 'spins.granted', '--follow', '--json']
  const { child, ended, output } = start(t, program, ['events', ...flags], env)
  const amounts = () =>
    [...output.stdout.matchAll(/^(.+)\n/gm)].map(([, line]) => amountOf(JSON.parse(line as string)))
  await until(() => amounts().length === 30)
  await commitEvents(server.ctx.db, [31, 31], { merchantId })
  await until(() => amounts().length === 31)
  child.kill('SIGINT')
  assert.deepEqual(await ended, [0, null])
  assert.deepEqual(
    amounts(),
    times(31, (index) => index + 1),
  )
})

test('there is a sample of every type of event, and it fits the catalogue', () => {
  assert.deepEqual(Object.keys(sampleData), [...eventTypes])
  for (const type of eventTypes) checkPayload({ type, data: sampleData[type] })
})

test('wrong arguments exit with 2, a refusal with 1, and each says what is wrong', async (t) => {
  const server = await makeServer(t)
  const { token } = await makeMerchant(server.ctx.db)
  const env = { WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: token }
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['dance'], env, 2, /there is no command "dance"/],
    [
      ['grant', 'alice', 'many'],
      env,
      2,
      /The number of spins is not a whole number[^]+Usage: wheelhouse-client grant/,
    ],
    [['player', 'alice'], { WHEELHOUSE_URL: server.url }, 2, /WHEELHOUSE_TOKEN/],
    [
      ['trigger', 'prize.lost', '--forward-to', 'http://127.0.0.1:1'],
      env,
      2,
      /The types are player\.created/,
    ],
    [['grant', 'alice', '0'], env, 1, /validation_failed[^]+\/spinNumber/],
    [['trigger', 'prize.won', '--forward-to', 'http://127.0.0.1:1/'], env, 1, /whsec_/],
  ]
  const runs = cases.map(([args, variables]) => start(t, program, args, variables))
  for (const [index, { ended, output }] of runs.entries()) {
    const [args, , code, complaint] = cases[index] as (typeof cases)[number]
    assert.deepEqual([args, await ended], [args, [code, null]], output.stderr)
    assert.match(output.stderr, complaint)
  }
})

test(
  'the examples of docs/client-command-line.md run in order and print what the page shows',
  onLanding,
  async (t) => {
    const text = readFileSync(join(repository, 'docs', 'client-command-line.md'), 'utf8')
    const examples = [...text.matchAll(/```sh\n([^]*?)```\n(?:\n```(?:json)?\n([^]*?)```)?/g)]
    assert.ok(examples.length >= 3)
    const server = await makeServer(t)
    const { token } = await makeMerchant(server.ctx.db)
    const env = { PATH: process.env.PATH, WHEELHOUSE_URL: server.url, WHEELHOUSE_TOKEN: token }
    const npx = `npx() { shift; '${node}' '${program}' "$@"; }\n`
    const cwd = makeFolder(t)
    for (const [, command, shown] of examples) {
      const { stdout } = await promisify(execFile)('bash', ['-euc', npx + command], { env, cwd })
      if (shown === undefined) assert.notEqual(stdout, '')
      else if (shown.startsWith('{')) assertLike(JSON.parse(stdout), JSON.parse(shown))
      else assert.equal(stdout, shown)
    }
  },
)

/** Equality, where a text that ends in … stands for all that begin like it. */
function assertLike(actual: Record<string, unknown>, shown: Record<string, unknown>): void {
  const filled = Object.entries(shown).map(([key, value]) => {
    const isOpen = typeof value === 'string' && value.endsWith('…')
    return [key, isOpen && String(actual[key]).startsWith(value.slice(0, -1)) ? actual[key] : value]
  })
  assert.deepEqual(actual, Object.fromEntries(filled))
}
