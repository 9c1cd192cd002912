import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { auditLedger } from '../../src/integrity/audit.ts'
import { type Database, statement } from '../../src/db/database.ts'
import { listBackups } from '../../src/db/backup/backup-folders.ts'
import { openBackup, writeManifest } from '../../src/db/backup/backup-manifest.ts'
import { BackupWorker } from '../../src/db/backup/backup-worker.ts'
import { connect } from '../../src/db/backup/connect.ts'
import { baselineVersion, newestVersion } from '../../src/db/migrations.ts'
import { checkBackup } from '../../src/db/backup/backup.ts'
import { clusterMaker, demoToken, grant, makeDataDir, stopAtTheEnd } from './embedded-scene.ts'
import {
  asSuperuser,
  databaseUrl,
  freePort,
  type Lifetime,
  main,
  makeDatabase,
  makeEmptyDatabase,
  makeFolder,
  makeServer,
  makeMerchant,
  node,
  openTestDatabase,
  repository,
  runCli,
  type ServerProcess,
  spawnServer,
  suiteLifetime,
  times,
  until,
  untilOutput,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

/** `npm run test:upgrade` runs these too. */
const long = { skip: process.env.OLD_POSTGRES === undefined ? 'takes longer: npm run test:upgrade' : false }

describe('backups of the embedded PostgreSQL', { concurrency: 4 }, () => {
  const makeCluster = clusterMaker()
  const lifetime = suiteLifetime()
  let dataDir: string
  let server: ServerProcess
  let token: string
  /** The commands of docs/backup.md, run in a folder like that of a reader. */
  let run: (command: string) => Promise<string>
  let folder: string
  /** A base backup that was taken under load, with the grants acknowledged before and by the end of it. */
  let backup: { folder: string; entriesBefore: number; entriesAfter: number }

  before(async () => {
    dataDir = makeCluster(lifetime)
    folder = makeFolder(lifetime)
    stopAtTheEnd(lifetime, join(folder, 'restored'))
    mkdirSync(join(folder, 'bin'))
    symlinkSync(join(repository, 'bin', 'wheelhouse'), join(folder, 'bin', 'wheelhouse'))
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
    run = async (command) =>
      (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, env })).stdout
    server = await spawnServer(lifetime, { DATA_DIR: dataDir })
    token = demoToken(server)
    const load = startLoad(server, token)
    await until(() => load.acknowledged() >= 100)
    const entriesBefore = load.acknowledged()
    await run(commandsInDocs()[0] ?? '')
    const entriesAfter = load.acknowledged()
    await load.stop()
    const [newest] = listBackups(join(folder, 'backups'))
    backup = { folder: newest?.folder ?? '', entriesBefore, entriesAfter }
    assert.ok(entriesAfter > entriesBefore, 'grants were acknowledged during the backup')
  })

  test(
    'a backup under load, restored as docs/backup.md says, has all that was acknowledged',
    onLanding,
    async (t) => {
      const env = { DATA_DIR: join(folder, 'restored') }
      const [, ...commands] = commandsInDocs()
      assert.equal(commands.length, 2)
      // The schedule keeps several backups, and one may be under way.
      for (const other of ['20200101T000000Z', '29990101T000000Z.unfinished-000000000000'])
        mkdirSync(join(folder, 'backups', `wheelhouse-${other}`))
      const output = (await Promise.all(commands.map(run))).join('')
      assert.match(output, /The audit found nothing wrong\./)
      assert.match(output, /^demo .*active/m)
      const entries = Number(/(\d+) ledger entries/.exec(output)?.[1])
      assert.ok(entries >= backup.entriesBefore && entries <= backup.entriesAfter + loadConcurrency, output)
      const again = await runCli(['restore', backup.folder], env)
      assert.equal(again.code, 1)
      assert.match(again.stderr, /^wheelhouse: \S+ has data already\. [^\n]+\n$/)

      const restored = await spawnServer(t, env)
      const repeated = await grant(restored, token, 'load-0-1')
      assert.equal(repeated.headers.get('Idempotent-Replayed'), 'true')
      assert.equal((await grant(restored, token, 'new')).body.spinCount, 5 * (entries + 1))
    },
  )

  test(
    'a damaged, incomplete or foreign backup is refused in one sentence, and nothing is changed',
    onLanding,
    async (t) => {
      const damages: Record<string, (copy: string) => void> = {
        'a changed byte in the archive': (copy) => changeByte(join(copy, 'base.tar.zst')),
        'a shorter archive': (copy) => truncateSync(join(copy, 'base.tar.zst'), 1_000_000),
        'a missing archive': (copy) => rmSync(join(copy, 'base.tar.zst')),
        "a changed byte in PostgreSQL's list": (copy) => changeByte(join(copy, 'backup_manifest')),
        'a changed description': (copy) => {
          const file = join(copy, 'wheelhouse.json')
          writeFileSync(file, readFileSync(file, 'utf8').replace(/"schema": \d+/, '"schema": 1'))
        },
        'no description': (copy) => rmSync(join(copy, 'wheelhouse.json')),
      }
      for (const [name, damage] of Object.entries(damages)) {
        const copy = join(makeFolder(t), 'copy')
        cpSync(backup.folder, copy, { recursive: true })
        damage(copy)
        const check = async () => checkBackup(await openBackup(copy, noKeys))
        await assert.rejects(check, { name: 'Mistake' }, name)
      }
      const copy = join(makeFolder(t), 'copy')
      cpSync(backup.folder, copy, { recursive: true })
      changeByte(join(copy, 'base.tar.zst'))
      const emptyDir = makeDataDir(t)
      const { code, stderr } = await runCli(['restore', copy], { DATA_DIR: emptyDir })
      assert.equal(code, 1)
      assert.match(stderr, /^wheelhouse: The backup is damaged: \S+ [^\n]+\n$/)
      assert.deepEqual(readdirSync(emptyDir), [])
    },
  )

  test(
    'a restore refuses a running server, and with --replace keeps the data from before',
    long,
    async (t) => {
      const running = await runCli(['restore', backup.folder, '--replace'], { DATA_DIR: dataDir })
      assert.match(
        running.stderr,
        /^wheelhouse: PostgreSQL runs on \S+ \(process \d+\)\. Stop its server first/,
      )
      const otherDir = makeCluster(t)
      const env = { DATA_DIR: otherDir }
      const { stdout } = await runCli(['restore', backup.folder, '--replace'], env)
      assert.match(stdout, /The data from before is kept in \S+\/postgres\. `wheelhouse upgrade confirm`/)
      assert.match((await runCli(['merchant', 'list'], env)).stdout, /^demo /m)
      await runCli(['upgrade', 'undo'], env)
      assert.match((await runCli(['merchant', 'list'], env)).stderr, /has no tables yet/)
    },
  )

  test('a killed backup is never taken for a whole one, and the next one removes it', long, async (t) => {
    const backupDir = makeFolder(t)
    const child = spawnCommand(['backup', '--to', backupDir], { DATA_DIR: dataDir })
    const unfinished = () => globSync(join(backupDir, '*.unfinished-*', 'base.tar.zst'))
    await killOnce(child, () => unfinished().length > 0)
    assert.equal(unfinished().length, 1)
    assert.equal(listBackups(backupDir).length, 0)
    // The lock ends with the connection, which PostgreSQL may notice a moment later.
    let next = { code: 1 as number | null, stdout: '' }
    await until(
      async () => (next = await runCli(['backup', '--to', backupDir], { DATA_DIR: dataDir })).code === 0,
    )
    assert.match(next.stdout, /^Removed \S+unfinished\S+, which an interrupted backup had left\./)
    assert.equal(unfinished().length, 0)
  })

  test('a killed restore leaves nothing that is used, and the next start removes it', long, async (t) => {
    const targetDir = makeDataDir(t)
    const child = spawnCommand(['restore', backup.folder], { DATA_DIR: targetDir })
    const half = () => globSync(join(targetDir, 'embedded', 'postgres-*.*', 'postmaster.pid'))
    await killOnce(child, () => half().length > 0)
    assert.ok(!existsSync(join(targetDir, 'embedded', 'current')))
    const next = await spawnServer(t, { DATA_DIR: targetDir })
    await untilOutput(next, 'removed what an interrupted restore or upgrade had left')
    assert.equal(half().length, 0)
  })
})

