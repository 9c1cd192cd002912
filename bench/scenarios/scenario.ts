import type { Contestant } from '../contestants/contestant.ts'
import type { Driver } from '../driver/driver.ts'
import type { Measured } from '../rounds.ts'
import type { Postgres } from '../scene/postgres.ts'

/** Something to find out. */
export type Scenario = { name: string; title: string; run: (bench: Bench) => Promise<void> }

/** What scenarios run with. */
export type Bench = {
  driver: Driver
  postgres: Postgres
  connections: readonly number[]
  rounds: number
  seconds: number
  seed: number
  /** Of these peers, those that were asked for and that can be run here. */
  takingPart: (peers: readonly Contestant[]) => Contestant[]
  settings: Record<string, string>
  /** What was measured, for the table of targets: turns by `scenario@connections`. */
  results: Map<string, Measured[]>
}
