// Starts of a server: what is wrong is said in words, and the first one prints what to do.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { inspect, promisify } from 'node:util'
import { ConfigError, parseConfig } from '../../src/config.ts'
import { databaseUrl, freePort, makeDatabase, makeFolder, runCli, spawnServer } from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

const bash = promisify(execFile)

describe('starting', { concurrency: 2 }, () => {
  test('all invalid settings are reported together, with exit code 1 and no stack trace', async () => {
    const wrong = {
      PORT: '0',
      HOST: 'a b',
      PUBLIC_URL: 'ftp://x',
      LOG_LEVEL: 'loud',
      DEMO: 'yes',
      METRICS_ADDRESS: 'x',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
      OTEL_TRACES_SAMPLER: 'always',
      OTEL_TRACES_SAMPLER_ARG: '1.1',
      TRUST_PROXY: 'me',
      RATE_LIMIT_PER_SECOND: '0',
      STOP_GRACE_SECONDS: '-1',
      DATABASE_URL: 'mysql://x',
    }
    const { code, stdout, stderr } = await runCli(['serve'], wrong)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      new RegExp(`^wheelhouse: The settings have ${Object.keys(wrong).length} mistakes:\n`),
    )
    for (const name of Object.keys(wrong)) assert.match(stderr, new RegExp(`^  - ${name} (must|has) `, 'm'))
    assert.doesNotMatch(stderr, /^\s+at /m)
  })

  test('the password in a wrong DATABASE_URL is not printed', async () => {
    const wrong = [
      'postgresql://me:PASSWORD@host:port/db',
      'postgresql://me:PASSWORD@host/db?sslmode=maybe',
      'postgresql://me:x/PASSWORD@host/db',
      'postgresql://me:x@PASSWORD@host/db?no=1',
      'postgresql://me:PASSWORD/x@host/db',
      'postgresql://me:%PASSWORD@host/db',
      'postgresql:/me:PASSWORD@host/db',
      'postgresql://me:x?PASSWORD@host/db',
      'host=db user=me password=PASSWORD dbname=x',
      "host=db user=me password = 'PASSWORD'",
      'postgresql://host/db?user=me&password=PASSWORD',
    ].map((url) => url.replaceAll('PASSWORD', 'zcanaryz'))
    for (const url of wrong)
      assert.throws(
        () => parseConfig({ DATABASE_URL: url }),
        (error) =>
          error instanceof ConfigError &&
          error.message.includes('DATABASE_URL') &&
          !inspect(error, { depth: null, showHidden: true }).includes('zcanaryz'),
        url,
      )
    const { code, stdout, stderr } = await runCli(['serve'], { DATABASE_URL: wrong[0] as string })
    assert.equal(code, 1)
    assert.match(stderr, /DATABASE_URL/)
    assert.doesNotMatch(stdout + stderr, /zcanaryz/)
  })

  test('a port in use is reported in one sentence', onLanding, async (t) => {
    const { target } = await makeDatabase(t)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.after(() => taken.close())
    const { port } = taken.address() as { port: number }
    const env = { DATABASE_URL: databaseUrl(target), LOG_LEVEL: 'warn', METRICS_ADDRESS: 'off' }
    for (const [setting, settings] of [
      ['PORT', { PORT: String(port) }],
      ['METRICS_ADDRESS', { PORT: String(await freePort()), METRICS_ADDRESS: `127.0.0.1:${port}` }],
    ] as const) {
      const { code, stdout, stderr } = await runCli(['serve'], { ...env, ...settings })
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(
        stderr,
        new RegExp(`^wheelhouse: Can't listen on 127.0.0.1:${port} .*Set ${setting} to another value.\n$`),
      )
    }
  })

  test(
    'the first start prints two commands that work as printed; the next prints no secret',
    onLanding,
    async (t) => {
      const env = { DATA_DIR: makeFolder(t), PORT: String(await freePort()) }
      const first = await spawnServer(t, env)
      const commands = first.output().match(/^ *curl .*$/gm) ?? []
      assert.equal(commands.length, 2)
      const [grant, link] = await Promise.all(
        commands.map(async (command) => JSON.parse((await bash('bash', ['-c', command])).stdout)),
      )
      assert.deepEqual(grant, { playerId: 'alice', spinCount: 5 })
      assert.equal(new URL(link.link).searchParams.get('token'), link.token)
      assert.equal((await fetch(link.link)).status, 200)
      first.child.kill('SIGTERM')
      await first.stopped
      assert.equal(first.child.exitCode, 0)
      const second = await spawnServer(t, env)
      assert.doesNotMatch(second.output(), /[0-9a-f]{64}/)
      assert.match(second.output(), /wheelhouse token issue <merchant>/)
      second.child.kill('SIGTERM')
      await second.stopped
    },
  )
})