describe('portable backups', { concurrency: 2 }, () => {
  test('a backup of DATABASE_URL is restored into an empty database only', onLanding, async (t) => {
    const { target, token } = await makeFilledDatabase(t)
    const into = makeFolder(t)
    const taken = await runCli(['backup', '--json', '--to', into], { DATABASE_URL: databaseUrl(target) })
    const { folder } = JSON.parse(taken.stdout) as { folder: string }
    const refused = await runCli(['restore', folder], { DATABASE_URL: databaseUrl(target) })
    assert.match(refused.stderr, /^wheelhouse: The database is not empty\. [^\n]+\n$/)

    for (const [change, sentence] of [
      [1, /^wheelhouse: \S+ was taken by a newer Wheelhouse \(99\.0\.0\): [^\n]+\n$/],
      [
        baselineVersion - 1 - newestVersion(),
        /^wheelhouse: \S+ was taken by a Wheelhouse before 0\.3\.0 [^\n]+\n$/,
      ],
    ] as const) {
      const other = join(into, `other${change}`)
      cpSync(folder, other, { recursive: true })
      const { files, manifest } = await openBackup(other, noKeys)
      rmSync(join(other, 'wheelhouse.json'))
      await writeManifest(files, { ...manifest, schema: manifest.schema + change, wheelhouse: '99.0.0' })
      const checked = await runCli(['restore', '--check', other], {})
      assert.equal(checked.code, 1)
      assert.match(checked.stderr, sentence)
    }
    assert.equal((await runCli(['restore', '--check', folder], {})).code, 0)

    const empty = await makeEmptyDatabase(t)
    const replacing = await runCli(['restore', '--replace', folder], { DATABASE_URL: databaseUrl(empty) })
    assert.match(replacing.stderr, /^wheelhouse: --replace is for the embedded PostgreSQL, [^\n]+\n$/)
    const giveTo = (owner: string) => `alter database ${empty.database} owner to ${owner}`
    await asSuperuser('postgres', (client) => client.query(giveTo('postgres')))
    const denied = await runCli(['restore', folder], { DATABASE_URL: databaseUrl(empty) })
    assert.match(denied.stderr, /^wheelhouse: [^\n]*permission denied for schema public\. [^\n]+\n$/)
    await asSuperuser('postgres', (client) => client.query(giveTo('wheelhouse')))
    const { stdout, stderr } = await runCli(['restore', folder], { DATABASE_URL: databaseUrl(empty) })
    assert.equal(stderr, '')
    assert.match(stdout, /1 merchant, 1 player, 20 ledger entries/)
    const restored = openTestDatabase(t, empty)
    assert.deepEqual(await restored.query(countRows), [{ count: 5_000 }])
    assert.deepEqual((await auditLedger(restored)).findings, [])
    const second = await makeServer(t, { database: { target: empty, db: restored } })
    assert.equal((await grant(second, token, 'order-7')).headers.get('Idempotent-Replayed'), 'true')
    assert.equal((await grant(second, token, 'new')).body.spinCount, 105)
  })

  test(
    'an encrypted backup says nothing without the private key, and is restored whole with it',
    onLanding,
    async (t) => {
      const { target, db } = await makeFilledDatabase(t)
      const into = makeFolder(t)
      const [file, otherFile] = [join(into, 'key.txt'), join(into, 'other.txt')]
      const made = await runCli(['backup', 'key', '--json', file], {})
      await runCli(['backup', 'key', otherFile], {})
      const { recipient } = JSON.parse(made.stdout) as { recipient: string }
      const env = { DATABASE_URL: databaseUrl(target), BACKUP_RECIPIENTS: recipient }
      const taken = await runCli(['backup', '--json', '--to', into], env)
      const { folder } = JSON.parse(taken.stdout) as { folder: string }
      assertEncrypted(folder)

      const check = (keys: Record<string, string>) => runCli(['restore', '--check', folder], keys)
      assert.match(
        (await check({})).stderr,
        /^wheelhouse: The backup is encrypted to a public key\. [^\n]+\n$/,
      )
      const other = await check({ BACKUP_IDENTITY_FILE: otherFile })
      assert.match(other.stderr, /^wheelhouse: \S+ was encrypted to other public keys than that [^\n]+\n$/)
      const nowhere = await check({ BACKUP_IDENTITY_FILE: join(into, 'gone.txt') })
      assert.match(
        nowhere.stderr,
        /^wheelhouse: The file of BACKUP_IDENTITY_FILE can't be read: ENOENT[^\n]+\n$/,
      )
      const key = { BACKUP_IDENTITY_FILE: file }
      assert.match((await check(key)).stdout, /^The backup is whole\./)
      const later = await runCli(['restore', '--until', '2026-11-16T08:00:00Z', folder], key)
      assert.match(later.stderr, /^wheelhouse: A backup is restored as of its own time\. [^\n]+\n$/)
      const empty = await makeEmptyDatabase(t)
      const restored = await runCli(['restore', folder], { ...key, DATABASE_URL: databaseUrl(empty) })
      assert.match(restored.stdout, /The audit found nothing wrong\./)
      assert.deepEqual(await contentsOf(openTestDatabase(t, empty)), await contentsOf(db))

      const [players, plays] = [join(folder, 'players.copy.zst.age'), join(folder, 'plays.copy.zst.age')]
      cpSync(players, plays)
      assert.match(
        (await check(key)).stderr,
        /^wheelhouse: The backup is damaged: \S+plays\.copy\.zst\.age is not/,
      )
      for (const name of ['plays.copy.zst.age', 'key.age']) {
        rmSync(join(folder, name))
        const missing = new RegExp(
          `^wheelhouse: The backup is damaged: its file \\S+/${name} is missing\\. [^\n]+\n$`,
        )
        assert.match((await check(key)).stderr, missing)
      }
    },
  )

  test(
    'on a schedule one of two processes takes a backup, and old ones go once a new one is checked',
    onLanding,
    async (t) => {
      const { target, db } = await makeDatabase(t)
      const into = join(makeFolder(t), 'backups')
      let now = new Date('2026-11-16T08:00:00Z')
      const troubles: unknown[] = []
      const makeWorker = () =>
        new BackupWorker({
          db,
          into,
          everyHours: 6,
          keep: 2,
          isWatching: false,
          source: () => ({ kind: 'portable', targets: [target] }),
          lock: { passphrase },
          now: () => now,
          onBackup: () => undefined,
          onTrouble: (error) => troubles.push(error),
          onNewest: (startedAt) => reported.push(startedAt?.toISOString().slice(11, 13)),
        })
      const reported: unknown[] = []
      const workers = [makeWorker(), makeWorker()]
      const look = () => Promise.allSettled(workers.map((worker) => worker.look()))
      const hours = () => listBackups(into).map(({ manifest }) => manifest.startedAt.slice(11, 13))
      await look()
      assert.deepEqual(hours(), ['08'])
      now = new Date('2026-11-16T13:59:00Z')
      await look()
      assert.deepEqual(hours(), ['08'])
      for (const hour of ['14', '20']) {
        now = new Date(`2026-11-16T${hour}:00:00Z`)
        await look()
      }
      assert.deepEqual(hours(), ['20', '14'])
      // They are encrypted with the passphrase of the schedule, and no other opens them.
      const [newest] = listBackups(into)
      assert.ok(newest !== undefined)
      assertEncrypted(newest.folder)
      const unlock = (given: string) => openBackup(newest.folder, { ...noKeys, passphrase: given })
      await checkBackup(await unlock(passphrase))
      await assert.rejects(
        unlock('another passphrase'),
        /^Mistake: The passphrase is wrong: \S+ was encrypted/,
      )
      await assert.rejects(unlock(''), /^Mistake: The backup is encrypted with a passphrase\./)
      // The age of the newest backup is known before the next one is tried.
      assert.deepEqual([reported[0], reported.includes('08'), reported.at(-1)], [undefined, true, '20'])
    },
  )

  test('a backup comes from the host that takes writes, as with a server', async (t) => {
    const [standby, primary] = [await makeEmptyDatabase(t), await makeEmptyDatabase(t)]
    await asSuperuser('postgres', (client) =>
      client.query(`alter database ${standby.database} set default_transaction_read_only = on`),
    )
    const dead = { ...primary, host: '127.0.0.1', port: await freePort() }
    const client = await connect([dead, standby, primary])
    const { rows } = await client.query('select current_database() as name')
    await client.end()
    assert.deepEqual(rows, [{ name: primary.database }])
    await assert.rejects(connect([dead, standby]), /No host takes writes/)
  })
})

