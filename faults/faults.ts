import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync, fsyncSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { hasCommand, makeFolder, tracked, removeFolder } from './children.ts'
import type { failPoints } from './edits.ts'
import { tryKill } from './postgres.ts'
import type { NetworkProxy, NetworkFault } from './network-proxy.ts'
import type { Fault, FaultContext } from './round.ts'
import type { Server } from './servers.ts'
import { changeWheels } from './wheel-changes.ts'

/** Faults that run in the common scene and can be combined. */
export const commonFaults: Fault[] = [
  {
    name: 'kill-server',
    about: 'kill -9 of a server, every few seconds',
    seconds: 20,
    run: (ctx) =>
      repeatedly(ctx, [500, 3_000], async () => {
        const server = victim(ctx)
        await server.kill()
        await ctx.pause(ctx.random.between(0, 1_000))
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
    run: (ctx) =>
      repeatedly(ctx, [500, 3_000], async () => {
        const server = victim(ctx)
        await server.stop()
        await server.start()
      }),
  },
  {
    name: 'pause-server',
    about: 'SIGSTOP of a server for 30 s',
    seconds: 35,
    async run(ctx) {
      const server = victim(ctx)
      await server.kill('SIGSTOP')
      await ctx.pause(30_000)
      await server.kill('SIGCONT')
      await ctx.pause(3_000)
    },
  },
  killPostgres('kill-postgres', 'kill -9 of PostgreSQL, repeatedly', 'SIGKILL'),
  killPostgres('immediate-shutdown', 'immediate shutdown of PostgreSQL, repeatedly', 'SIGQUIT'),
  {
    name: 'kill-backend',
    about: 'kill -9 of one backend, after which PostgreSQL restarts all of them',
    seconds: 20,
    run: (ctx) =>
      repeatedly(ctx, [1_500, 4_000], async () => {
        const { postgres } = ctx.scene
        const query = `select pid from pg_stat_activity where usename = 'wheelhouse' and state <> 'idle'`
        const rows = await postgres.query<{ pid: number }>(query).catch(() => [])
        const pids = rows.map(({ pid }) => pid)
        if (pids.length > 0) tryKill(ctx.random.pick(pids), 'SIGKILL')
      }),
  },
  {
    name: 'terminate-backends',
    about: 'pg_terminate_backend of all connections, as an operator would',
    seconds: 15,
    run: (ctx) =>
      repeatedly(ctx, [500, 2_000], async () => {
        const query = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'wheelhouse'`
        await ctx.scene.postgres.query(query).catch(() => undefined)
      }),
  },
  {
    name: 'pause-postgres',
    about: 'SIGSTOP of PostgreSQL for 30 s',
    seconds: 35,
    async run(ctx) {
      const { postgres } = ctx.scene
      postgres.signal('SIGSTOP')
      await ctx.pause(30_000)
      postgres.signal('SIGCONT')
      await ctx.pause(3_000)
    },
  },
  networkFault('network-dropped', 'data sent between a server and PostgreSQL is silently lost', 'silent'),
  networkFault(
    'network-one-way',
    'PostgreSQL receives data from the servers, but its answers are lost',
    'one-way',
  ),
  networkFault('network-closed', 'connections to PostgreSQL are refused', 'closed'),
  networkFault(
    'cut-after-commit',
    'connections are cut after COMMIT is sent and before its answer',
    'cut-after-commit',
  ),
  networkFault(
    'cut-before-commit',
    'connections are cut when everything before COMMIT is sent and answered',
    'cut-before-commit',
  ),
  {
    name: 'network-reset',
    about: 'connections between servers and PostgreSQL are reset',
    seconds: 15,
    run: (ctx) =>
      repeatedly(ctx, [200, 1_500], async () => {
        ctx.random.pick(ctx.scene.proxies).cut(ctx.random.happens(0.5) ? 'reset' : 'end')
      }),
  },
  {
    name: 'slow-network',
    about: 'every message between servers and PostgreSQL is delayed by 20 to 200 ms',
    seconds: 15,
    run: (ctx) =>
      repeatedly(ctx, [500, 2_000], async () => {
        for (const proxy of ctx.scene.proxies) proxy.delayMs = Math.round(ctx.random.between(20, 200))
      }),
  },
  {
    name: 'table-lock',
    about: 'another session locks a table for 10 s',
    seconds: 25,
    run: (ctx) =>
      repeatedly(ctx, [500, 1_500], async () => {
        const table = ctx.random.pick(['players', 'ledger_entries', 'plays', 'event_pages', 'event_streams'])
        await inTransaction(ctx, `lock table ${table} in access exclusive mode`, 10_000)
      }),
  },
  {
    name: 'pool-exhausted',
    about: 'a lock makes hundreds of readers hold or wait for connections',
    seconds: 15,
    run: (ctx) =>
      repeatedly(ctx, [500, 1_500], async () => {
        const { history, merchant, scene, random } = ctx
        const reading = Array.from({ length: 200 }, () => {
          const playerId = `player-${random.below(24)}`
          const fields = { kind: 'read', playerId, key: undefined, amount: 0, method: 'GET' } as const
          const path = `/api/v1/players/${playerId}`
          return history.send(random.pick(scene.urls), {
            ...fields,
            path,
            headers: { authorization: merchant.token },
          })
        })
        await inTransaction(ctx, 'lock table players in access exclusive mode', 3_000)
        await Promise.all(reading)
      }),
  },
  {
    name: 'connections-full',
    about: 'other clients take all connections of PostgreSQL',
    seconds: 20,
    async run(ctx) {
      const { postgres } = ctx.scene
      const taken: { end: () => Promise<void> }[] = []
      while (!ctx.isOver()) {
        // Cutting a server's connections now and then frees them, and the next loops take those too.
        const client = await postgres.connect().catch(() => undefined)
        if (client !== undefined) taken.push(client)
        else await ctx.pause(300)
        if (taken.length % 20 === 0) ctx.random.pick(ctx.scene.proxies).cut('end')
      }
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)))
    },
  },
  {
    name: 'open-transaction',
    about: 'one transaction stays open all the time, and now and then another one locks a player',
    seconds: 25,
    async run(ctx) {
      const { merchantId } = ctx.merchant
      const held = `select from players where merchant_id = ${merchantId} and player_id = 'player-1' for update`
      await Promise.all([
        inTransaction(ctx, 'select pg_current_xact_id(); select count(*) from event_pages', Infinity),
        repeatedly(ctx, [1_000, 3_000], () => inTransaction(ctx, held, 4_000)),
      ])
    },
  },
  {
    name: 'io-storm',
    about: 'another process writes and syncs as fast as the disk allows (stress-ng, or a loop of our own)',
    seconds: 20,
    run: ioStorm,
  },
  {
    name: 'wheel-changes',
    about: 'the wheel is republished, restocked, paused and resumed while requests are in flight',
    seconds: 20,
    wheelChanges: true,
    allowedCodes: ['wheel_paused'],
    run: changeWheels,
  },
]

/** Any server but the last, which is never killed so that its memory use can be observed. */
export function victim({ scene, random }: FaultContext): Server {
  return random.pick(scene.servers.slice(0, -1))
}

export async function repeatedly(
  ctx: FaultContext,
  [from, to]: [number, number],
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await ctx.pause(ctx.random.between(from, to))
    if (ctx.isOver()) return
    await work()
  }
}

export function killAtPoint(point: keyof typeof failPoints): Fault {
  return {
    name: `kill-${point}`,
    about: `a server kills itself at the point "${point}", repeatedly`,
    seconds: 20,
    async run(ctx) {
      const server = ctx.scene.servers[0] as Server
      const { edits = [] } = server.options
      server.options = { ...server.options, edits: [...edits, point] }
      await server.kill()
      while (!ctx.isOver()) {
        server.extra = { FAIL_POINT: `${point}:${1 + ctx.random.below(150)}` }
        if (!server.isRunning) server.spawn()
        await ctx.pause(200)
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
    run: (ctx) =>
      repeatedly(ctx, [1_000, 4_000], async () => {
        await ctx.scene.postgres.stop(signal)
        await ctx.pause(ctx.random.between(0, 1_000))
        await ctx.scene.postgres.start()
      }),
  }
}

/** Each time, applies the fault to all proxies or to one of them. */
function networkFault(name: string, about: string, fault: NetworkFault): Fault {
  return {
    name,
    about,
    seconds: 20,
    run: (ctx) =>
      repeatedly(ctx, [500, 2_000], async () => {
        const { proxies } = ctx.scene
        const hit: NetworkProxy[] = ctx.random.happens(0.5) ? proxies : [ctx.random.pick(proxies)]
        for (const proxy of hit) proxy.fault = fault
        await ctx.pause(ctx.random.between(1_000, 6_000))
        for (const proxy of hit) proxy.repair()
      }),
  }
}

/** Runs a statement in a transaction of another client, and keeps it open for a while. */
async function inTransaction(ctx: FaultContext, text: string, ms: number): Promise<void> {
  const client = await ctx.scene.postgres.connect().catch(() => undefined)
  if (client === undefined) return ctx.pause(200)
  try {
    await client.query(`begin; ${text}`)
    await ctx.pause(ms)
    await client.query('rollback')
  } catch {
    // A second fault may end this client's connection too.
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ioStorm(ctx: FaultContext): Promise<void> {
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
    const child = tracked(spawn('stress-ng', [...flags, '--timeout', '600'], { stdio: 'ignore' }))
    const gone = once(child, 'exit')
    await ctx.pause(Infinity)
    child.kill('SIGINT')
    await gone
  } else {
    const file = openSync(join(folder, 'storm'), 'w')
    const block = Buffer.alloc(4 * 1024 * 1024, 1)
    while (!ctx.isOver()) {
      writeSync(file, block, 0, block.length, 0)
      fsyncSync(file)
      await ctx.pause(1)
    }
    closeSync(file)
  }
  removeFolder(folder)
}
