import assert from 'node:assert/strict'

/**
 * Which events of the log are read, but neither taken by the receiver nor noted for another try. They are settled in any
 * order; the cursor stands just before the oldest that is not.
 */
export class SendingWindow {
  #readTo: number
  #settledTo: number
  /** In the order of the log. Those before `#front` are settled. */
  #open: number[] = []
  #front = 0
  /** Settled, but behind one that is not. */
  readonly #settled = new Set<number>()

  constructor(cursorSeq: number) {
    this.#readTo = cursorSeq
    this.#settledTo = cursorSeq
  }

  /** The last event of the log that was looked at. */
  get readTo(): number {
    return this.#readTo
  }

  /** The newest event that is settled. */
  get settledTo(): number {
    return this.#settledTo
  }

  get cursorSeq(): number {
    const oldest = this.#open[this.#front]
    return oldest === undefined ? this.#readTo : oldest - 1
  }

  /** How far reading is ahead of the cursor. */
  get span(): number {
    return this.#readTo - this.cursorSeq
  }

  /** The log was read up to `readTo`, and these events of it are to be sent. */
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
