import type { Database } from '../db/database.ts'
import { liveBatchMax } from '../limits.ts'
import type { EventFeed } from './event-feed.ts'
import { type LoggedEvent, scanEvents } from './event-log.ts'

/** Receives a merchant's events as they are numbered. */
export type LiveReader = {
  /** The number of the last event that it received. */
  after: number
  deliver: (events: readonly LoggedEvent[]) => void
  /** The stream ends: the server stops, or the log could not be read. The reader reconnects from its position. */
  end: () => void
}

/** Reads the newest events once per merchant, however many readers this process has. */
export class LiveEvents {
  readonly #options: { db: Database; feed: EventFeed; onTrouble: (error: unknown) => void }
  readonly #tails = new Map<number, Tail>()

  constructor(options: { db: Database; feed: EventFeed; onTrouble: (error: unknown) => void }) {
    this.#options = options
  }

  /**
   * Adds a reader and returns the function that removes it. A reader that is behind the shared position is not added:
   * it must read the log itself until it has caught up.
   */
  join(merchantId: number, reader: LiveReader): (() => void) | undefined {
    const tail = this.#tails.get(merchantId) ?? this.#open(merchantId, reader.after)
    if (tail.after > reader.after) return undefined
    tail.readers.add(reader)
    void this.#read(merchantId, tail)
    return () => {
      tail.readers.delete(reader)
      if (tail.readers.size === 0) this.#drop(merchantId, tail)
    }
  }

  #open(merchantId: number, after: number): Tail {
    const tail: Tail = {
      after,
      readers: new Set(),
      isReading: false,
      isCalled: false,
      unwatch: () => undefined,
    }
    this.#tails.set(merchantId, tail)
    tail.unwatch = this.#options.feed.watch(merchantId, () => void this.#read(merchantId, tail))
    return tail
  }

  async #read(merchantId: number, tail: Tail): Promise<void> {
    tail.isCalled = true
    if (tail.isReading) return
    tail.isReading = true
    try {
      while (tail.isCalled && tail.readers.size > 0) await this.#readOn(merchantId, tail)
      if (this.#options.feed.isClosed) this.#endAll(merchantId, tail)
    } catch (error) {
      this.#options.onTrouble(error)
      this.#endAll(merchantId, tail)
    }
    tail.isReading = false
  }

  async #readOn(merchantId: number, tail: Tail): Promise<void> {
    tail.isCalled = false
    const { db } = this.#options
    const { events, next, last } = await scanEvents(db, {
      merchantId,
      after: tail.after,
      limit: liveBatchMax,
    })
    tail.after = next
    if (next < last) tail.isCalled = true
    if (events.length === 0) return
    for (const reader of tail.readers) {
      // A reader that joined may be ahead of the others.
      const fresh = events.filter((event) => event.seq > reader.after)
      reader.after = Math.max(reader.after, next)
      if (fresh.length > 0) reader.deliver(fresh)
    }
  }

  #endAll(merchantId: number, tail: Tail): void {
    const readers = [...tail.readers]
    tail.readers.clear()
    this.#drop(merchantId, tail)
    for (const reader of readers) reader.end()
  }

  #drop(merchantId: number, tail: Tail): void {
    tail.unwatch()
    if (this.#tails.get(merchantId) === tail) this.#tails.delete(merchantId)
  }
}

/** The shared position in a merchant's events, and its readers. */
type Tail = {
  after: number
  readers: Set<LiveReader>
  isReading: boolean
  /** Events were numbered after the current read began. */
  isCalled: boolean
  unwatch: () => void
}
