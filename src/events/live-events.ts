import type { Database } from '../db/database.ts'
import { liveBatchMax } from '../limits.ts'
import type { EventFeed } from './event-feed.ts'
import { type LoggedEvent, scanEvents } from './event-log.ts'

/** Gets a merchant's events as they come. */
export type LiveReader = {
  /** The number of the last event that it has. */
  after: number
  deliver: (events: readonly LoggedEvent[]) => void
  /** Nothing more comes: the server stops, or the log could not be read. The reader begins again where it was. */
  end: () => void
}

/** The newest events, read once for each merchant, however many look on in this process. */
export class LiveEvents {
  readonly #options: { db: Database; feed: EventFeed; onTrouble: (error: unknown) => void }
  readonly #tails = new Map<number, Tail>()

  constructor(options: { db: Database; feed: EventFeed; onTrouble: (error: unknown) => void }) {
    this.#options = options
  }

  /**
   * Lets a reader look on, and answers with the way out. A reader that is behind those who look on already gets nothing:
   * it has to read on its own until it has caught up.
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
      // Who joined was perhaps ahead of the others.
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

/** How far the common reading of a merchant's events has come, and who looks on. */
type Tail = {
  after: number
  readers: Set<LiveReader>
  isReading: boolean
  /** There is more to read than the reading under way will see. */
  isCalled: boolean
  unwatch: () => void
}
