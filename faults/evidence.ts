import type { Call } from './history.ts'
import type { Receiver, ToldEvent } from './listeners.ts'
import type { Reading } from './read-back.ts'

/** A promise that was not kept, and one case of it. */
export type Finding = { what: string; example: unknown }

export type Evidence = {
  calls: readonly Call[]
  reading: Reading
  receiver: Receiver
  /** What the reader was told along the way. */
  followed: readonly ToldEvent[]
  /** The first event that the webhook had to be sent. */
  webhookFrom: number
  deadlocks: number
  /** Refusals that this fault explains, besides those that belong to the game. */
  allowedCodes: readonly string[]
  /** Whether wheels were published or paused meanwhile: then a play may be out of date by that. */
  wheelChanges: boolean
  /** How many of each limited prize there were, at the least, while the round went on. */
  stockAtFirst: Readonly<Record<string, number>>
}

/** Promises that were not kept, each once, with how often. */
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
