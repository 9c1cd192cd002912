/** Runs a limited number of tasks at once. A limited number wait, first in, first out; further tasks are refused. */
export class ConcurrencyLimit {
  readonly #waitingMax: number
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor({ max, waitingMax }: { max: number; waitingMax: number }) {
    this.#free = max
    this.#waitingMax = waitingMax
  }

  /** Undefined if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined {
    return this.#free > 0 || this.#waiting.length < this.#waitingMax ? this.#inTurn(work) : undefined
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
