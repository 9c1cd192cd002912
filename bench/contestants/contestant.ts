import type { TurnResult } from '../driver/closed-loop.ts'
import type { Postgres } from '../scene/postgres.ts'
import type { Tally } from '../work/work.ts'

/** One way to do the work: Wheelhouse, or a peer. */
export type Contestant = {
  name: string
  /** The reason why it can't run on this machine, or undefined. */
  skipReason?: () => string | undefined
  start: (setup: ScenarioSetup) => Promise<RunningContestant>
}

/** The scenario that a contestant is started for. */
export type ScenarioSetup = {
  /** Part of the database's name, so that each scenario has its own. */
  scenario: string
  postgres: Postgres
  /** The number of players that exist at the start. */
  players: number
  prizes: readonly PrizeSetup[]
  /** Extra settings for Wheelhouse, from the command line. */
  settings: Record<string, string>
  /** The folder for CPU profiles of Wheelhouse. */
  profileFolder: string | undefined
}

export type PrizeSetup = {
  label: string
  weight: number
  stock: number
  /** Released over time, instead of having a stock. */
  isPaced?: boolean
}

/** A contestant that is running and ready for requests. */
export type RunningContestant = {
  name: string
  port: number
  pid: number
  /** The port of Node's inspector, for the profiler. */
  inspectPort?: number
  /** The service token. */
  token: string
  /**
   * The kind of its answers. `wheelhouse`: with sessions and proofs. `plain`: without. `echo`: the values of the
   * request, since it has no memory. `none`: the driver sends it no requests, and `ownTurn` runs its turns.
   */
  answers: 'wheelhouse' | 'plain' | 'echo' | 'none'
  ownTurn?: (turn: { connections: number; seconds: number }) => Promise<TurnResult>
  /** Processor time of its database so far. */
  databaseMicros: () => number | undefined
  /** Sets the remaining stock of each prize. */
  setStock: (left: number) => Promise<void>
  /** Throws unless its store contains exactly what was acknowledged. */
  check: (tally: Tally) => Promise<void>
  stop: () => Promise<void>
}

export function expectEqual(what: string, found: object, acknowledged: object): void {
  if (JSON.stringify(found) === JSON.stringify(acknowledged)) return
  throw new Error(
    `${what}: the store has ${JSON.stringify(found)}, but ${JSON.stringify(acknowledged)} was acknowledged`,
  )
}
