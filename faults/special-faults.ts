import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAccount, giveTo } from '../src/db/embedded/home.ts'
import { makeFolder, mount, ours, removeFolder, unmount, whyNot } from './children.ts'
import { killAtPoint } from './faults.ts'
import { Postgres } from './postgres.ts'
import type { Fault, Stage } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import { freePort, Server } from './servers.ts'

const repository = join(import.meta.dirname, '..')
const needsDisk = () => whyNot({ root: true, commands: ['mount', 'umount', 'mkfs.ext4', 'perl'] })

/** Faults that need a scene of their own. */
export const specialFaults: Fault[] = [
  { ...killAtPoint('after-webhook'), scene: makeOneSenderScene },
  {
    name: 'power-cut',
    about: 'the file system of PostgreSQL loses all that was not synced, and is mounted again',
    whyNot: needsDisk,
    scene: () => makeLoopScene({}),
    seconds: 30,
    async run(stage) {
      while (!stage.isOver()) {
        await stage.pause(stage.chance.between(3_000, 9_000))
        await cutPower(stage.scene)
      }
    },
  },
  diskFull('disk-full-data', 'no space for data, again and again', 'data'),
  diskFull('disk-full-wal', 'no space for the write-ahead log, again and again', 'wal'),
  clockJumps('clock-server', "a server's clock jumps by an hour and by thirty days, back too", 'server'),
  clockJumps(
    'clock-postgres',
    "PostgreSQL's clock jumps by an hour and by thirty days, back too",
    'postgres',
  ),
  {
    name: 'rolling-restart',
    about: 'two servers behind haproxy are restarted in turn: no request fails',
    whyNot: () => whyNot({ commands: ['haproxy'] }),
    scene: makeBalancedScene,
    seconds: 40,
    async run(stage) {
      for (let turn = 0; ; turn++) {
        // The balancer must have seen that the one before is back.
        await stage.pause(4_000)
        if (stage.isOver()) return
        const server = stage.scene.servers[turn % stage.scene.servers.length] as Server
        await server.stop()
        await server.start()
      }
    },
    judge(_stage, { calls }) {
      const failed = calls.filter(({ outcome, status }) => outcome === 'unknown' || status >= 500)
      const what = `requests failed while servers were restarted in turn (${failed.length}×)`
      return failed.slice(0, 1).map((example) => ({ what, example }))
    },
  },
  {
    name: 'old-version',
    about: 'a migration and the version before it, together',
    whyNot: () =>
      existsSync(join(repository, '.git')) ? whyNot({ commands: ['git', 'tar'] }) : 'needs a git checkout',
    scene: makeOldScene,
    seconds: 30,
    mayDeadlock: true,
    async run(stage) {
      const [first, second] = stage.scene.servers.toReversed() as [Server, Server]
      for (const server of [first, second]) {
        await stage.pause(7_000)
        // The new one migrates while the old ones work; a reader of the schema must get along with both.
        await server.stop()
        server.options = { ...server.options, source: repository }
        await server.start()
      }
      await stage.pause(Infinity)
    },
  },
  {
    name: 'failover',
    about: 'waits for the synchronous standby are cancelled, the primary dies, the standby is promoted',
    scene: makeReplicatedScene,
    seconds: 25,
    run: failOver,
  },
  {
    name: 'pgbouncer',
    about: 'PgBouncer in transaction mode, killed and restarted',
    whyNot: () => whyNot({ commands: ['pgbouncer'] }),
    scene: makePooledScene,
    seconds: 25,
    async run(stage) {
      const { pooler } = stage.scene as PooledScene
      while (!stage.isOver()) {
        await stage.pause(stage.chance.between(1_500, 4_000))
        await pooler.stop(stage.chance.pick(['SIGKILL', 'SIGTERM', 'SIGINT']))
        await stage.pause(stage.chance.between(0, 1_500))
        pooler.start()
      }
    },
  },
  {
    name: 'small-limits',
    about: 'queues for 12, batches of 3, two connections, 80 MB of heap: full all the time',
    scene: () =>
      makeScene({
        server: {
          edits: ['small-limits'],
          env: { DATABASE_POOL_MAX: '2', NODE_OPTIONS: '--max-old-space-size=80' },
        },
      }),
    seconds: 20,
    async run(stage) {
      // A server that ran out of memory is started again, as its supervisor would.
      while (!stage.isOver()) {
        for (const server of stage.scene.servers) if (!server.isRunning) server.spawn()
        await stage.pause(500)
      }
    },
  },
  {
    name: 'restore',
    about: 'the database is lost, and restored from a base backup and the archived log',
    scene: makeArchivedScene,
    seconds: 20,
    run: restore,
  },
]

