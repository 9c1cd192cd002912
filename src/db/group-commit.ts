import assert from 'node:assert/strict'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { Refusal } from '../refusals.ts'
import { DatabaseFailure } from './database-fault.ts'

export type GroupCommitOptions<Item, Verdict> = {
  /** Carries out items in one transaction, with a verdict for each in the order given. Safe to call again. */
  run: (items: readonly Item[]) => Promise<Verdict[]>
  /** Items of one lane never share a moment with each other in two batches. The same player is always in the same lane. */
  laneOf: (item: Item) => number
  /** Whose turn it is goes by this. */
  merchantOf: (item: Item) => number
  laneCount: number
  batchMax: number
  queueMax: number
  queueMaxPerMerchant: number
  /** An item that has waited longer is turned away. */
  waitMaxMs: number
  onBatch?: (batch: { size: number; waitedMs: number }) => void
}

/**
 * Lets concurrent work share transactions. There is no timer: a lane that is free takes what is there at the end of this
 * turn of the event loop, and what arrives while it works rides in its next batch. So one caller alone waits for nobody,
 * and the more callers, the larger the batches.
 */
export class GroupCommit<Item, Verdict> {
  readonly #options: GroupCommitOptions<Item, Verdict>
  readonly #lanes: Lane<Item, Verdict>[]
  readonly #waitingOf = new Map<number, number>()
  readonly #sweeper: NodeJS.Timeout
  #waiting = 0
  #isClosed = false

  constructor(options: GroupCommitOptions<Item, Verdict>) {
    this.#options = options
    this.#lanes = Array.from({ length: options.laneCount }, () => ({
      turns: new Map(),
      isBusy: false,
      working: Promise.resolve(),
    }))
    this.#sweeper = setInterval(() => this.#turnAwayLate(), sweepMs).unref()
  }

  get queueLength(): number {
    return this.#waiting
  }

  /** Whether an item of this merchant would be refused now. */
  isFullFor(merchant: number): boolean {
    const { queueMax, queueMaxPerMerchant } = this.#options
    return this.#waiting >= queueMax || (this.#waitingOf.get(merchant) ?? 0) >= queueMaxPerMerchant
  }

  /** Answers when the item is committed, or refuses at once when too much is waiting already. */
  submit(item: Item): Promise<Verdict> {
    const { laneOf, laneCount, merchantOf } = this.#options
    const merchant = merchantOf(item)
    if (this.#isClosed || this.isFullFor(merchant)) return Promise.reject(overloaded())
    const lane = this.#lanes[laneOf(item) % laneCount] as Lane<Item, Verdict>
    return new Promise((resolve, reject) => {
      const turn = lane.turns.get(merchant) ?? []
      turn.push({ item, merchant, resolve, reject, since: performance.now() })
      lane.turns.set(merchant, turn)
      this.#count(merchant, 1)
      if (!lane.isBusy) lane.working = this.#work(lane)
    })
  }

  /** Waits until everything that was submitted is answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#lanes.map((lane) => lane.working))
    clearInterval(this.#sweeper)
  }

  async #work(lane: Lane<Item, Verdict>): Promise<void> {
    lane.isBusy = true
    // Requests that arrived together travel together, and nobody waits for it.
    await endOfTurn()
    for (;;) {
      const batch = this.#takeBatch(lane)
      if (batch.length === 0) break
      await this.#carryOut(batch)
    }
    lane.isBusy = false
  }

  /** One item of each merchant in turn, so that a flood of one takes no more than its share of every batch. */
  #takeBatch(lane: Lane<Item, Verdict>): Waiting<Item, Verdict>[] {
    const batch: Waiting<Item, Verdict>[] = []
    for (const [merchant, turn] of lane.turns) {
      batch.push(turn.shift() as Waiting<Item, Verdict>)
      this.#count(merchant, -1)
      // To the end of the line, where this loop comes by again; the next batch begins with another merchant.
      lane.turns.delete(merchant)
      if (turn.length > 0) lane.turns.set(merchant, turn)
      if (batch.length >= this.#options.batchMax) break
    }
    return batch
  }

  /** Refuses what has waited too long for a lane that is held up: its sender is better off knowing. */
  #turnAwayLate(): void {
    const since = performance.now() - this.#options.waitMaxMs
    for (const lane of this.#lanes) {
      for (const [merchant, turn] of lane.turns) {
        while (turn[0] !== undefined && turn[0].since < since) {
          turn.shift()?.reject(overloaded())
          this.#count(merchant, -1)
        }
        if (turn.length === 0) lane.turns.delete(merchant)
      }
    }
  }

  #count(merchant: number, change: 1 | -1): void {
    this.#waiting += change
    const waiting = (this.#waitingOf.get(merchant) ?? 0) + change
    if (waiting === 0) this.#waitingOf.delete(merchant)
    else this.#waitingOf.set(merchant, waiting)
  }

  /** An item that breaks its batch is found by halving; the others are done all the same. */
  async #carryOut(batch: readonly Waiting<Item, Verdict>[]): Promise<void> {
    try {
      const oldest = Math.min(...batch.map(({ since }) => since))
      this.#options.onBatch?.({ size: batch.length, waitedMs: performance.now() - oldest })
      const verdicts = await this.#options.run(batch.map(({ item }) => item))
      assert.equal(verdicts.length, batch.length)
      for (const [index, { resolve }] of batch.entries()) resolve(verdicts[index] as Verdict)
    } catch (error) {
      const isOurMistake =
        !(error instanceof Refusal) && !(error instanceof DatabaseFailure && error.isPassing)
      if (batch.length === 1 || !isOurMistake) {
        for (const { reject } of batch) reject(error)
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await this.#carryOut(batch.slice(0, middle))
      await this.#carryOut(batch.slice(middle))
    }
  }
}

const sweepMs = 100

type Waiting<Item, Verdict> = {
  item: Item
  merchant: number
  resolve: (verdict: Verdict) => void
  reject: (error: unknown) => void
  since: number
}

/** What waits, by merchant in the order of turns. A merchant without anything waiting is not in it. */
type Lane<Item, Verdict> = {
  turns: Map<number, Waiting<Item, Verdict>[]>
  isBusy: boolean
  working: Promise<void>
}

export function overloaded(): Refusal {
  return new Refusal('overloaded', { headers: { 'Retry-After': '1' } })
}
