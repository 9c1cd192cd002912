import { merchantsWithRecentRequestsMax, recentRequestsMax } from './limits.ts'

/** A merchant's API request and its answer. It contains no body and no query, and only the route of the path. */
export type RecentRequest = {
  requestId: string
  at: number
  method: string
  path: string
  status: number
  ms: number
  tokenId: string
  tokenName: string
  /** The detail of a refusal. */
  problem: { code: string; detail: string } | undefined
}

/**
 * The last requests of each merchant, in this process's memory. Refusals are kept separately: among thousands of
 * successful requests a second they would be lost at once.
 */
export class RecentRequests {
  readonly #ofMerchants = new Map<number, { all: Ring; refused: Ring }>()

  note(merchantId: number, request: RecentRequest): void {
    const rings = this.#ofMerchants.get(merchantId) ?? this.#begin(merchantId)
    rings.all.push(request)
    if (request.status >= 400) rings.refused.push(request)
  }

  /** The newest first. */
  list(merchantId: number, only: 'all' | 'refused'): RecentRequest[] {
    return this.#ofMerchants.get(merchantId)?.[only].newestFirst() ?? []
  }

  #begin(merchantId: number) {
    // The oldest merchant is dropped; its list starts again with its next request.
    const [eldest] = this.#ofMerchants.keys()
    if (this.#ofMerchants.size >= merchantsWithRecentRequestsMax && eldest !== undefined)
      this.#ofMerchants.delete(eldest)
    const rings = { all: new Ring(), refused: new Ring() }
    this.#ofMerchants.set(merchantId, rings)
    return rings
  }
}

class Ring {
  readonly #places: RecentRequest[] = []
  #next = 0

  push(request: RecentRequest): void {
    this.#places[this.#next] = request
    this.#next = (this.#next + 1) % recentRequestsMax
  }

  newestFirst(): RecentRequest[] {
    return [...this.#places.slice(this.#next), ...this.#places.slice(0, this.#next)].toReversed()
  }
}
