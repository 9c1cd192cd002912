import assert from 'node:assert/strict'

/**
 * The events that were read from the log, but are neither accepted by the receiver nor stored for a retry. They are
 * settled in any order; the cursor is just before the oldest unsettled one.
 */
export class SendingWindow {
  #readTo: number
  #settledTo: number
  /** In the order of the log. The ones before `#front` are settled. */
  #open: number[] = []
  #front = 0
  /** Settled, but behind an unsettled one. */
  readonly #settled = new Set<number>()

  constructor(cursorSeq: number) {
    this.#readTo = cursorSeq
    this.#settledTo = cursorSeq
  }

  /** The last event of the log that was read. */
  get readTo(): number {
    return this.#readTo
  }

  /** The newest settled event. */
  get settledTo(): number {
    return this.#settledTo
  }

  get cursorSeq(): number {
    const oldest = this.#open[this.#front]
    return oldest === undefined ? this.#readTo : oldest - 1
  }

  /** How far the reader is ahead of the cursor. */
  get span(): number {
    return this.#readTo - this.cursorSeq
  }

  /** Call this after reading the log up to `readTo`; `seqs` are the events to send. */
  add(seqs: readonly number[], readTo: number): void {
    assert(readTo >= this.#readTo && seqs.every((seq) => seq > this.#readTo && seq <= readTo))
    this.#open = [...this.#open.slice(this.#front), ...seqs]
    this.#front = 0
    this.#readTo = readTo
  }

  settle(seq: number): void {
    this.#settled.add(seq)
    this.#settledTo = Math.max(this.#settledTo, seq)
    while (this.#front < this.#open.length && this.#settled.delete(this.#open[this.#front] as number))
      this.#front++
  }
}