const passphrase = 'correct horse battery staple'
const noKeys = { passphrase: '', identityFile: '' }

/** A database with a merchant and 20 grants. */
async function makeFilledDatabase(t: Lifetime) {
  const { target, db } = await makeDatabase(t)
  const { token } = await makeMerchant(db)
  const server = await makeServer(t, { database: { target, db } })
  await Promise.all(times(20, (index) => grant(server, token, `order-${index}`)))
  // More rows than fit into one message of the connection.
  await db.query(manyRows)
  return { target, db, token }
}

/** Every file is one of age, but for the outline, which has no figures of the merchants. */
function assertEncrypted(folder: string): void {
  const names = readdirSync(folder)
  assert.ok(names.length > 3)
  for (const name of names.filter((one) => one !== 'wheelhouse.json')) {
    assert.ok(name.endsWith('.age'), name)
    assert.match(readFileSync(join(folder, name), 'latin1'), /^age-encryption\.org\/v1\n/)
  }
  const outline = JSON.parse(readFileSync(join(folder, 'wheelhouse.json'), 'utf8')) as Record<string, unknown>
  assert.deepEqual(
    ['merchants', 'contents', 'files'].filter((name) => name in outline),
    [],
  )
}

/** The rows of tables that a running server does not change by itself. */
async function contentsOf(db: Database): Promise<unknown[]> {
  const names = ['merchants', 'players', 'ledger_entries', 'revoked_links', 'service_tokens', 'signing_keys']
  return Promise.all(names.map((name) => db.query(statement(`select * from ${name} order by 1, 2, 3`))))
}

