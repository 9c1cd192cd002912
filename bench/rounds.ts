import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, Entrant, Stage } from './contestants/contestant.ts'
import type { TurnResult } from './driver/closed-loop.ts'
import type { Driver } from './driver/driver.ts'
import type { Cost, Measured } from './measured.ts'
import { Profiler } from './scene/profiler.ts'
import { processMicros } from './scene/server-process.ts'
import type { WorkSpec } from './work/make-work.ts'
import { makeRandom, nothing } from './work/work.ts'

export type Lineup = {
  contestants: readonly Contestant[]
  specOf: (entrant: Entrant, index: number) => WorkSpec
}

/** A contestant that runs, and its work in the driver. */
export type Prepared = { entrant: Entrant; workId: string }

/**
 * Starts contestants, lets `use` work with them, and looks for what was acknowledged in the store of each. All are
 * started before any works; whoever is not at work costs next to nothing. Any wrong or lost answer ends it.
 */
export async function withEntrants(
  driver: Driver,
  stage: Stage,
  { contestants, specOf }: Lineup,
  use: (prepared: readonly Prepared[]) => Promise<void>,
): Promise<void> {
  const prepared: Prepared[] = []
  try {
    for (const [index, contestant] of contestants.entries()) {
      const entrant = await contestant.start(stage)
      const workId = `${stage.scenario}/${entrant.name}`
      prepared.push({ entrant, workId })
      if (entrant.ownTurn === undefined) await driver.prepare(workId, entrant.port, specOf(entrant, index))
    }
    await use(prepared)
    for (const { entrant, workId } of prepared)
      await entrant.check(entrant.ownTurn === undefined ? await driver.tally(workId) : nothing)
  } finally {
    // All are stopped, whatever becomes of one.
    await Promise.allSettled(prepared.map(({ entrant }) => entrant.stop()))
    for (const { workId } of prepared) await driver.forget(workId)
  }
}

export type RoundsPlan = {
  connections: readonly number[]
  roundsAt: (connections: number) => number
  seconds: number
  seed: number
}

const pauseMs = 200
/** Code gets cheaper over its first thousands of runs. Who is slow to get there is waited for no longer than this. */
const warmAnswers = 40_000
const warmTurnsMax = 5
const warmConnections = 64

/** Gives every contestant a turn in every round, in an order that changes, so that noise hits all alike. */
export async function playRounds(
  driver: Driver,
  stage: Stage,
  prepared: readonly Prepared[],
  plan: RoundsPlan,
): Promise<Map<number, Measured[]>> {
  const measured = new Map<number, Measured[]>(plan.connections.map((connections) => [connections, []]))
  const random = makeRandom(plan.seed)
  const rounds = Math.max(...plan.connections.map(plan.roundsAt))
  for (const one of prepared) await warmUp(driver, one, plan)
  for (let round = 1; round <= rounds; round++) {
    for (const connections of plan.connections.filter((count) => round <= plan.roundsAt(count))) {
      for (const one of shuffled(prepared, random)) {
        const result = await takeTurn(driver, one, { connections, seconds: plan.seconds }, stage)
        measured.get(connections)?.push({ ...result, name: one.entrant.name, round })
      }
    }
  }
  return measured
}

export async function warmUp(
  driver: Driver,
  one: Prepared,
  { connections, seconds }: Pick<RoundsPlan, 'connections' | 'seconds'>,
): Promise<void> {
  const [least, most] = [Math.min(...connections), Math.max(...connections, warmConnections)]
  let answers = 0
  for (let turn = 1; turn <= warmTurnsMax && answers < warmAnswers; turn++)
    answers += (await takeTurn(driver, one, { connections: most, seconds })).answers
  // What is done for one alone may be other code than what is done for many.
  if (least < most) await takeTurn(driver, one, { connections: least, seconds })
}

/** One turn in a closed loop. With a stage that asks for profiles, one is taken. */
export async function takeTurn(
  driver: Driver,
  { entrant, workId }: Prepared,
  { connections, seconds }: { connections: number; seconds: number },
  stage?: Stage,
): Promise<TurnResult & { cost: Cost }> {
  await sleep(pauseMs)
  const turn = { port: entrant.port, connections, seconds }
  const read = () => ({ server: processMicros(entrant.pid), database: entrant.databaseMicros() })
  try {
    const profiler = await profilerOf(stage, entrant)
    const before = read()
    const result = await (entrant.ownTurn?.(turn) ?? driver.closedLoop(workId, turn))
    const after = read()
    await profiler?.stop(`${stage?.scenario}-${connections}`, result.answers)
    const each = (part: 'server' | 'database') => {
      const [one, other] = [before[part], after[part]]
      return one === undefined || other === undefined ? undefined : (other - one) / result.answers
    }
    return {
      ...result,
      cost: { server: each('server'), database: each('database'), driver: result.driverMicros },
    }
  } catch (error) {
    throw new Error(`${entrant.name} at ${connections} connections: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function profilerOf(stage: Stage | undefined, { inspectPort }: Entrant): Promise<Profiler | undefined> {
  if (inspectPort === undefined || stage?.profileFolder === undefined) return undefined
  const profiler = await Profiler.attach(inspectPort, stage.profileFolder)
  await profiler.start()
  return profiler
}

/** Plays on until the prize is gone, and looks that not one too many was won. */
export async function sellOut(driver: Driver, { entrant, workId }: Prepared): Promise<void> {
  const left = 50
  const before = await driver.tally(workId)
  await entrant.setStock(left)
  await driver.closedLoop(workId, { port: entrant.port, connections: 64, seconds: 1 })
  const after = await driver.tally(workId)
  const [plays, wins] = [after.plays - before.plays, after.wins - before.wins]
  if (wins !== Math.min(plays, left))
    throw new Error(`${entrant.name}: ${wins} of ${plays} plays won a prize of which ${left} were left`)
}

export function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[order[last], order[other]] = [order[other] as T, order[last] as T]
  }
  return order
}
