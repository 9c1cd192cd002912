/**
 * Measures how fast batches are committed, to tell how long a new item would wait. A batch with few items could have
 * carried more in nearly the same time, so it counts as one of `batchRoom` items: the wait is never estimated too long
 * because there was little to do.
 */
export class CommitRate {
  readonly #batchRoom: number
  #itemMs = 0
  /** The start of the first batch in flight, or the last end of a batch since then. */
  #since = Infinity
  #inFlight = 0

  constructor(batchRoom: number) {
    this.#batchRoom = batchRoom
  }

  begin(now: number): void {
    if (this.#inFlight++ === 0) this.#since = now
  }

  end(size: number, now: number): void {
    const itemMs = (now - this.#since) / Math.max(size, this.#batchRoom)
    this.#itemMs += (itemMs - this.#itemMs) * weightOfLatest
    this.#since = --this.#inFlight === 0 ? Infinity : now
  }

  /** The expected wait behind this many items. If no batch ends, it grows with the time. */
  waitMs(ahead: number, now: number): number {
    return Math.max(ahead * this.#itemMs, now - this.#since)
  }
}

const weightOfLatest = 0.2
