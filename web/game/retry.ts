/** Asks again and again for as long as the trouble may pass, a little later each time. */
import { isRefused, type Refused } from './api.ts'

const pausesMs = [400, 800, 1500, 3000, 5000]
const hurried = Symbol('hurried')

export class Patience {
  #wake: () => void = () => undefined

  /** Asks anew at once: the player pressed the button, or the connection is back. */
  hurry(): void {
    this.#wake()
  }

  /**
   * Who is told to hurry waits neither for the rest of a pause nor for a request that is under way, since that may hang
   * on a connection that is gone. `ask` must be safe to repeat, also while an earlier one has not been answered.
   */
  async until<T extends object>(ask: () => Promise<T | Refused>): Promise<T | Refused> {
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
