import type { TurnResult } from '../driver/closed-loop.ts'
import type { Postgres } from '../scene/postgres.ts'
import type { Tally } from '../work/work.ts'

/** One way to do the work: Wheelhouse, or a peer. */
export type Contestant = {
  name: string
  /** Why it can't take part on this machine, if it can't. */
  whyNot?: () => string | undefined
  start: (stage: Stage) => Promise<Entrant>
}

/** What a contestant is started for. */
export type Stage = {
  /** Names what belongs to this scenario, so that each begins afresh. */
  scenario: string
  postgres: Postgres
  /** How many players are there from the start. */
  players: number
  prizes: readonly StagePrize[]
  /** Extra settings for Wheelhouse, from the command line. */
  settings: Record<string, string>
  /** Where to write profiles of Wheelhouse's processor time. */
  profileFolder: string | undefined
}

export type StagePrize = { label: string; weight: number; stock: number }

/** A contestant that runs and is ready for work. */
export type Entrant = {
  name: string
  port: number
  pid: number
  /** Where a profiler can look in. */
  inspectPort?: number
  /** Its service token. */
  token: string
  /**
   * How it answers: Wheelhouse with sessions and proofs, a plain peer without, an echo with what it was sent, for it has no
   * memory. None: it is asked nothing, and takes its turns by itself.
   */
  answers: 'wheelhouse' | 'plain' | 'echo' | 'none'
  ownTurn?: (turn: { connections: number; seconds: number }) => Promise<TurnResult>
  /** Processor time of its database so far. */
  databaseMicros: () => number | undefined
  /** Leaves so many of each prize. */
  setStock: (left: number) => Promise<void>
  /** Throws unless its own store holds exactly what was acknowledged. */
  check: (tally: Tally) => Promise<void>
  stop: () => Promise<void>
}

export function expectEqual(what: string, found: object, acknowledged: object): void {
  if (JSON.stringify(found) === JSON.stringify(acknowledged)) return
  throw new Error(
    `${what}: the store has ${JSON.stringify(found)}, acknowledged were ${JSON.stringify(acknowledged)}`,
  )
}
