import type { Contestant } from '../contestants/contestant.ts'
import type { Driver } from '../driver/driver.ts'
import type { Spread } from '../report.ts'
import type { Measured } from '../measured.ts'
import type { Postgres } from '../scene/postgres.ts'

/** A measurement that can be run by name. */
export type Scenario = {
  name: string
  title: string
  /** Its approximate duration. */
  seconds: (bench: Bench) => number
  run: (bench: Bench) => Promise<void>
}

/** The processes and settings that scenarios use, and their results. */
export type Bench = {
  driver: Driver
  postgres: Postgres
  connections: readonly number[]
  /** The number of rounds for a number of connections: more if there is a target for it. */
  roundsAt: (connections: number) => number
  seconds: number
  /** The number of players that exist at the start. */
  players: number
  /** The number of players that play. A number that lets none of them exceed the rate limit for plays. */
  playing: number
  /** Another version of Wheelhouse, if one was given. */
  before: readonly Contestant[]
  /** The size of the ledger in the scenario `growth`. */
  entries: number
  /** The length of the scenario `memory`. */
  minutes: number
  /** The addresses of the scenario `cluster`, if they were given. */
  clusterUrl: string | undefined
  plainUrl: string | undefined
  seed: number
  /** Those of the contestants that were selected and can run on this machine. */
  available: (peers: readonly Contestant[]) => Contestant[]
  settings: Record<string, string>
  profileFolder: string | undefined
  /** Results for the table of targets: turns by `scenario@connections`, and single figures. */
  results: Map<string, Measured[]>
  figures: Map<string, Spread>
}
