/**
 * Sleeps until a given time or a call of `wake`, whichever comes first. If `wake` is called before the sleep, the
 * sleep ends at once.
 */
export class WakeableSleep {
  #isWoken = false
  #endSleep: () => void = () => undefined

  /** `at` is a time of `performance.now()`. */
  async until(at: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, at - performance.now()))
        this.#endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = false
    this.#endSleep = () => undefined
  }

  wake(): void {
    this.#isWoken = true
    this.#endSleep()
  }
}
