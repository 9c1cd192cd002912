import type { Database } from '../db/database.ts'
import { eventFeedIntervalMs } from '../limits.ts'
import { RecurringWork } from '../recurring-work.ts'
import { readStreams } from './event-streams.ts'
import type { EventSequencer } from './sequencer.ts'

/**
 * Wakes the readers in this process when a merchant has new events: at once if this process numbered them, within a
 * second if another did. It queries the database only while a reader waits, with one query for all readers.
 */
export class EventFeed {
  readonly #options: { db: Database; sequencer: EventSequencer; onTrouble: (error: unknown) => void }
  readonly #watchers = new Map<number, Set<() => void>>()
  readonly #lastKnown = new Map<number, number>()
  #looking: RecurringWork | undefined
  #stopListening: (() => void) | undefined
  #isClosed = false

  constructor(options: { db: Database; sequencer: EventSequencer; onTrouble: (error: unknown) => void }) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * Calls `wake` when there may be new events, until the returned function is called. Watch first, then read: events
   * numbered in between also wake the reader.
   */
  watch(merchantId: number, wake: () => void): () => void {
    if (this.#isClosed) setImmediate(wake)
    const own = this.#watchers.get(merchantId) ?? new Set()
    this.#watchers.set(merchantId, own.add(wake))
    this.#begin()
    return () => {
      own.delete(wake)
      if (own.size > 0 || this.#watchers.get(merchantId) !== own) return
      this.#watchers.delete(merchantId)
      this.#lastKnown.delete(merchantId)
      if (this.#watchers.size === 0) void this.#pause()
    }
  }

  /** Wakes all readers for the last time: the server is about to stop. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake([...this.#watchers.keys()])
    await this.#pause()
  }

  #begin(): void {
    if (this.#isClosed || this.#looking !== undefined) return
    this.#stopListening = this.#options.sequencer.onNumbered((merchantIds) => this.#wake(merchantIds))
    this.#looking = new RecurringWork({
      pauseMs: eventFeedIntervalMs,
      work: () => this.#look(),
      onTrouble: this.#options.onTrouble,
    })
    this.#looking.start()
  }

  async #pause(): Promise<void> {
    const looking = this.#looking
    this.#looking = undefined
    this.#stopListening?.()
    await looking?.close()
  }

  async #look(): Promise<'done'> {
    const watched = [...this.#watchers.keys()]
    if (watched.length === 0) return 'done'
    const streams = await readStreams(this.#options.db, watched)
    const grown = streams.filter(({ merchantId, nextSeq }) => this.#lastKnown.get(merchantId) !== nextSeq)
    for (const { merchantId, nextSeq } of grown) this.#lastKnown.set(merchantId, nextSeq)
    this.#wake(grown.map((stream) => stream.merchantId))
    return 'done'
  }

  #wake(merchantIds: readonly number[]): void {
    for (const merchantId of merchantIds) for (const wake of this.#watchers.get(merchantId) ?? []) wake()
  }
}
