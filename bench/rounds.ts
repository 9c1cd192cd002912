import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, RunningContestant, ScenarioSetup } from './contestants/contestant.ts'
import type { TurnResult } from './driver/closed-loop.ts'
import type { Driver } from './driver/driver.ts'
import type { Cost, Measured } from './measured.ts'
import { Profiler } from './scene/profiler.ts'
import { childrenMicros, processMicros } from './scene/server-process.ts'
import type { WorkSpec } from './work/make-work.ts'
import { makeRandom, emptyTally } from './work/work.ts'

export type Lineup = {
  contestants: readonly Contestant[]
  specOf: (running: RunningContestant, index: number) => WorkSpec
}

/** A running contestant, and the id of its work in the driver. */
type Prepared = { running: RunningContestant; workId: string }

/**
 * Starts contestants, calls `use`, and checks that the store of each has everything it acknowledged. All are started
 * before any of them works; an idle contestant costs next to no processor time. Any wrong or lost answer ends the run.
 */
export async function withContestants(
  driver: Driver,
  setup: ScenarioSetup,
  { contestants, specOf }: Lineup,
  use: (prepared: readonly Prepared[]) => Promise<void>,
): Promise<void> {
  const prepared: Prepared[] = []
  try {
    for (const [index, contestant] of contestants.entries()) {
      const running = await contestant.start(setup)
      const workId = `${setup.scenario}/${running.name}`
      prepared.push({ running, workId })
      if (running.ownTurn === undefined) await driver.prepare(workId, running.port, specOf(running, index))
    }
    await use(prepared)
    for (const { running, workId } of prepared)
      await running.check(running.ownTurn === undefined ? await driver.tally(workId) : emptyTally)
  } finally {
    // All are stopped, even if one fails to stop.
    await Promise.allSettled(prepared.map(({ running }) => running.stop()))
    for (const { workId } of prepared) await driver.forget(workId)
  }
}

type RoundsPlan = {
  connections: readonly number[]
  roundsAt: (connections: number) => number
  seconds: number
  seed: number
}

const pauseMs = 200
/** Code gets faster over its first thousands of runs. For slow contestants, the number of warm-up turns is limited. */
const warmAnswers = 40_000
const warmTurnsMax = 5
const warmConnections = 64

/** Gives every contestant a turn in every round, in random order, so that noise affects all alike. */
export async function playRounds(
  driver: Driver,
  setup: ScenarioSetup,
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
        const result = await takeTurn(driver, one, { connections, seconds: plan.seconds }, setup)
        measured.get(connections)?.push({ ...result, name: one.running.name, round })
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
  // A server may run other code for a single client than for many.
  if (least < most) await takeTurn(driver, one, { connections: least, seconds })
}

/** Several processes of a server are children of the first. */
export function serverMicros(pid: number): number | undefined {
  const [own, children] = [processMicros(pid), childrenMicros(pid)]
  return own === undefined || children === undefined ? undefined : own + children
}

/** One turn in a closed loop. Takes a CPU profile if the setup has a folder for them. */
export async function takeTurn(
  driver: Driver,
  { running, workId }: Prepared,
  { connections, seconds }: { connections: number; seconds: number },
  setup?: ScenarioSetup,
): Promise<TurnResult & { cost: Cost }> {
  await sleep(pauseMs)
  const turn = { port: running.port, connections, seconds }
  const read = () => ({ server: serverMicros(running.pid), database: running.databaseMicros() })
  try {
    const profiler = await profilerOf(setup, running)
    const before = read()
    const result = await (running.ownTurn?.(turn) ?? driver.closedLoop(workId, turn))
    const after = read()
    await profiler?.stop(`${setup?.scenario}-${connections}`, result.answers)
    const each = (part: 'server' | 'database') => {
      const [one, other] = [before[part], after[part]]
      return one === undefined || other === undefined ? undefined : (other - one) / result.answers
    }
    return {
      ...result,
      cost: { server: each('server'), database: each('database'), driver: result.driverMicros },
    }
  } catch (error) {
    throw new Error(`${running.name} at ${connections} connections: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export async function profilerOf(
  setup: ScenarioSetup | undefined,
  { inspectPort }: RunningContestant,
): Promise<Profiler | undefined> {
  if (inspectPort === undefined || setup?.profileFolder === undefined) return undefined
  const profiler = await Profiler.attach(inspectPort, setup.profileFolder)
  await profiler.start()
  return profiler
}

/** Plays until the prize is sold out, and checks that it was not oversold. */
export async function sellOut(driver: Driver, { running, workId }: Prepared): Promise<void> {
  const left = 50
  const before = await driver.tally(workId)
  await running.setStock(left)
  await driver.closedLoop(workId, { port: running.port, connections: 64, seconds: 1 })
  const after = await driver.tally(workId)
  const [plays, wins] = [after.plays - before.plays, after.wins - before.wins]
  if (wins !== Math.min(plays, left))
    throw new Error(`${running.name}: ${wins} of ${plays} plays won a prize of which ${left} were left`)
}

export function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[order[last], order[other]] = [order[other] as T, order[last] as T]
  }
  return order
}
