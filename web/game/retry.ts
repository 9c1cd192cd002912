/** Retries a request for as long as its failure may be temporary, with a growing pause between attempts. */
import { isRefused, type Refused } from './api.ts'

const pausesMs = [400, 800, 1500, 3000, 5000]
const hurried = Symbol('hurried')

export class Retrier {
  #wake: () => void = () => undefined

  /** Sends the request again at once: the player pressed the button, or the connection is back. */
  retryNow(): void {
    this.#wake()
  }

  /**
   * `retryNow` skips the rest of a pause and also abandons a request in flight, which may hang on a lost connection. So
   * `ask` must be safe to repeat, even while an earlier request has no answer yet.
   */
  async run<T extends object>(ask: () => Promise<T | Refused>): Promise<T | Refused> {
    for (let attempt = 0; ; attempt++) {
      const hurry = new Promise<typeof hurried>((resolve) => (this.#wake = () => resolve(hurried)))
      const answer = await Promise.race([ask(), hurry])
      if (answer === hurried) continue
      if (!isRefused(answer) || !answer.isPassing) return answer
      const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)] as number
      await pause(Math.max(pauseMs, answer.waitMs), hurry)
    }
  }
}

async function pause(ms: number, hurry: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([new Promise((resolve) => (timer = setTimeout(resolve, ms))), hurry])
  clearTimeout(timer)
}
