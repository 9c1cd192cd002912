import type { Refusal } from './refusals.ts'

type Limits = { perMerchant: number; inAll?: number }

/** Counts work in progress in this process, and refuses too much of one merchant, or of all. */
export class MerchantPlaces {
  readonly #limits: Limits
  readonly #refuse: () => Refusal
  readonly #byMerchant = new Map<number, number>()
  #count = 0

  constructor(limits: Limits, refuse: () => Refusal) {
    this.#limits = limits
    this.#refuse = refuse
  }

  get count(): number {
    return this.#count
  }

  /** Takes a place, or several, and returns the function that releases them. */
  enter(merchantId: number, size = 1): () => void {
    const { perMerchant, inAll = Infinity } = this.#limits
    const own = this.#byMerchant.get(merchantId) ?? 0
    if (own + size > perMerchant || this.#count + size > inAll) throw this.#refuse()
    this.#change(merchantId, size)
    let isIn = true
    return () => {
      if (isIn) this.#change(merchantId, -size)
      isIn = false
    }
  }

  #change(merchantId: number, by: number): void {
    this.#count += by
    const own = (this.#byMerchant.get(merchantId) ?? 0) + by
    if (own === 0) this.#byMerchant.delete(merchantId)
    else this.#byMerchant.set(merchantId, own)
  }
}
