import type { Refusal } from '../refusals.ts'

type Limits = { perMerchant: number; inAll?: number }

/** A part of a merchant's places, for a caller or a group of callers. */
export type Share = { name: string; max: number }

/** Counts work in progress in this process, and refuses too much of one caller, of one merchant, or of all. */
export class MerchantConcurrency {
  readonly #limits: Limits
  readonly #refuse: () => Refusal
  readonly #counts = new Map<string, number>()
  #count = 0

  constructor(limits: Limits, refuse: () => Refusal) {
    this.#limits = limits
    this.#refuse = refuse
  }

  get count(): number {
    return this.#count
  }

  /** Takes a place, or several, also in the caller's shares, and returns the function that releases them. */
  enter(merchantId: number, size = 1, shares: readonly Share[] = []): () => void {
    const { perMerchant, inAll = Infinity } = this.#limits
    const own = [
      { name: String(merchantId), max: perMerchant },
      ...shares.map(({ name, max }) => ({ name: `${merchantId}:${name}`, max })),
    ]
    const isFull = own.some(({ name, max }) => (this.#counts.get(name) ?? 0) + size > max)
    if (isFull || this.#count + size > inAll) throw this.#refuse()
    const names = own.map(({ name }) => name)
    this.#change(names, size)
    let isIn = true
    return () => {
      if (isIn) this.#change(names, -size)
      isIn = false
    }
  }

  #change(names: readonly string[], by: number): void {
    this.#count += by
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) + by
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}
