import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownAccount } from '../src/db/embedded/account.ts'
import { giveTo } from '../src/db/embedded/home.ts'
import { makeFolder, tracked, removeFolder, skipReason } from './children.ts'
import { Postgres } from './postgres.ts'
import type { Fault, FaultContext } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import { freePort, Server } from './servers.ts'

/** Faults that need a second PostgreSQL, a pooler or an archive. */
export const clusterFaults: Fault[] = [
  {
    name: 'failover',
    about:
      'waits for the synchronous standby are cancelled, then the primary dies and the standby is promoted',
    scene: makeReplicatedScene,
    seconds: 25,
    run: failOver,
  },
  {
    name: 'pgbouncer',
    about: 'PgBouncer in transaction mode, killed and restarted',
    skipReason: () => skipReason({ commands: ['pgbouncer'] }),
    scene: makePooledScene,
    seconds: 25,
    async run(ctx) {
      const { pooler } = ctx.scene as PooledScene
      while (!ctx.isOver()) {
        await ctx.pause(ctx.random.between(1_500, 4_000))
        await pooler.stop(ctx.random.pick(['SIGKILL', 'SIGTERM', 'SIGINT']))
        await ctx.pause(ctx.random.between(0, 1_500))
        pooler.start()
      }
    },
  },
  {
    name: 'restore',
    about: 'the database is lost, and restored from a base backup and the archived write-ahead log',
    scene: makeArchivedScene,
    seconds: 20,
    run: restore,
  },
]

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
    proxies: [],
    urls: servers.map(({ url }) => url),
    repair: async () => undefined,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      await primary.remove()
      await standby.remove()
    },
  }
  return scene
}

async function failOver(ctx: FaultContext): Promise<void> {
  const scene = ctx.scene as ReplicatedScene
  const { postgres: primary, standby } = scene
  await ctx.pause(5_000)
  // The standby falls behind. A commit whose wait is cancelled now exists on the primary only.
  standby.signal('SIGSTOP')
  for (let round = 0; round < 4; round++) {
    await ctx.pause(700)
    await primary.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
  }
  await primary.stop('SIGKILL')
  standby.signal('SIGCONT')
  await ctx.pause(1_000)
  await standby.query('select pg_promote()')
  scene.postgres = standby
  await ctx.pause(Infinity)
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
    jit: 'off',
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  }
  for (const [name, value] of Object.entries(settings))
    await postgres.query(`alter role wheelhouse set ${name} = '${value}'`)
  const tempFolder = makeFolder()
  const account = ownAccount()
  giveTo(account, tempFolder)
  const port = await freePort()
  const config = join(tempFolder, 'pgbouncer.ini')
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
logfile = ${join(tempFolder, 'pgbouncer.log')}
`,
  )
  let child: ReturnType<typeof spawn> | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const pooler: Pooler = {
    start() {
      if (!isRunning()) child = tracked(spawn('pgbouncer', [config], { ...account, stdio: 'ignore' }))
    },
    async stop(signal) {
      if (child === undefined || !isRunning()) return
      const gone = once(child, 'exit')
      child.kill(signal)
      // A graceful stop waits for clients to disconnect, and ours never do.
      const killTimer = setTimeout(() => child?.kill('SIGKILL'), 1_000)
      await gone
      clearTimeout(killTimer)
    },
  }
  pooler.start()
  const databaseUrl = `postgresql://wheelhouse@127.0.0.1:${port}/wheelhouse`
  const scene = await makeScene({ postgres, server: { databaseUrl, env: { DATABASE_POOLER: 'on' } } })
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    await pooler.stop('SIGKILL')
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { pooler, stop, repair: async () => pooler.start() })
}

type ArchivedScene = Scene & { archive: string; postgres: Postgres }

async function makeArchivedScene(): Promise<Scene> {
  const archive = makeFolder()
  giveTo(ownAccount(), archive)
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`
  const postgres = await Postgres.start({ archive_mode: 'on', archive_command: command })
  const scene = await makeScene({ postgres })
  const stopScene = scene.stop
  const stop = async () => {
    await stopScene()
    await postgres.remove()
    removeFolder(archive)
  }
  return Object.assign(scene, { archive, stop })
}

/** Takes a base backup under load. At the end the data folder is deleted, and only backup and archive are left. */
async function restore(ctx: FaultContext): Promise<void> {
  const scene = ctx.scene as ArchivedScene
  const lost = scene.postgres
  await ctx.pause(5_000)
  const restored = await lost.copy(
    { restore_command: `cp ${scene.archive}/%f %p`, recovery_target_timeline: 'latest' },
    'recovery.signal',
  )
  await ctx.pause(Infinity)
  // Servers stop first: the archive would miss anything that they acknowledged from here on.
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
