/** Sleeps until a time or a call, whichever comes first. A call while nobody sleeps shortens the next sleep to nothing. */
export class Alarm {
  #isCalled = false
  #wake: () => void = () => undefined

  /** `at` is a time of `performance.now()`. */
  async sleepUntil(at: number): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, at - performance.now()))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isCalled = false
    this.#wake = () => undefined
  }

  call(): void {
    this.#isCalled = true
    this.#wake()
  }
}