/** Two servers, of which the first alone sends webhooks: nobody takes them over when it is killed. */
async function makeOneSenderScene(): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2 })
  const second = scene.servers[1] as Server
  await second.stop()
  second.options = { ...second.options, env: { WEBHOOKS: 'off' } }
  await second.start()
  return scene
}

type LoopScene = Scene & { image: string; folder: string }

/** PostgreSQL on a file system of its own, in a file. */
export async function makeLoopScene(settings: Record<string, string>): Promise<Scene> {
  const side = makeFolder()
  const image = join(side, 'disk')
  const folder = join(side, 'mounted')
  mkdirSync(folder)
  execFileSync('truncate', ['-s', '3G', image])
  execFileSync('mkfs.ext4', ['-q', image])
  mount(folder, '-o', 'loop', image)
  chmodSync(folder, 0o711)
  const scene = await makeScene({ postgres: await Postgres.start(settings, folder) })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await unmountPatiently(folder)
    removeFolder(side)
  }
  return Object.assign(scene, { image, folder, stop })
}

/**
 * A power cut as file system tests make it: the file system is told to go down at once and to write nothing more, its log
 * included (EXT4_IOC_SHUTDOWN, "nologflush"). What was synced is in the image; all else is lost with the page cache.
 */
export async function cutPower(scene: Scene): Promise<void> {
  const { image, folder } = scene as LoopScene
  const shutDown = 'open(F, "<", $ARGV[0]) or die $!; ioctl(F, 0x8004587d, my $how = pack("L", 2)) or die $!'
  execFileSync('perl', ['-e', shutDown, folder])
  await scene.postgres.killAll()
  await unmountPatiently(folder)
  mount(folder, '-o', 'loop', image)
  await scene.postgres.start()
}

/** Backends of a killed PostgreSQL hold their files for a moment. */
async function unmountPatiently(folder: string): Promise<void> {
  for (let triesLeft = 200; ; triesLeft--) {
    try {
      unmount(folder)
      return
    } catch (error) {
      if (triesLeft === 0) throw error
      await sleep(100)
    }
  }
}

function diskFull(name: string, about: string, what: 'data' | 'wal'): Fault {
  return {
    name,
    about,
    whyNot: () => whyNot({ root: true, commands: ['mount', 'umount', 'fallocate'] }),
    scene: () => makeSmallDiskScene(what),
    seconds: 25,
    async run(stage) {
      const { folder } = stage.scene as LoopScene
      const ballast = join(folder, 'ballast')
      while (!stage.isOver()) {
        await stage.pause(stage.chance.between(1_000, 3_000))
        try {
          // Bit by bit, so that the last page is taken too.
          for (const bytes of [1_000_000, 4_096])
            for (let piece = 0; !stage.isOver(); piece++)
              execFileSync('fallocate', ['-l', String(bytes), `${ballast}-${bytes}-${piece}`], {
                stdio: 'pipe',
              })
        } catch {
          // It is full.
        }
        await stage.pause(stage.chance.between(2_000, 5_000))
        for (const file of globSync(`${ballast}-*`)) rmSync(file)
        if (!stage.isOver()) await stage.scene.postgres.start()
      }
    },
  }
}

async function makeSmallDiskScene(what: 'data' | 'wal'): Promise<Scene> {
  const side = makeFolder()
  const folder = join(side, 'mounted')
  mkdirSync(folder)
  mount(folder, '-t', 'tmpfs', '-o', 'size=260m', 'tmpfs')
  chmodSync(folder, 0o711)
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
  const postgres = await Postgres.start(settings, what === 'data' ? folder : undefined)
  await postgres.stop()
  // The other of the two goes where there is space.
  const log = join(what === 'data' ? side : folder, 'wal')
  const account = databaseAccount()
  cpSync(join(postgres.folder, 'pg_wal'), log, { recursive: true })
  execFileSync('chown', ['-R', `${account?.uid ?? ''}:${account?.gid ?? ''}`, log])
  rmSync(join(postgres.folder, 'pg_wal'), { recursive: true })
  symlinkSync(log, join(postgres.folder, 'pg_wal'))
  await postgres.start()
  const scene = await makeScene({ postgres })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await unmountPatiently(folder)
    removeFolder(side)
  }
  const mend = async () => {
    for (const file of globSync(join(folder, 'ballast-*'))) rmSync(file)
  }
  return Object.assign(scene, { folder, stop, mend })
}

