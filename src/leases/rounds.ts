/** Tasks that run later, once or again and again. When it is closed, those that run are waited for. */
export class Rounds {
  readonly #onTrouble: (error: unknown) => void
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  #isClosed = true

  constructor(onTrouble: (error: unknown) => void) {
    this.#onTrouble = onTrouble
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  open(): void {
    this.#isClosed = false
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running)
  }

  /** Repeats work with a pause, varied a little so that processes don't run in step. */
  every(pauseMs: number, work: () => Promise<void>): void {
    const run = async () => {
      try {
        await work()
      } catch (error) {
        // Most likely the database is unavailable. The next run tries again.
        this.#onTrouble(error)
      }
      if (!this.#isClosed) this.later(pauseMs * (0.9 + 0.2 * Math.random()), run)
    }
    this.later(0, run)
  }

  later(pauseMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const running = work().finally(() => this.#running.delete(running))
      this.#running.add(running)
    }, pauseMs)
    this.#timers.add(timer)
  }
}
