import { merchantsWithRecentRequestsMax, recentRequestsMax } from './limits.ts'

/** A request of a merchant's own systems and how it was answered. No body, no query, and of the path only the route. */
export type RecentRequest = {
  requestId: string
  at: number
  method: string
  path: string
  status: number
  ms: number
  tokenId: string
  tokenName: string
  /** What a refusal said. */
  problem: { code: string; detail: string } | undefined
}

/**
 * The last requests of each merchant, in the memory of this process. Refusals have a place of their own: among thousands of
 * good answers a second nobody would ever see one.
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
    // Whoever came first makes room; it begins anew with its next request.
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