const faketime = () => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

function clockJumps(name: string, about: string, whose: 'server' | 'postgres'): Fault {
  return {
    name,
    about,
    whyNot: () => (faketime() === undefined ? 'needs libfaketime' : undefined),
    scene: () => makeClockScene(whose),
    onlyByName: true,
    seconds: 30,
    // Links from the time that a clock showed may be over at a server whose clock is right, or not begun. A player that
    // came into being in the future seems to be another than the one whose link was made before.
    allowedCodes: ['game_token_expired', 'game_token_invalid', 'game_token_revoked'],
    mayWait: true,
    async run(stage) {
      const { clockFile } = stage.scene as ClockScene
      for (const jump of ['+1h', '-1h', '+30d', '+0', '-30d', '+1h', '+0']) {
        writeFileSync(clockFile, `${jump}\n`)
        await stage.pause(4_000)
      }
    },
  }
}

type ClockScene = Scene & { clockFile: string }

async function makeClockScene(whose: 'server' | 'postgres'): Promise<Scene> {
  const side = makeFolder()
  const clockFile = join(side, 'clock')
  writeFileSync(clockFile, '+0\n')
  chmodSync(clockFile, 0o644)
  const env = {
    LD_PRELOAD: faketime() as string,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const postgres = await Postgres.start()
  if (whose === 'postgres') {
    await postgres.stop()
    postgres.env = env
    await postgres.start()
  }
  const scene = await makeScene({ postgres })
  if (whose === 'server') {
    const server = scene.servers[0] as Server
    await server.stop()
    server.extra = env
    await server.start()
  }
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    removeFolder(side)
  }
  return Object.assign(scene, { clockFile, stop, mend: async () => writeFileSync(clockFile, '+0\n') })
}

/** Two servers behind haproxy, with the settings of docs/operations.md. */
async function makeBalancedScene(): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2, server: { env: { STOP_DELAY_SECONDS: '3' } } })
  const side = makeFolder()
  const port = await freePort()
  const config = join(side, 'haproxy.cfg')
  const servers = scene.servers.map(
    (server, place) => `  server wheelhouse${place} 127.0.0.1:${server.port} check inter 1s fall 1 rise 1`,
  )
  writeFileSync(
    config,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend game
  bind 127.0.0.1:${port}
  default_backend wheelhouse
backend wheelhouse
  option httpchk GET /readyz
  option redispatch 1
  option http-server-close
  retries 5
  retry-on conn-failure
${servers.join('\n')}
`,
  )
  const haproxy = ours(spawn('haproxy', ['-f', config, '-db'], { stdio: 'ignore' }))
  const gone = once(haproxy, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok === true) break
    await sleep(100)
  }
  const stopCommon = scene.stop
  const stop = async () => {
    haproxy.kill('SIGKILL')
    await gone
    await stopCommon()
    removeFolder(side)
  }
  return Object.assign(scene, { urls: [url, url], stop })
}

/** Servers of the version from before the newest migration, on a schema of that time. */
async function makeOldScene(): Promise<Scene> {
  const side = makeFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  const migrationsOf = (commit: string) => git('ls-tree', commit, 'sql/')
  const now = migrationsOf('HEAD')
  // Its migrations must be the first of ours: on branches that were merged since, they may have had other numbers.
  const old = git('log', '--full-history', '--format=%H', '--', 'sql')
    .split('\n')
    .find((commit) => now.startsWith(`${migrationsOf(commit)}\n`))
  if (old === undefined) throw new Error('there is no version from before the newest migration')
  execFileSync('sh', ['-c', `git archive ${old} | tar -x -C ${side}`], { cwd: repository })
  symlinkSync(join(repository, 'node_modules'), join(side, 'node_modules'))
  for (const built of ['web/game/dist', 'web/console/dist'])
    if (existsSync(join(repository, built)))
      cpSync(join(repository, built), join(side, built), { recursive: true })
  const scene = await makeScene({ server: { source: side } })
  const stopCommon = scene.stop
  return Object.assign(scene, {
    async mend() {
      for (const server of scene.servers) {
        if (server.options.source === repository) continue
        await server.stop()
        server.options = { ...server.options, source: repository }
      }
    },
    async stop() {
      await stopCommon()
      removeFolder(side)
    },
  })
}

type ReplicatedScene = Scene & { standby: Postgres }

async function makeReplicatedScene(): Promise<Scene> {
  const primary = await Postgres.start()
  const standby = await primary.copy(
    { primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres`, hot_standby: 'on' },
    'standby.signal',
  )
  await standby.start()
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  const databaseUrl = `postgresql://wheelhouse@${hosts}/wheelhouse`
  const servers: Server[] = []
  for (let place = 0; place < 3; place++) servers.push(await Server.start({ databaseUrl }))
  const scene: ReplicatedScene = {
    postgres: primary,
    standby,
    servers,
    roads: [],
    urls: servers.map(({ url }) => url),
    mend: async () => undefined,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await primary.remove()
      await standby.remove()
    },
  }
  return scene
}

