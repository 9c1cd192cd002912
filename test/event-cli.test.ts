import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { type PublicEvent } from './event-scene.ts'
import { amountOf, commitEvents } from './event-scene.ts'
import { databaseUrl, defer, main, makeDatabase, makeMerchant, node, runCli, times, until } from './scene.ts'

const lines = (text: string): PublicEvent[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PublicEvent)

test('events tail shows the newest events, numbers them if no server runs, and filters by type', async (t) => {
  const { db, target } = await makeDatabase(t)
  const env = { DATABASE_URL: databaseUrl(target) }
  const withoutMerchants = await runCli(['events', 'tail'], env)
  assert.deepEqual(
    [withoutMerchants.code, withoutMerchants.stderr],
    [1, 'wheelhouse: There are no merchants yet.\n'],
  )
  const { merchant } = await makeMerchant(db)
  const { merchantId, slug } = merchant
  await commitEvents(db, [1, 30], { merchantId, playerId: 'esc\u009b31m' })
  const text = await runCli(['events', 'tail'], env)
  assert.equal(text.code, 0, text.stderr)
  assert.equal(text.stdout.trim().split('\n').length, 20)
  assert.match(text.stdout, /spins\.granted {2}\{"playerId":"esc�31m","amount":30,/)
  const json = await runCli(
    ['events', 'tail', '--merchant', slug, '--after', '0', '--types', 'spins.granted', '--json'],
    env,
  )
  assert.deepEqual(
    lines(json.stdout).map(amountOf),
    times(30, (index) => index + 1),
  )
  assert.equal(lines(json.stdout)[0]?.merchant, slug)
  await makeMerchant(db)
  for (const [args, complaint] of [
    [[], /several merchants\. Name one with --merchant/],
    [['--merchant', 'nobody'], /no merchant with the id "nobody"/],
    [['--merchant', slug, '--types', 'cake'], /There is no type "cake"/],
    [['--merchant', slug, '--after', '100000'], /newest event has the number/],
  ] as const) {
    const refused = await runCli(['events', 'tail', ...args], env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, complaint)
  }
})

test('events tail --follow runs until Ctrl-C', async (t) => {
  const { db, target } = await makeDatabase(t)
  const { merchant } = await makeMerchant(db)
  const child = spawn(node, [main, 'events', 'tail', '--follow', '--json', '--types', 'spins.granted'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl(target) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const over = once(child, 'exit')
  defer(t, async () => {
    child.kill('SIGKILL')
    await over
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  for (const number of [1, 2, 3]) {
    await commitEvents(db, [number, number], { merchantId: merchant.merchantId })
    await until(() => lines(output).length === number)
  }
  child.kill('SIGINT')
  assert.deepEqual(await over, [0, null])
  assert.deepEqual(lines(output).map(amountOf), [1, 2, 3])
})
