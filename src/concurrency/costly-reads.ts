import { SharedReads } from './shared-reads.ts'

/**
 * Reads that take the longer the more there is. A result is used again for `reuseFactor` times as long as it took to
 * read, so that viewers of something large, however many, keep only a small part of one connection busy. What is
 * read within `costlyMs` is always new.
 */
export class CostlyReads {
  readonly #shared = new SharedReads()
  readonly #kept = new Map<string, { value: unknown; until: number }>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** `read` reads the same for the same name. */
  async read<T>(name: string, read: () => Promise<T>): Promise<T> {
    return this.#fresh<T>(name) ?? this.#shared.read(name, () => this.#readAgain(name, read))
  }

  async #readAgain<T>(name: string, read: () => Promise<T>): Promise<T> {
    // Somebody who shared the read before may have waited only for its end.
    const fresh = this.#fresh<T>(name)
    if (fresh !== undefined) return fresh
    const began = this.#now()
    const value = await read()
    const ended = this.#now()
    this.#kept.delete(name)
    if (ended - began < costlyMs) return value
    this.#kept.set(name, { value, until: ended + reuseFactor * (ended - began) })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > resultsKeptMax && oldest !== undefined) this.#kept.delete(oldest)
    return value
  }

  #fresh<T>(name: string): T | undefined {
    const kept = this.#kept.get(name)
    return kept !== undefined && this.#now() < kept.until ? (kept.value as T) : undefined
  }
}

const reuseFactor = 20
const costlyMs = 1_000
const resultsKeptMax = 500