function commandsInDocs(): string[] {
  const text = readFileSync(join(repository, 'docs', 'backup.md'), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command as string)
}

const manyRows = statement(`
insert into revoked_links (merchant_id, link_id, revoked_at)
select merchant_id, 'link-' || number, now()
from merchants, generate_series(1, 5000) as number`)

const countRows = statement<{ count: number }>('select count(*) from revoked_links')

const loadConcurrency = 4

/** Grants spins to one player, several at a time, until it is stopped. */
function startLoad(server: ServerProcess, token: string) {
  let count = 0
  const stopping = new AbortController()
  const workers = times(loadConcurrency, async (worker) => {
    for (let number = 1; !stopping.signal.aborted; number++) {
      const answer = await grant(server, token, `load-${worker}-${number}`)
      assert.equal(answer.status, 200)
      count++
    }
  })
  return {
    acknowledged: () => count,
    stop: async () => {
      stopping.abort()
      await Promise.all(workers)
    },
  }
}

function changeByte(file: string): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

function spawnCommand(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(node, [main, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
}

/** Kills a process as soon as it has come far enough. */
async function killOnce(child: ChildProcess, isFarEnough: () => boolean): Promise<void> {
  const ended = once(child, 'exit')
  // Often, because the work is soon done.
  while (!isFarEnough() && child.exitCode === null) await sleep(5)
  child.kill('SIGKILL')
  await ended
  assert.equal(child.signalCode, 'SIGKILL', 'it was still under way')
}
