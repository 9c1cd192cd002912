import { FairConcurrencyLimit } from '../concurrency/fair-concurrency-limit.ts'
import { MerchantConcurrency } from '../concurrency/merchant-concurrency.ts'
import { overloaded } from '../refusals.ts'
import { proofsAtOnce, entriesWaitingMax } from './entry-limits.ts'

/**
 * Lets few visitors at a time use the database for what does not share a transaction, merchants in turns, so that a
 * flood of them leaves connections and processor time to grants and plays. Too many are refused.
 */
export class EntryTurns {
  readonly #places = new MerchantConcurrency(entriesWaitingMax, () => overloaded('entries'))
  readonly #turns = new FairConcurrencyLimit(proofsAtOnce)

  async run<T>(merchantId: number, work: () => Promise<T>): Promise<T> {
    const leave = this.#places.enter(merchantId)
    return this.#turns.run(merchantId, work).finally(leave)
  }
}