async function failOver(stage: Stage): Promise<void> {
  const scene = stage.scene as ReplicatedScene
  const { postgres: primary, standby } = scene
  await stage.pause(5_000)
  // The standby falls behind. Whoever cancels the waits now makes commits that are on the primary alone.
  standby.signal('SIGSTOP')
  for (let round = 0; round < 4; round++) {
    await stage.pause(700)
    await primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  }
  await primary.stop('SIGKILL')
  standby.signal('SIGCONT')
  await stage.pause(1_000)
  await standby.query('select pg_promote()')
  scene.postgres = standby
  await stage.pause(Infinity)
}

type PooledScene = Scene & { pooler: Pooler }
type Pooler = { start: () => void; stop: (signal: NodeJS.Signals) => Promise<void> }

/** With the settings of docs/operations.md. */
async function makePooledScene(): Promise<Scene> {
  const postgres = await Postgres.start()
  const settings = {
    statement_timeout: '4s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  }
  for (const [name, value] of Object.entries(settings))
    await postgres.query(`alter role wheelhouse set ${name} = '${value}'`)
  const side = makeFolder()
  const account = databaseAccount()
  giveTo(account, side)
  const port = await freePort()
  const config = join(side, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
wheelhouse = host=127.0.0.1 port=${postgres.port} user=wheelhouse
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
ignore_startup_parameters = extra_float_digits
logfile = ${join(side, 'pgbouncer.log')}
`,
  )
  let child: ReturnType<typeof spawn> | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const pooler: Pooler = {
    start() {
      if (!isRunning()) child = ours(spawn('pgbouncer', [config], { ...account, stdio: 'ignore' }))
    },
    async stop(signal) {
      if (child === undefined || !isRunning()) return
      const gone = once(child, 'exit')
      child.kill(signal)
      // Asked to end in order it waits for its clients, who never go.
      const urge = setTimeout(() => child?.kill('SIGKILL'), 1_000)
      await gone
      clearTimeout(urge)
    },
  }
  pooler.start()
  const databaseUrl = `postgresql://wheelhouse@127.0.0.1:${port}/wheelhouse`
  const scene = await makeScene({ postgres, server: { databaseUrl, env: { DATABASE_POOLER: 'on' } } })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await pooler.stop('SIGKILL')
    removeFolder(side)
  }
  return Object.assign(scene, { pooler, stop, mend: async () => pooler.start() })
}

type ArchivedScene = Scene & { archive: string }

async function makeArchivedScene(): Promise<Scene> {
  const archive = makeFolder()
  giveTo(databaseAccount(), archive)
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`
  const postgres = await Postgres.start({ archive_mode: 'on', archive_command: command })
  const scene = await makeScene({ postgres })
  const stopCommon = scene.stop
  const stop = async () => {
    await stopCommon()
    await postgres.remove()
    removeFolder(archive)
  }
  return Object.assign(scene, { archive, stop })
}

/** A base backup in the middle of the load, and at the end only that and the archive are left. */
async function restore(stage: Stage): Promise<void> {
  const scene = stage.scene as ArchivedScene
  const lost = scene.postgres
  await stage.pause(5_000)
  const restored = await lost.copy(
    { restore_command: `cp ${scene.archive}/%f %p`, recovery_target_timeline: 'latest' },
    'recovery.signal',
  )
  await stage.pause(Infinity)
  // Servers stop first: what they acknowledge now could be in no archive.
  await Promise.all(scene.servers.map((server) => server.stop()))
  const [row] = await lost.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  while (!existsSync(join(scene.archive, row?.name ?? ''))) await sleep(100)
  await lost.killAll()
  rmSync(lost.folder, { recursive: true })
  await restored.start()
  for (;;) {
    const [state] = await restored.query<{ going: boolean }>('select pg_is_in_recovery() as going')
    if (state?.going === false) break
    await sleep(200)
  }
  scene.postgres = restored
}
