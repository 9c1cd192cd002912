/** Asks again and again for as long as the trouble may pass, a little later each time. */
import { isRefused, type Refused } from './api.ts'

const pausesMs = [400, 800, 1500, 3000, 5000]

export class Patience {
  #wake: () => void = () => undefined

  constructor() {
    addEventListener('online', () => this.hurry())
  }

  /** Ends the present pause: the player pressed the button, or the connection is back. */
  hurry(): void {
    this.#wake()
  }

  async until<T extends object>(ask: () => Promise<T | Refused>): Promise<T | Refused> {
    for (let attempt = 0; ; attempt++) {
      const answer = await ask()
      if (!isRefused(answer) || !answer.isPassing) return answer
      const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)] as number
      await this.#pause(Math.max(pauseMs, answer.waitMs))
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
