import type { Logger } from 'pino'
import { refusalKindsMax, refusalLinesMax, refusalSummaryMs } from './limits.ts'

/** The refusals that are alike: the same code for the same merchant on the same route. */
type Kind = { route: string; code: string; merchant: string | undefined }

/**
 * Decides which refusals get a line of their own, so that a flood does not fill the disk: the first few of a kind in
 * each second. The others are counted, and one line per second and kind gives their number.
 */
export class RefusalLog {
  readonly #log: Logger
  readonly #kinds = new Map<string, Kind & { count: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(log: Logger) {
    this.#log = log
    this.#timer = setInterval(() => this.summarise(), refusalSummaryMs).unref()
  }

  /** Counts a refusal. True if it gets a line of its own. */
  admits(route: string, code: string, merchant: string | undefined): boolean {
    const name = `${route} ${code} ${merchant}`
    const kind = this.#kinds.get(name)
    if (kind !== undefined) return ++kind.count <= refusalLinesMax
    if (this.#kinds.size >= refusalKindsMax) return false
    this.#kinds.set(name, { route, code, merchant, count: 1 })
    return true
  }

  /** Writes the lines with the numbers of those that got none. */
  summarise(): void {
    for (const { count, ...kind } of this.#kinds.values())
      if (count > refusalLinesMax)
        this.#log.warn({ ...kind, refusals: count - refusalLinesMax }, 'refusals without a line of their own')
    this.#kinds.clear()
  }

  close(): void {
    clearInterval(this.#timer)
    this.summarise()
  }
}
