import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { DatabaseFailure } from '../../src/db/database-fault.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  main,
  makeDatabase,
  makeEmptyDatabase,
  makeFolder,
  node,
  runCli,
  suiteLifetime,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

describe('an error on the command line', { concurrency: 4 }, () => {
  let env: Record<string, string>
  const lifetime = suiteLifetime()
  before(async () => {
    const { db, target } = await makeDatabase(lifetime)
    await createMerchant(db, { slug: 'acme', name: 'Acme', now: new Date() })
    env = { DATABASE_URL: databaseUrl(target) }
  })

  test('of the file system is one sentence with the path', onLanding, async (t) => {
    const folder = makeFolder(t)
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const missing = join(folder, 'missing', 'file')
    for (const [args, sentence] of [
      [['verify', missing], `There is no ${missing}, or its folder is missing.`],
      [['audit', '--metrics-file', missing], `There is no ${missing}.tmp, or its folder is missing.`],
      [['backup', '--to', file], `${file} is not a folder.`],
      [['backup', '--to', '/proc/backups/new'], 'The file system of /proc allows no new folders.'],
      [['backup', '--to', join(file, 'x')], `A part of the path ${join(file, 'x')} is not a folder.`],
      [['verify', folder], 'A file is needed, but the given path is a folder.'],
    ] as const)
      await assertSentence([...args], sentence)
  })

  test('of a full disk under standard output is one sentence', onLanding, async () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(node, [main, 'merchant', 'list'], {
      env: { ...env, PATH: process.env.PATH },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    assert.equal(status, 1)
    assert.match(stderr, /^wheelhouse: Can't write to standard output \([^\n]*ENOSPC[^\n]*\n$/)
  })

  test('of a folder without a database names it, and creates nothing', onLanding, async (t) => {
    const folder = makeFolder(t)
    const DATA_DIR = join(folder, 'data')
    const sentence = `There is no database in ${DATA_DIR}. Start the server there first, or set DATA_DIR to the folder that it uses.`
    for (const args of [['merchant', 'list'], ['backup'], ['token', 'issue', 'acme'], ['audit']])
      await assertSentence(args, sentence, { DATA_DIR })
    const { code, stdout } = await runCli(['doctor'], { DATA_DIR })
    assert.equal(code, 1)
    assert.ok(stdout.includes(sentence), stdout)
    assert.deepEqual(readdirSync(folder), [])
  })

  test('of a missing privilege is one sentence with the object', onLanding, async (t) => {
    const target = await makeEmptyDatabase(t)
    await asSuperuser('postgres', (client) =>
      client.query(`alter database ${target.database} owner to postgres`),
    )
    const denied = { DATABASE_URL: databaseUrl(target) }
    const sentence =
      "PostgreSQL does not allow this to Wheelhouse's role: permission denied for schema public."
    for (const command of ['migrate', 'serve']) await assertSentence([command], sentence, denied)
  })

  test('of the address to listen on names HOST if that is wrong', onLanding, async () => {
    for (const HOST of ['nosuch.invalid', '192.0.2.1']) {
      const port = await freePort()
      const settings = { ...env, HOST, PORT: String(port), METRICS_ADDRESS: 'off', LOG_LEVEL: 'warn' }
      const { code, stderr } = await runCli(['serve'], settings)
      assert.equal(code, 1)
      assert.match(
        stderr,
        new RegExp(
          `^wheelhouse: Can't listen on ${HOST}:${port} \\(.*\\)\\. Set HOST to an address of .*\\n$`,
        ),
      )
    }
  })

  test('that is a bug is printed with its stack', async (t) => {
    const { target } = await makeDatabase(t)
    await asSuperuser(target.database, (client) => client.query('drop table signing_keys'))
    const { code, stderr } = await runCli(['keys', 'list'], { DATABASE_URL: databaseUrl(target) })
    assert.equal(code, 1)
    const { name, stack } = JSON.parse(stderr.replace('wheelhouse: ', '')) as { name: string; stack: string }
    assert.equal(name, DatabaseFailure.name)
    assert.match(stack, /^ +at /m)
  })

  async function assertSentence(args: string[], sentence: string, settings = env): Promise<void> {
    const { code, stderr } = await runCli(args, settings)
    assert.equal(code, 1, args.join(' '))
    assert.ok(stderr.startsWith(`wheelhouse: ${sentence} `) || stderr === `wheelhouse: ${sentence}\n`, stderr)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
})
