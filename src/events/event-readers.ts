import { eventReadersMax, eventReadersPerMerchantMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'

/** Counts the requests that wait for events in this process, and refuses too many. */
export class EventReaders {
  readonly #byMerchant = new Map<number, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Takes a place and returns the function that releases it. */
  enter(merchantId: number): () => void {
    const own = this.#byMerchant.get(merchantId) ?? 0
    if (own >= eventReadersPerMerchantMax || this.#count >= eventReadersMax)
      throw new Refusal('event_readers_limited', { headers: { 'Retry-After': '5' } })
    this.#change(merchantId, 1)
    let isIn = true
    return () => {
      if (isIn) this.#change(merchantId, -1)
      isIn = false
    }
  }

  #change(merchantId: number, by: 1 | -1): void {
    this.#count += by
    const own = (this.#byMerchant.get(merchantId) ?? 0) + by
    if (own === 0) this.#byMerchant.delete(merchantId)
    else this.#byMerchant.set(merchantId, own)
  }
}
