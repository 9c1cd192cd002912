import type { Call } from './history.ts'
import type { Receiver, ApiEvent } from './listeners.ts'
import type { Reading } from './read-back.ts'

/** A broken promise, with one example. */
export type Finding = { what: string; example: unknown }

export type Evidence = {
  calls: readonly Call[]
  reading: Reading
  receiver: Receiver
  /** The events that the reader received during the round. */
  followed: readonly ApiEvent[]
  /** The sequence number of the first event that the webhook must receive. */
  webhookFrom: number
  /** What PostgreSQL wrote about each deadlock. */
  deadlocks: string[]
  /** Refusals that the fault explains, in addition to those of normal play. */
  allowedCodes: readonly string[]
  /** Whether wheels were published or paused during the round; a play may then be refused as outdated. */
  wheelChanges: boolean
  /** The initial stock of each limited prize. Stock is only ever added, so this is also its minimum. */
  stockAtFirst: Readonly<Record<string, number>>
}

/** Broken promises. Each is listed once, with a count. */
export class Findings {
  readonly #seen = new Map<string, { example: unknown; count: number }>()

  add(what: string, example: unknown): void {
    const seen = this.#seen.get(what)
    if (seen === undefined) this.#seen.set(what, { example, count: 1 })
    else seen.count++
  }

  check(holds: boolean, what: string, example: unknown): void {
    if (!holds) this.add(what, example)
  }

  get list(): Finding[] {
    return [...this.#seen].map(([what, { example, count }]) => ({ what: `${what} (${count}×)`, example }))
  }
}
