import { setTimeout as sleep } from 'node:timers/promises'
import { databaseDeadlines } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { DatabaseFailure } from './database-fault.ts'

/**
 * Retries keyed work until it is done or its deadline has passed. A connection that dies during a commit leaves
 * the outcome unknown; because the work is keyed, the next attempt finds what was done.
 */
export async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + databaseDeadlines.operationMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(deadline - performance.now(), work())
    } catch (error) {
      if (!(error instanceof DatabaseFailure && error.isPassing)) throw error
      const pauseMs = Math.min(10 * 2 ** attempt, 500) * (0.5 + Math.random() / 2)
      if (performance.now() + pauseMs > deadline) throw unavailable(error)
      await sleep(pauseMs)
    }
  }
}

/** Stops waiting, but not the work: a commit is never cancelled. A retry with the same key learns the outcome. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new Error('the deadline has passed'))), milliseconds)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}

function unavailable(cause: unknown): Refusal {
  return new Refusal('database_unavailable', { cause })
}
