import type { Database } from '../db/database.ts'
import { merchantsWithRecentRequestsMax, recentRequestsMax } from './request-limits.ts'
import { insertRequests, pruneRequests, readRequests, type RecentRequest } from './request-rows.ts'

/**
 * The last requests of each merchant. They wait in memory for the next flush, so that a request costs no write.
 * Refusals are kept separately: among thousands of successful requests a second they would be lost at once. A process
 * that is killed loses the last seconds.
 */
export class RecentRequests {
  readonly #db: Database
  #waiting = new Map<number, Waiting>()
  #flushing = Promise.resolve()
  /** Orders requests of one millisecond. */
  #noted = 0

  constructor(db: Database) {
    this.#db = db
  }

  note(merchantId: number, request: RecentRequest): void {
    const waiting = this.#waiting.get(merchantId) ?? this.#begin(merchantId)
    request.order = this.#noted++
    waiting[request.status >= 400 ? 'refused' : 'others'].push(request)
  }

  /** The newest first: those of all processes, as far as they have written them. */
  async list(merchantId: number, only: 'all' | 'refused', limit: number): Promise<RecentRequest[]> {
    await this.flush()
    const found = await readRequests(this.#db, merchantId, only)
    const newestFirst = (one: RecentRequest, other: RecentRequest) =>
      other.at - one.at || (other.order ?? 0) - (one.order ?? 0)
    return found.toSorted(newestFirst).slice(0, limit)
  }

  /** Writes what is in memory, after a flush that still runs. What can't be written waits for the next one. */
  flush(now = new Date()): Promise<void> {
    const write = () => this.#write(now)
    this.#flushing = this.#flushing.then(write, write)
    return this.#flushing
  }

  async #write(now: Date): Promise<void> {
    const taken = this.#waiting
    if (taken.size === 0) return
    this.#waiting = new Map()
    try {
      const requests = [...taken].flatMap(([merchantId, { others, refused }]) =>
        [...others.oldestFirst(), ...refused.oldestFirst()].map((request) => ({ merchantId, request })),
      )
      await insertRequests(this.#db, requests, now)
    } catch (error) {
      const newer = this.#waiting
      this.#waiting = taken
      for (const [merchantId, { others, refused }] of newer)
        for (const request of [...others.oldestFirst(), ...refused.oldestFirst()])
          this.note(merchantId, request)
      throw error
    }
    await pruneRequests(this.#db, [...taken.keys()], now)
  }

  async close(onTrouble: (error: unknown) => void): Promise<void> {
    await this.flush().catch(onTrouble)
  }

  #begin(merchantId: number): Waiting {
    // Those of the oldest merchant are dropped.
    const [eldest] = this.#waiting.keys()
    if (this.#waiting.size >= merchantsWithRecentRequestsMax && eldest !== undefined)
      this.#waiting.delete(eldest)
    const waiting = { others: new Ring(), refused: new Ring() }
    this.#waiting.set(merchantId, waiting)
    return waiting
  }
}

type Waiting = { others: Ring; refused: Ring }

class Ring {
  readonly #places: RecentRequest[] = []
  #next = 0

  push(request: RecentRequest): void {
    this.#places[this.#next] = request
    this.#next = (this.#next + 1) % recentRequestsMax
  }

  oldestFirst(): RecentRequest[] {
    return [...this.#places.slice(this.#next), ...this.#places.slice(0, this.#next)]
  }
}
