import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baselineVersion } from '../src/db/migrations.ts'
import { makeFolder, tracked, removeFolder, skipReason } from './children.ts'
import { citusFaults } from './citus-faults.ts'
import { clockFaults } from './clock-faults.ts'
import { clusterFaults } from './cluster-faults.ts'
import { diskFaults } from './disk-faults.ts'
import { entryFaults } from './entry-faults.ts'
import { failoverFaults } from './failover-faults.ts'
import { freeSpinFaults } from './free-spin-faults.ts'
import { killAtPoint } from './faults.ts'
import { pacedFaults } from './paced-faults.ts'
import type { Fault } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import { freePort, type Server } from './servers.ts'

const repository = join(import.meta.dirname, '..')

/** Faults that need a scene of their own. */
export const specialFaults: Fault[] = [
  ...diskFaults,
  ...clockFaults,
  ...clusterFaults,
  ...failoverFaults,
  ...pacedFaults,
  ...freeSpinFaults,
  ...entryFaults,
  ...citusFaults,
  { ...killAtPoint('after-webhook'), scene: makeOneSenderScene },
  {
    name: 'rolling-restart',
    about: 'two servers behind haproxy are restarted in turn; no request may fail',
    skipReason: () => skipReason({ commands: ['haproxy'] }),
    scene: makeBalancedScene,
    seconds: 40,
    async run(ctx) {
      for (let turn = 0; ; turn++) {
        // The load balancer must have noticed that the previous server is back.
        await ctx.pause(4_000)
        if (ctx.isOver()) return
        const server = ctx.scene.servers[turn % ctx.scene.servers.length] as Server
        await server.stop()
        await server.start()
      }
    },
    judge(_ctx, { calls }) {
      const failed = calls.filter(({ outcome, status }) => outcome === 'unknown' || status >= 500)
      const what = `requests failed while servers were restarted in turn (${failed.length}×)`
      return failed.slice(0, 1).map((example) => ({ what, example }))
    },
  },
  {
    name: 'old-version',
    about: 'a migration is applied while servers of the previous version run',
    skipReason: () =>
      existsSync(join(repository, '.git'))
        ? skipReason({ commands: ['git', 'tar'] })
        : 'needs a git checkout',
    scene: makeOldScene,
    seconds: 30,
    mayDeadlock: true,
    async run(ctx) {
      const [first, second] = ctx.scene.servers.toReversed() as [Server, Server]
      for (const server of [first, second]) {
        await ctx.pause(7_000)
        // The new server migrates while the old ones run, so the old version must work with the new schema.
        await server.stop()
        server.options = { ...server.options, source: repository }
        await server.start()
      }
      await ctx.pause(Infinity)
    },
  },
  {
    name: 'small-limits',
    about: 'queues for 12, batches of 3, two connections and 80 MB of heap, so that all are always full',
    scene: () =>
      makeScene({
        server: {
          edits: ['small-limits'],
          env: { DATABASE_POOL_MAX: '2', NODE_OPTIONS: '--max-old-space-size=80' },
        },
      }),
    seconds: 20,
    async run(ctx) {
      // Like a supervisor, restarts a server that ran out of memory.
      while (!ctx.isOver()) {
        for (const server of ctx.scene.servers) if (!server.isRunning) server.spawn()
        await ctx.pause(500)
      }
    },
  },
]

/** Two servers, of which only the first sends webhooks, so that the other does not take over when it is killed. */
async function makeOneSenderScene(): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2 })
  const second = scene.servers[1] as Server
  await second.stop()
  second.options = { ...second.options, env: { WEBHOOKS: 'off' } }
  await second.start()
  return scene
}

/** Two servers behind haproxy, with the settings of docs/operations.md. */
async function makeBalancedScene(): Promise<Scene> {
  const scene = await makeScene({ serverCount: 2, server: { env: { STOP_DELAY_SECONDS: '5' } } })
  const tempFolder = makeFolder()
  const port = await freePort()
  const config = join(tempFolder, 'haproxy.cfg')
  const servers = scene.servers.map(
    (server, place) => `  server wheelhouse${place} 127.0.0.1:${server.port} check inter 1s fall 3 rise 1`,
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
  const haproxy = tracked(spawn('haproxy', ['-f', config, '-db'], { stdio: 'ignore' }))
  const gone = once(haproxy, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok === true) break
    await sleep(100)
  }
  const stopScene = scene.stop
  const stop = async () => {
    haproxy.kill('SIGKILL')
    await gone
    await stopScene()
    removeFolder(tempFolder)
  }
  return Object.assign(scene, { urls: [url, url], stop })
}

/** Servers of the version before the newest migration, with the schema of that version. */
async function makeOldScene(): Promise<Scene> {
  const tempFolder = makeFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  /** Those after the baseline, which is the last migration of 0.3.0. Undefined before that. */
  const migrationsOf = (commit: string) => {
    const files = git('ls-tree', '-r', commit, 'sql/').split('\n')
    const isLater = (file: string) => Number(/\tsql\/(\d{4})-/.exec(file)?.[1]) > baselineVersion
    return files.some((file) => /\tsql\/(baseline\/|0048-)/.test(file)) ? files.filter(isLater) : undefined
  }
  const now = migrationsOf('HEAD') ?? []
  // Its migrations must be the first of ours: on branches that were merged since, numbers may have been different.
  const old = git('log', '--full-history', '--format=%H', '--', 'sql')
    .split('\n')
    .find((commit) => {
      const then = migrationsOf(commit)
      return (
        then !== undefined && then.length < now.length && then.every((file, index) => file === now[index])
      )
    })
  if (old === undefined) throw new Error('there is no version before the newest migration')
  execFileSync('sh', ['-c', `git archive ${old} | tar -x -C ${tempFolder}`], { cwd: repository })
  symlinkSync(join(repository, 'node_modules'), join(tempFolder, 'node_modules'))
  for (const built of [
    'web/game/dist',
    'web/game/wallet/dist',
    'web/console/dist',
    'web/embed/dist',
    'web/embed/preview/dist',
  ])
    if (existsSync(join(repository, built)))
      cpSync(join(repository, built), join(tempFolder, built), { recursive: true })
  const scene = await makeScene({ server: { source: tempFolder } })
  const stopScene = scene.stop
  return Object.assign(scene, {
    async repair() {
      for (const server of scene.servers) {
        if (server.options.source === repository) continue
        await server.stop()
        server.options = { ...server.options, source: repository }
      }
    },
    async stop() {
      await stopScene()
      removeFolder(tempFolder)
    },
  })
}
