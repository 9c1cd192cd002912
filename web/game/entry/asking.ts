/** Asks the server until there is an answer, and says when that takes long. */
import { isRefused, type Refused } from '../api.ts'
import { Retrier } from '../retry.ts'

const slowAfterMs = 3_000

export class Asking {
  readonly #retrier = new Retrier()
  #onSlow: () => void = () => undefined
  /** A request is on its way. A press of the form's button sends it again. */
  isRunning = false

  retryNow(): void {
    this.#retrier.retryNow()
  }

  /** While `ask` is on its way. `onSlow`: no answer yet. */
  async during<T>(ask: () => Promise<T>, onSlow: () => void): Promise<T> {
    this.isRunning = true
    this.#onSlow = onSlow
    try {
      return await ask()
    } finally {
      this.isRunning = false
      this.#onSlow = () => undefined
    }
  }

  /** Asks again while there is no answer. A limit is an answer: it may last for hours. */
  once<T extends object>(ask: () => Promise<T | Refused>): Promise<T | Refused> {
    return this.#retrier.run(async () => {
      const slow = setTimeout(() => this.#onSlow(), slowAfterMs)
      const answer = await ask()
      clearTimeout(slow)
      if (!isRefused(answer)) return answer
      const isUnanswered = answer.code === 'offline' || answer.code === 'down'
      if (isUnanswered) this.#onSlow()
      return { ...answer, isPassing: isUnanswered }
    })
  }
}
