import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync, fsyncSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { hasCommand, makeFolder, ours, removeFolder } from './children.ts'
import type { failPoints } from './edits.ts'
import { tryKill } from './postgres.ts'
import type { Road, Weather } from './road.ts'
import type { Fault, Stage } from './round.ts'
import type { Server } from './servers.ts'
import { changeWheels } from './wheel-changes.ts'

/** The faults that need nothing special, and may come together. */
export const commonFaults: Fault[] = [
  {
    name: 'kill-server',
    about: 'kill -9 of a server, every few seconds',
    seconds: 20,
    run: (stage) =>
      againAndAgain(stage, [500, 3_000], async () => {
        const server = victim(stage)
        await server.kill()
        await stage.pause(stage.chance.between(0, 1_000))
        await server.start()
      }),
  },
  killAtPoint('before-batch'),
  killAtPoint('after-sending'),
  killAtPoint('after-commit'),
  {
    name: 'stop-server',
    about: 'SIGTERM to a server, every few seconds',
    seconds: 20,
    run: (stage) =>
      againAndAgain(stage, [500, 3_000], async () => {
        const server = victim(stage)
        await server.stop()
        await server.start()
      }),
  },
  {
    name: 'pause-server',
    about: 'SIGSTOP of a server for 30 s',
    seconds: 35,
    async run(stage) {
      const server = victim(stage)
      await server.kill('SIGSTOP')
      await stage.pause(30_000)
      await server.kill('SIGCONT')
      await stage.pause(3_000)
    },
  },
  killPostgres('kill-postgres', 'kill -9 of PostgreSQL, again and again', 'SIGKILL'),
  killPostgres('immediate-shutdown', 'immediate shutdown of PostgreSQL, again and again', 'SIGQUIT'),
  {
    name: 'kill-backend',
    about: 'kill -9 of one backend, after which PostgreSQL restarts all',
    seconds: 20,
    run: (stage) =>
      againAndAgain(stage, [1_500, 4_000], async () => {
        const { postgres } = stage.scene
        const query = `select pid from pg_stat_activity where usename = 'wheelhouse' and state <> 'idle'`
        const rows = await postgres.query<{ pid: number }>(query).catch(() => [])
        const pids = rows.map(({ pid }) => pid)
        if (pids.length > 0) tryKill(stage.chance.pick(pids), 'SIGKILL')
      }),
  },
  {
    name: 'terminate-backends',
    about: 'pg_terminate_backend of all connections, as an operator would',
    seconds: 15,
    run: (stage) =>
      againAndAgain(stage, [500, 2_000], async () => {
        const query = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'wheelhouse'`
        await stage.scene.postgres.query(query).catch(() => undefined)
      }),
  },
  {
    name: 'pause-postgres',
    about: 'SIGSTOP of PostgreSQL for 30 s',
    seconds: 35,
    async run(stage) {
      const { postgres } = stage.scene
      postgres.signal('SIGSTOP')
      await stage.pause(30_000)
      postgres.signal('SIGCONT')
      await stage.pause(3_000)
    },
  },
  badWeather(
    'network-dropped',
    'what is sent between a server and PostgreSQL gets lost, without a word',
    'silent',
  ),
  badWeather('network-one-way', 'PostgreSQL hears the servers, and is not heard', 'one-way'),
  badWeather('network-closed', 'connections to PostgreSQL are refused', 'closed'),
  badWeather(
    'cut-after-commit',
    'connections end when COMMIT was sent, before its answer',
    'cut-after-commit',
  ),
  badWeather(
    'cut-before-commit',
    'connections end when all but COMMIT was sent and answered',
    'cut-before-commit',
  ),
  {
    name: 'network-reset',
    about: 'connections between servers and PostgreSQL are reset',
    seconds: 15,
    run: (stage) =>
      againAndAgain(stage, [200, 1_500], async () => {
        stage.chance.pick(stage.scene.roads).cut(stage.chance.happens(0.5) ? 'reset' : 'end')
      }),
  },
  {
    name: 'slow-network',
    about: 'every message between servers and PostgreSQL is 20 to 200 ms late',
    seconds: 15,
    run: (stage) =>
      againAndAgain(stage, [500, 2_000], async () => {
        for (const road of stage.scene.roads) road.delayMs = Math.round(stage.chance.between(20, 200))
      }),
  },
  {
    name: 'table-lock',
    about: 'somebody locks a table for 10 s',
    seconds: 25,
    run: (stage) =>
      againAndAgain(stage, [500, 1_500], async () => {
        const table = stage.chance.pick([
          'players',
          'ledger_entries',
          'plays',
          'event_pages',
          'event_streams',
        ])
        await inTransaction(stage, `lock table ${table} in access exclusive mode`, 10_000)
      }),
  },
  {
    name: 'pool-exhausted',
    about: 'a lock makes hundreds of readers hold or wait for connections',
    seconds: 15,
    run: (stage) =>
      againAndAgain(stage, [500, 1_500], async () => {
        const { history, shop, scene, chance } = stage
        const reading = Array.from({ length: 200 }, () => {
          const playerId = `player-${chance.below(24)}`
          const order = { kind: 'look', playerId, key: undefined, amount: 0, method: 'GET' } as const
          const path = `/api/v1/players/${playerId}`
          return history.send(chance.pick(scene.urls), {
            ...order,
            path,
            headers: { authorization: shop.token },
          })
        })
        await inTransaction(stage, 'lock table players in access exclusive mode', 3_000)
        await Promise.all(reading)
      }),
  },
  {
    name: 'connections-full',
    about: 'others take every connection that PostgreSQL has',
    seconds: 20,
    async run(stage) {
      const { postgres } = stage.scene
      const taken: { end: () => Promise<void> }[] = []
      while (!stage.isOver()) {
        // Those of the servers end now and then; what gets free is taken too.
        const client = await postgres.connect().catch(() => undefined)
        if (client !== undefined) taken.push(client)
        else await stage.pause(300)
        if (taken.length % 20 === 0) stage.chance.pick(stage.scene.roads).cut('end')
      }
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)))
    },
  },
  {
    name: 'open-transaction',
    about: 'a transaction is left open all the time, and now and then one that holds a player',
    seconds: 25,
    async run(stage) {
      const { merchantId } = stage.shop
      const held = `select from players where merchant_id = ${merchantId} and player_id = 'player-1' for update`
      await Promise.all([
        inTransaction(stage, 'select pg_current_xact_id(); select count(*) from event_pages', Infinity),
        againAndAgain(stage, [1_000, 3_000], () => inTransaction(stage, held, 4_000)),
      ])
    },
  },
  {
    name: 'io-storm',
    about: 'others write and sync as fast as the disk can (stress-ng, or a loop of our own)',
    seconds: 20,
    run: ioStorm,
  },
  {
    name: 'wheel-changes',
    about: 'the wheel is published anew, stock added, the wheel paused and resumed, in mid-flight',
    seconds: 20,
    wheelChanges: true,
    allowedCodes: ['wheel_paused'],
    run: changeWheels,
  },
]

/** Any server but the last, which stays for its memory to be looked at. */
function victim({ scene, chance }: Stage): Server {
  return chance.pick(scene.servers.slice(0, -1))
}

async function againAndAgain(
  stage: Stage,
  [from, to]: [number, number],
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await stage.pause(stage.chance.between(from, to))
    if (stage.isOver()) return
    await work()
  }
}

export function killAtPoint(point: keyof typeof failPoints): Fault {
  return {
    name: `kill-${point}`,
    about: `a server kills itself at the point "${point}", again and again`,
    seconds: 20,
    async run(stage) {
      const server = stage.scene.servers[0] as Server
      const { edits = [] } = server.options
      server.options = { ...server.options, edits: [...edits, point] }
      await server.kill()
      while (!stage.isOver()) {
        server.extra = { FAIL_POINT: `${point}:${1 + stage.chance.below(150)}` }
        if (!server.isRunning) server.spawn()
        await stage.pause(200)
      }
      server.extra = {}
      server.options = { ...server.options, edits }
      await server.kill()
    },
  }
}

function killPostgres(name: string, about: string, signal: 'SIGKILL' | 'SIGQUIT'): Fault {
  return {
    name,
    about,
    seconds: 20,
    run: (stage) =>
      againAndAgain(stage, [1_000, 4_000], async () => {
        await stage.scene.postgres.stop(signal)
        await stage.pause(stage.chance.between(0, 1_000))
        await stage.scene.postgres.start()
      }),
  }
}

/** Now over one road, now over all. */
function badWeather(name: string, about: string, weather: Weather): Fault {
  return {
    name,
    about,
    seconds: 20,
    run: (stage) =>
      againAndAgain(stage, [500, 2_000], async () => {
        const { roads } = stage.scene
        const hit: Road[] = stage.chance.happens(0.5) ? roads : [stage.chance.pick(roads)]
        for (const road of hit) road.weather = weather
        await stage.pause(stage.chance.between(1_000, 6_000))
        for (const road of hit) road.mend()
      }),
  }
}

/** Does something in a transaction of a stranger, and keeps it open. */
async function inTransaction(stage: Stage, text: string, ms: number): Promise<void> {
  const client = await stage.scene.postgres.connect().catch(() => undefined)
  if (client === undefined) return stage.pause(200)
  try {
    await client.query(`begin; ${text}`)
    await stage.pause(ms)
    await client.query('rollback')
  } catch {
    // Together with another fault it may be the stranger that is thrown out.
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ioStorm(stage: Stage): Promise<void> {
  const folder = makeFolder()
  if (hasCommand('stress-ng')) {
    const flags = [
      '--hdd',
      '2',
      '--hdd-bytes',
      '64m',
      '--hdd-opts',
      'fsync',
      '--temp-path',
      folder,
      '--quiet',
    ]
    const child = ours(spawn('stress-ng', [...flags, '--timeout', '600'], { stdio: 'ignore' }))
    const gone = once(child, 'exit')
    await stage.pause(Infinity)
    child.kill('SIGINT')
    await gone
  } else {
    const file = openSync(join(folder, 'storm'), 'w')
    const block = Buffer.alloc(4 * 1024 * 1024, 1)
    while (!stage.isOver()) {
      writeSync(file, block, 0, block.length, 0)
      fsyncSync(file)
      await stage.pause(1)
    }
    closeSync(file)
  }
  removeFolder(folder)
}
