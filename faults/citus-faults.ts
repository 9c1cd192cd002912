import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipReason } from './children.ts'
import { Citus } from './citus.ts'
import type { Finding } from './evidence.ts'
import { debianBin, type Postgres } from './postgres.ts'
import type { Fault, FaultContext } from './round.ts'
import { makeScene, type Scene } from './scene.ts'

/** Faults of a database on several machines. */
export const citusFaults: Fault[] = [
  {
    name: 'citus-worker',
    about: 'kill -9 of a worker of a Citus cluster, repeatedly',
    ...onCitus(40),
    run: (ctx) => killRepeatedly(ctx, () => ctx.random.pick(citusOf(ctx).workers.slice(0, 2))),
  },
  {
    name: 'citus-coordinator',
    about: 'kill -9 of the coordinator of a Citus cluster, repeatedly',
    ...onCitus(40),
    run: (ctx) => killRepeatedly(ctx, () => citusOf(ctx).coordinator),
  },
  {
    name: 'citus-rebalance',
    about: 'a third worker is added to a Citus cluster, and shards are moved to it',
    ...onCitus(90),
    run: rebalance,
    judge: judgePlaces,
    // Statements on all shards wait for those that move, in an order that Citus chooses.
    mayDeadlock: true,
  },
]

function onCitus(seconds: number) {
  return { skipReason: needsCitus, scene: makeCitusScene, seconds, judge: judgeLeftTransactions }
}

function needsCitus(): string | undefined {
  const reason = skipReason({})
  if (reason !== undefined) return reason
  const hasCitus = existsSync('/usr/share/postgresql/15/extension/citus.control')
  return hasCitus && existsSync(join(debianBin, 'initdb'))
    ? undefined
    : "needs the extension citus in Debian's postgresql-15"
}

async function makeCitusScene(): Promise<Scene> {
  return makeScene({ postgres: await Citus.start(), serverCount: 2 })
}

function citusOf({ scene }: FaultContext): Citus {
  return scene.postgres as Citus
}

async function killRepeatedly(ctx: FaultContext, choose: () => Postgres): Promise<void> {
  while (!ctx.isOver()) {
    await ctx.pause(ctx.random.between(3_000, 6_000))
    const node = choose()
    await node.killAll()
    await ctx.pause(ctx.random.between(0, 2_000))
    await node.start()
  }
}

/** Starts after some seconds of load. If a slow machine does not move all shards in time, the last move is stopped. */
async function rebalance(ctx: FaultContext): Promise<void> {
  const citus = citusOf(ctx)
  await ctx.pause(5_000)
  await citus.add(citus.workers.at(-1) as Postgres)
  const startedAt = performance.now()
  await citus.query('select citus_rebalance_start()')
  while (!ctx.isOver() && (await isMoving(citus))) await ctx.pause(500)
  await citus.query(`
    select citus_job_cancel(job_id)
    from pg_dist_background_job
    where job_type = 'rebalance' and state in ('scheduled', 'running')`)
  while (await isMoving(citus)) await sleep(500)
  const seconds = (performance.now() - startedAt) / 1000
  ctx.log(`${await countNew(ctx)} shards of players were moved within ${seconds.toFixed(1)} s`)
  await sleep(5_000)
}

async function isMoving(citus: Citus): Promise<boolean> {
  return ['scheduled', 'running', 'cancelling'].includes(await stateOf(citus))
}

async function stateOf(citus: Citus): Promise<string> {
  const [row] = await citus.query<{ state: string }>('select state::text from citus_rebalance_status()')
  return row?.state ?? 'unknown'
}

async function judgePlaces(ctx: FaultContext): Promise<Finding[]> {
  const moved = await countNew(ctx)
  const state = await stateOf(citusOf(ctx))
  const isGood = moved > 0 && ['finished', 'cancelled'].includes(state)
  const findings = isGood ? [] : [{ what: 'the shards were not moved', example: { moved, state } }]
  return [...findings, ...(await judgeLeftTransactions(ctx))]
}

/** The shards of players on the worker that was added. */
async function countNew(ctx: FaultContext): Promise<number> {
  const citus = citusOf(ctx)
  const [row] = await citus.query<{ count: number }>(
    `select count(*)::int as count from citus_shards where table_name = 'players'::regclass and nodeport = $1`,
    [citus.workers.at(-1)?.port],
  )
  return row?.count ?? 0
}

/** Citus ends transactions that were prepared on two machines when one of them died. None may be left. */
async function judgeLeftTransactions(ctx: FaultContext): Promise<Finding[]> {
  const { coordinator, workers } = citusOf(ctx)
  const deadline = performance.now() + 30_000
  for (;;) {
    const left: object[] = []
    for (const node of [coordinator, ...workers])
      left.push(...(await node.query<object>('select * from pg_prepared_xacts')))
    if (left.length === 0) return []
    if (performance.now() > deadline) return [{ what: 'prepared transactions are left', example: left }]
    await sleep(500)
  }
}
