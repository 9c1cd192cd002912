import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, ours, removeFolder, whyNot } from './children.ts'
import { clockFaults } from './clock-faults.ts'
import { clusterFaults } from './cluster-faults.ts'
import { diskFaults } from './disk-faults.ts'
import { killAtPoint } from './faults.ts'
import type { Fault } from './round.ts'
import { makeScene, type Scene } from './scene.ts'
import { freePort, type Server } from './servers.ts'

const repository = join(import.meta.dirname, '..')

/** Faults that need a scene of their own. */
export const specialFaults: Fault[] = [
  ...diskFaults,
  ...clockFaults,
  ...clusterFaults,
  { ...killAtPoint('after-webhook'), scene: makeOneSenderScene },
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
