import { setTimeout as sleep } from 'node:timers/promises'
import type { Contestant, Entrant, Stage } from './contestants/contestant.ts'
import type { TurnResult } from './driver/closed-loop.ts'
import type { Driver } from './driver/driver.ts'
import { processMicros } from './scene/server-process.ts'
import type { WorkSpec } from './work/make-work.ts'
import { makeRandom, nothing } from './work/work.ts'

/** One contestant's turn in one round. Cost is processor time for each answer, in microseconds. */
export type Measured = TurnResult & { name: string; round: number; cost: Cost }
export type Cost = { server: number | undefined; database: number | undefined; driver: number }

export type RoundsPlan = {
  contestants: readonly Contestant[]
  specOf: (entrant: Entrant, index: number) => WorkSpec
  connections: readonly number[]
  rounds: number
  seconds: number
  seed: number
  sellsOut: boolean
}

const pauseMs = 200

/**
 * Gives every contestant a turn in every round, in an order that changes, so that noise hits all alike. All are started
 * first and stay; a round before the first warms them up and is not counted. At the end, what was acknowledged is
 * looked for in each contestant's store. Any wrong or lost answer ends it.
 */
export async function playRounds(
  driver: Driver,
  stage: Stage,
  plan: RoundsPlan,
): Promise<Map<number, Measured[]>> {
  const entrants: Entrant[] = []
  const measured = new Map<number, Measured[]>(plan.connections.map((connections) => [connections, []]))
  try {
    for (const [index, contestant] of plan.contestants.entries()) {
      const entrant = await contestant.start(stage)
      entrants.push(entrant)
      if (entrant.ownTurn === undefined)
        await driver.prepare(workId(stage, entrant), entrant.port, plan.specOf(entrant, index))
    }
    const random = makeRandom(plan.seed)
    for (let round = 0; round <= plan.rounds; round++) {
      for (const connections of plan.connections) {
        for (const entrant of shuffled(entrants, random)) {
          await sleep(pauseMs)
          const turn = {
            port: entrant.port,
            connections,
            seconds: round === 0 ? warmSeconds(plan) : plan.seconds,
          }
          const result = await takeTurn(driver, stage, entrant, turn)
          if (round > 0) measured.get(connections)?.push({ ...result, name: entrant.name, round })
        }
      }
    }
    for (const entrant of entrants) {
      if (plan.sellsOut) await sellOut(driver, stage, entrant)
      const isAsked = entrant.ownTurn === undefined
      await entrant.check(isAsked ? await driver.tally(workId(stage, entrant)) : nothing)
    }
    return measured
  } finally {
    for (const entrant of entrants) await entrant.stop()
  }
}

async function takeTurn(
  driver: Driver,
  stage: Stage,
  entrant: Entrant,
  turn: { port: number; connections: number; seconds: number },
): Promise<TurnResult & { cost: Cost }> {
  const read = () => ({ server: processMicros(entrant.pid), database: entrant.databaseMicros() })
  const before = read()
  try {
    const result = await (entrant.ownTurn?.(turn) ?? driver.closedLoop(workId(stage, entrant), turn))
    const after = read()
    const each = (one: number | undefined, other: number | undefined) =>
      one === undefined || other === undefined ? undefined : (other - one) / result.answers
    const cost = {
      server: each(before.server, after.server),
      database: each(before.database, after.database),
      driver: result.driverMicros,
    }
    return { ...result, cost }
  } catch (error) {
    throw new Error(`${entrant.name} at ${turn.connections} connections: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Plays on until the prize is gone, and looks that not one too many was won. */
async function sellOut(driver: Driver, stage: Stage, entrant: Entrant): Promise<void> {
  const left = 50
  const id = workId(stage, entrant)
  const before = await driver.tally(id)
  await entrant.setStock(left)
  await driver.closedLoop(id, { port: entrant.port, connections: 64, seconds: 1 })
  const after = await driver.tally(id)
  const [plays, wins] = [after.plays - before.plays, after.wins - before.wins]
  if (wins !== Math.min(plays, left))
    throw new Error(`${entrant.name}: ${wins} of ${plays} plays won a prize of which ${left} were left`)
}

function workId(stage: Stage, entrant: Entrant): string {
  return `${stage.scenario}/${entrant.name}`
}

function warmSeconds(plan: RoundsPlan): number {
  return Math.min(2, plan.seconds)
}

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[order[last], order[other]] = [order[other] as T, order[last] as T]
  }
  return order
}
