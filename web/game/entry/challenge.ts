/** The challenge of an entry: solved in workers while the form is filled in, and again when it expires. */
import { isRefused, type Refused } from '../api.ts'
import { serverNowMs } from '../states/countdown.ts'
import { askChallenge, type Challenge } from './entry-api.ts'
import type { Report, Task } from './solver.ts'

const workersMax = 4
/** About what the server asks for at most; only the display depends on it. */
const counterExpected = 1_500
/** A solution that is so near to its end is not sent any more. */
const spareMs = 30_000

/** A share from 0 to 1, or null while there is nothing to show. */
export type Progress = number | null

export class ChallengeSolver {
  readonly #onProgress: (progress: Progress) => void
  #solution: Promise<string | Refused> | undefined
  #expiry: ReturnType<typeof setTimeout> | undefined

  constructor(onProgress: (progress: Progress) => void) {
    this.#onProgress = onProgress
  }

  /** The solution as the server wants it: an unused one that has not expired. */
  async solution(): Promise<string | Refused> {
    this.#solution ??= this.#solve()
    const solution = await this.#solution
    // The next try asks again.
    if (typeof solution !== 'string') this.forget()
    return solution
  }

  /** After the solution was refused or used. */
  forget(): void {
    clearTimeout(this.#expiry)
    this.#solution = undefined
    this.#onProgress(null)
  }

  async #solve(): Promise<string | Refused> {
    this.#onProgress(0)
    const challenge = await askChallenge()
    if (isRefused(challenge)) return challenge
    try {
      const solution = await solveInWorkers(challenge, this.#onProgress)
      this.#renewIn((challenge.parameters.expiresAt ?? Infinity) * 1_000 - serverNowMs() - spareMs)
      this.#onProgress(1)
      return btoa(JSON.stringify({ challenge, solution }))
    } catch (error) {
      reportError(error)
      return { code: 'challenge_failed', isPassing: false, waitMs: 0 }
    }
  }

  #renewIn(ms: number): void {
    if (ms === Infinity) return
    const renew = () => {
      this.forget()
      void this.solution()
    }
    this.#expiry = setTimeout(renew, Math.max(ms, spareMs))
  }
}

type Solution = { counter: number; derivedKey: string; time: number }

async function solveInWorkers(
  { parameters }: Challenge,
  onProgress: (progress: Progress) => void,
): Promise<Solution> {
  const startedAt = performance.now()
  const step = Math.min(workersMax, navigator.hardwareConcurrency || 1)
  const workers = Array.from(
    { length: step },
    () => new Worker(new URL('./solver.ts', import.meta.url), { type: 'module' }),
  )
  const { promise, resolve, reject } = Promise.withResolvers<Solution>()
  workers.forEach((worker, start) => {
    worker.addEventListener('error', () => reject(new Error('a solver could not be loaded')))
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if ('error' in data) reject(new Error(data.error))
      else if ('tried' in data) onProgress(Math.min(0.95, data.tried / counterExpected))
      else resolve({ ...data, time: Math.round(performance.now() - startedAt) })
    })
    worker.postMessage({ parameters, start, step } satisfies Task, [])
  })
  return promise.finally(() => workers.forEach((worker) => worker.terminate()))
}
