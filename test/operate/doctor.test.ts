// `wheelhouse doctor` names the cause of a problem, and the remedy for this cause.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  makeDatabase,
  makeDatabaseProxy,
  makeFolder,
  notOnCluster,
  runCli,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

type Finding = { check: string; state: string; finding: string }

async function examine(url: string, env: Record<string, string> = {}): Promise<Finding[]> {
  const { stdout } = await runCli(['doctor', '--json'], { DATABASE_URL: url, ...env })
  return JSON.parse(stdout) as Finding[]
}

test(
  'too many connections, TLS that is missing, dead hosts and a full disk each have a remedy of their own',
  { ...notOnCluster, ...onLanding },
  async (t) => {
    const { target } = await makeDatabase(t)
    const { database } = target
    const url = databaseUrl(target)
    const of = (findings: Finding[], check: string) =>
      findings.filter((one) => one.check === check).map(({ state, finding }) => `${state} ${finding}`)

    const proxy = await makeDatabaseProxy(t, target)
    const [encrypted] = of(await examine(`${databaseUrl(proxy.target)}?sslmode=require`), 'database')
    assert.match(encrypted ?? '', /^wrong .*does not support SSL.*ssl = on\); or remove sslmode/)

    const limit = (count: number) =>
      asSuperuser('postgres', (client) =>
        client.query(`alter database ${database} connection limit ${count}`),
      )
    await limit(0)
    const [crowded] = of(await examine(url), 'database')
    assert.match(crowded ?? '', /^wrong .*too many connections.* Raise max_connections .*DATABASE_POOL_MAX/)
    await limit(-1)

    const dead = await freePort()
    const both = url.replace(/@[^/]*\//, (hosts) => `@127.0.0.1:${dead},${hosts.slice(1)}`)
    const found = await examine(both)
    const [gone, used] = of(found, 'host')
    assert.match(gone ?? '', new RegExp(`^warning 127\\.0\\.0\\.1:${dead}: .*ECONNREFUSED.* Nothing listens`))
    assert.match(used ?? '', /^ok .* takes writes, and is in use$/)
    assert.match(of(found, 'backup')[0] ?? '', /^warning No backup was ever taken, and none is scheduled/)
    const nowhere = await examine(
      url.replace(/@[^/]*\//, `@127.0.0.1:${dead},127.0.0.1:${await freePort()}/`),
    )
    assert.deepEqual(
      of(nowhere, 'host').map((text) => /^wrong .*ECONNREFUSED/.test(text)),
      [true, true],
    )

    const to = join(makeFolder(t), 'elsewhere')
    assert.equal((await runCli(['backup', '--to', to], { DATABASE_URL: url })).code, 0)
    await asSuperuser(database, (client) =>
      client.query(`
      create function fill_disk() returns trigger language plpgsql
      as 'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end';
      create trigger full_disk before insert or update on work_positions for each row execute function fill_disk()`),
    )
    const full = await examine(url)
    assert.match(of(full, 'writes')[0] ?? '', /^wrong The disk of PostgreSQL is full\..*No space left/)
    assert.match(of(full, 'backup')[0] ?? '', /^ok no schedule .*one was taken at 20/)
  },
)

test('a folder for backups below /proc is refused with a sentence', async (t) => {
  const { target } = await makeDatabase(t)
  const refused = await runCli(['backup', '--to', '/proc/wheelhouse/backups'], {
    DATABASE_URL: databaseUrl(target),
  })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /^wheelhouse: The file system of \/proc allows no new folders\. Choose another path\.\n$/,
  )
})
