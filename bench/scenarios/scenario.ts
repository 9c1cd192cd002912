import type { Contestant } from '../contestants/contestant.ts'
import type { Driver } from '../driver/driver.ts'
import type { Spread } from '../report.ts'
import type { Measured } from '../measured.ts'
import type { Postgres } from '../scene/postgres.ts'

/** Something to find out. */
export type Scenario = {
  name: string
  title: string
  /** About how long it takes. */
  seconds: (bench: Bench) => number
  run: (bench: Bench) => Promise<void>
}

/** What scenarios run with. */
export type Bench = {
  driver: Driver
  postgres: Postgres
  connections: readonly number[]
  /** How many rounds are played with so many connections: more where a target is judged. */
  roundsAt: (connections: number) => number
  seconds: number
  /** How many players there are from the start. */
  players: number
  /** How far the ledger grows. */
  entries: number
  /** How long memory is watched. */
  minutes: number
  seed: number
  /** Of these peers, those that were asked for and that can be run here. */
  takingPart: (peers: readonly Contestant[]) => Contestant[]
  settings: Record<string, string>
  profileFolder: string | undefined
  /** What was measured, for the table of targets: turns by `scenario@connections`, and single figures. */
  results: Map<string, Measured[]>
  figures: Map<string, Spread>
}
