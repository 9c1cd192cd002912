// The welcome text of a first start shows secrets that are stored only as hashes. Whatever fails, they are shown or not
// created.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import type pg from 'pg'
import type { DatabaseTarget } from '../../src/settings/database-url.ts'
import { findInvitation } from '../../src/staff/invitations.ts'
import {
  asSuperuser,
  databaseUrl,
  defer,
  freePort,
  type Lifetime,
  main,
  makeDatabase,
  makeEmptyDatabase,
  makeFolder,
  node,
  openTestDatabase,
  post,
  runCli,
  type ServerProcess,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('the first start', { concurrency: 3 }, () => {
  for (const processes of ['1', '2']) {
    test(
      `a start whose port is in use creates nothing, with PROCESSES=${processes}; the next start shows the welcome text`,
      onLanding,
      async (t) => {
        const { env, target } = await makeEmptyInstallation(t)
        const taken = createServer().listen(0, '127.0.0.1')
        await once(taken, 'listening')
        defer(t, () => taken.close())
        const { port } = taken.address() as { port: number }
        const settings = {
          ...env,
          PORT: String(port),
          PROCESSES: processes,
          LOG_LEVEL: 'warn',
          DATABSE_URL: 'x',
        }
        const failed = await runCli(['serve'], settings)
        assert.equal(failed.code, 1)
        assert.match(failed.stdout, /"level":"warn".*The environment has DATABSE_URL. Is DATABASE_URL meant/)
        assert.match(failed.stderr, /Can't listen on 127.0.0.1/)
        assert.deepEqual(await createdRows(target), { merchants: [], tokens: [], invitations: 0 })
        await assertWelcome(t, target, await spawnServer(t, { ...env, PROCESSES: processes }))
      },
    )
  }

  test('a start whose metrics address is in use creates nothing', onLanding, async (t) => {
    const { env, target } = await makeEmptyInstallation(t)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    defer(t, () => taken.close())
    const { port } = taken.address() as { port: number }
    const settings = { ...env, PORT: String(await freePort()), METRICS_ADDRESS: `127.0.0.1:${port}` }
    assert.equal((await runCli(['serve'], settings)).code, 1)
    await assertWelcome(t, target, await spawnServer(t, env))
  })

  test(
    'a start that cannot write to standard output fails with one sentence and creates nothing',
    onLanding,
    async (t) => {
      const { env, target } = await makeEmptyInstallation(t)
      const full = openSync('/dev/full', 'w')
      defer(t, () => closeSync(full))
      for (const stdout of [full, 'pipe'] as const) {
        const failed = await spawnUnready(t, env, stdout)
        failed.child.stdout?.destroy()
        await failed.stopped
        assert.equal(failed.child.exitCode, 1, failed.output())
        assert.match(
          failed.output(),
          /^wheelhouse: Can't write to standard output \([^\n]*(ENOSPC|EPIPE)[^\n]*\n$/,
        )
        assert.deepEqual(await createdRows(target), { merchants: [], tokens: [], invitations: 0 })
      }
      await assertWelcome(t, target, await spawnServer(t, env))
    },
  )

  test('a server killed between showing the token and committing leaves no token', onLanding, async (t) => {
    const { env, target } = await makeEmptyInstallation(t)
    await whileCommitsWait(target, async (client) => {
      const first = await spawnUnready(t, env)
      await until(() => tokenIn(first.output()) !== undefined)
      assert.doesNotMatch(first.output(), /is ready|curl/, 'the output does not report success too early')
      first.child.kill('SIGKILL')
      await first.stopped
      await endOthers(client, target)
    })
    await assertWelcome(t, target, await spawnServer(t, env))
  })

  test(
    'a database that dies between showing and committing fails the start, and the next start shows the welcome text',
    onLanding,
    async (t) => {
      const { env, target } = await makeEmptyInstallation(t)
      await whileCommitsWait(target, async (client) => {
        const first = await spawnUnready(t, env)
        await until(() => tokenIn(first.output()) !== undefined)
        await endOthers(client, target)
        await first.stopped
        assert.equal(first.child.exitCode, 1)
        assert.match(first.output(), /^wheelhouse: The database failed .* may not work/m)
        assert.doesNotMatch(first.output(), /is ready|^ +at /m)
      })
      await assertWelcome(t, target, await spawnServer(t, env))
    },
  )

  test(
    'of servers started concurrently on one database, exactly one shows the welcome text',
    onLanding,
    async (t) => {
      const { env, target } = await makeEmptyInstallation(t)
      const servers = await Promise.all(times(3, () => spawnServer(t, env)))
      const [shown, ...others] = servers.filter((server) => tokenIn(server.output()) !== undefined)
      assert.deepEqual(others, [])
      await assertWelcome(t, target, shown as ServerProcess)
    },
  )

  test('a link that was withdrawn before the first start is never made', onLanding, async (t) => {
    const { env } = await makeEmptyInstallation(t)
    const cli = async (...command: string[]): Promise<unknown> =>
      JSON.parse((await runCli(['staff', ...command, '--json'], env)).stdout)
    for (const withdrawn of [true, false]) assert.deepEqual(await cli('withdraw-first-link'), { withdrawn })
    const output = (await spawnServer(t, env)).output()
    assert.notEqual(tokenIn(output), undefined)
    assert.doesNotMatch(output, /welcome#/)
    assert.match(output, /^The link to the console was withdrawn\. /m)
    assert.deepEqual(await cli('list'), [])
  })

  test('a restore withdraws the link of the first start, and says so', onLanding, async (t) => {
    const { env } = await makeEmptyInstallation(t)
    const link = invitationIn((await spawnServer(t, env)).output())
    const taken = await runCli(['backup', '--json', '--to', makeFolder(t)], env)
    const { folder } = JSON.parse(taken.stdout) as { folder: string }
    const target = await makeEmptyDatabase(t)
    const { stdout } = await runCli(['restore', folder], { DATABASE_URL: databaseUrl(target) })
    assert.match(stdout, /^The link of the first start was still open, and is withdrawn\. /m)
    assert.equal(await findInvitation(openTestDatabase(t, target), link, new Date()), undefined)
  })
})

/** The settings of a server with a demo merchant and an empty database. */
async function makeEmptyInstallation(
  t: Lifetime,
): Promise<{ env: Record<string, string>; target: DatabaseTarget }> {
  const { target } = await makeDatabase(t)
  return {
    target,
    env: { DATABASE_URL: databaseUrl(target), DEMO: 'on', LOG_LEVEL: 'fatal', METRICS_ADDRESS: 'off' },
  }
}

/** The token and the link of the welcome text work, and there are no others. */
async function assertWelcome(t: Lifetime, target: DatabaseTarget, server: ServerProcess): Promise<void> {
  const token = tokenIn(server.output()) ?? assert.fail(server.output())
  const body = { playerId: 'alice', spinNumber: 5 }
  const { status } = await post(`${server.url}/api/player/increaseSpin`, token, body)
  assert.equal(status, 200)
  const found = await findInvitation(openTestDatabase(t, target), invitationIn(server.output()), new Date())
  assert.equal(found?.makesOperator, true)
  assert.deepEqual(await createdRows(target), {
    merchants: ['demo'],
    tokens: [token.split(':')[0]],
    invitations: 1,
  })
}

function tokenIn(output: string): string | undefined {
  return /^ {2}(demo-\w+:[0-9a-f]{64})$/m.exec(output)?.[1]
}

function invitationIn(output: string): string {
  return /\/console\/welcome#([\w-]+)/.exec(output)?.[1] ?? assert.fail(output)
}

async function createdRows({ database }: DatabaseTarget) {
  return asSuperuser(database, async (client) => {
    const column = async (query: string) =>
      (await client.query<{ value: unknown }>(query)).rows.map(({ value }) => value)
    return {
      merchants: await column('select slug as value from merchants'),
      tokens: await column('select token_id as value from service_tokens'),
      invitations: (await column('select invitation_id as value from staff_invitations')).length,
    }
  })
}

/** Runs `work` while every transaction that creates a token waits in its commit. */
async function whileCommitsWait(
  { database }: DatabaseTarget,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await asSuperuser(database, async (client) => {
    await client.query(`
      create function wait_in_commit() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(1); return null; end'`)
    await client.query(`
      create constraint trigger wait_in_commit after insert on service_tokens
      deferrable initially deferred for each row execute function wait_in_commit()`)
    await client.query('select pg_advisory_lock(1)')
    await work(client)
  })
}

/** Closes every other connection to the database, and waits until they are gone. */
async function endOthers(client: pg.Client, { database }: DatabaseTarget): Promise<void> {
  const others = 'from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()'
  await client.query(`select pg_terminate_backend(pid, 60000) ${others}`, [database])
}

/** Starts a server without waiting for it. */
async function spawnUnready(t: Lifetime, env: Record<string, string>, stdout: 'pipe' | number = 'pipe') {
  const child = spawn(node, [main, 'serve'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: String(await freePort()), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const stopped = once(child, 'close').then(() => undefined)
  defer(t, async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await stopped
  })
  return { child, output: () => output, stopped }
}
