import { addressesTrackedMax } from '../../limits.ts'
import { Refusal } from '../../refusals.ts'

/** `isFirstOver`: the first use over the limit in this window. */
export type Quota = { isOver: boolean; isFirstOver: boolean; remaining: number; resetSeconds: number }

/** `counted` says what is limited, as in "Too many plays of this player". */
type RateLimitOptions = { name: string; counted: string; max: number; windowSeconds: number }

/**
 * Counts uses by name in fixed windows, in this process. Too many names reset all counts: a flood of invented names
 * must not use up memory, and a lost count only allows more.
 */
export class RateLimit {
  readonly policy: string
  readonly #options: RateLimitOptions
  #window = 0
  #uses = new Map<string, number>()

  constructor(options: RateLimitOptions) {
    this.#options = options
    this.policy = `"${options.name}";q=${options.max};w=${options.windowSeconds}`
  }

  /** Counts one use. */
  use(name: string): Quota {
    const quota = this.peek(name)
    this.count(name)
    return quota
  }

  /** Counts one use, after `peek`. */
  count(name: string): void {
    if (this.#uses.size >= addressesTrackedMax) this.#uses.clear()
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
  }

  /** The quota after one more use, which is not counted. */
  peek(name: string): Quota {
    const { max, windowSeconds } = this.#options
    const seconds = performance.now() / 1000
    const window = Math.floor(seconds / windowSeconds)
    if (window !== this.#window) {
      this.#window = window
      this.#uses = new Map()
    }
    const used = (this.#uses.get(name) ?? 0) + 1
    const remaining = Math.max(0, max - used)
    const resetSeconds = Math.max(1, Math.ceil((window + 1) * windowSeconds - seconds))
    return { isOver: used > max, isFirstOver: used === max + 1, remaining, resetSeconds }
  }

  /** Refuses a use over the limit. */
  refuseOver({ isOver, resetSeconds }: Quota): void {
    if (!isOver) return
    const { counted, max, windowSeconds } = this.#options
    throw new Refusal('rate_limited', {
      detail: `Too many ${counted}: the limit is ${max} in ${windowSeconds} seconds.`,
      headers: { 'Retry-After': String(resetSeconds) },
    })
  }

  /** The value of the header `RateLimit`. */
  describe({ remaining, resetSeconds }: Quota): string {
    return `"${this.#options.name}";r=${remaining};t=${resetSeconds}`
  }
}
