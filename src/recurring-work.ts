/**
 * Background work that repeats, never twice at once. If it returns that there is more to do, it runs again at once,
 * otherwise after a pause. Errors are reported, and the work runs again after the pause.
 */
export class RecurringWork {
  readonly #options: {
    pauseMs: number
    work: () => Promise<'more' | 'done'>
    onTrouble: (error: unknown) => void
  }
  #timer: NodeJS.Timeout | undefined
  #working = Promise.resolve()
  #isClosed = false

  constructor(options: {
    pauseMs: number
    work: () => Promise<'more' | 'done'>
    onTrouble: (error: unknown) => void
  }) {
    this.#options = options
  }

  start(): void {
    this.#working = this.#run()
  }

  /** Waits for the current step. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#working
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isClosed && (await this.#options.work()) === 'more');
    } catch (error) {
      this.#options.onTrouble(error)
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), this.#options.pauseMs).unref()
  }
}
