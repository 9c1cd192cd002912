/**
 * Runs a limited number of tasks at once. The others wait: groups take turns, and within a group the order is first
 * in, first out.
 */
export class FairConcurrencyLimit {
  /** The waiting groups, in the order of their turns. */
  readonly #waiting = new Map<number, (() => void)[]>()
  #free: number

  constructor(max: number) {
    this.#free = max
  }

  async run<T>(group: number, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#wait(group, resolve))
    try {
      return await work()
    } finally {
      const next = this.#next()
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(group: number, resolve: () => void): void {
    const own = this.#waiting.get(group)
    if (own === undefined) this.#waiting.set(group, [resolve])
    else own.push(resolve)
  }

  /** The first task of the group whose turn it is. The group then goes to the end of the queue. */
  #next(): (() => void) | undefined {
    const [turn] = this.#waiting
    if (turn === undefined) return undefined
    const [group, own] = turn
    const next = own.shift()
    this.#waiting.delete(group)
    if (own.length > 0) this.#waiting.set(group, own)
    return next
  }
}
