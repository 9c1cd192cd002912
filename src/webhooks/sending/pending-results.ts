import { webhookRecordDelayMs, webhookPendingResultsMax } from '../../limits.ts'
import type { Results } from './record-results.ts'
import type { Attempt } from '../webhook-attempts.ts'
import type { Delivery } from '../webhook-deliveries.ts'
import type { DisabledReason } from '../webhooks.ts'

/** Results that are not recorded yet. They are collected for a moment, so that many share one transaction. */
export class PendingResults {
  #attempts: Attempt[] = []
  #takenSeqs: number[] = []
  #deliveries: Delivery[] = []
  #disabledReason: DisabledReason | undefined
  #dueAt = Infinity

  /** When to record them; `Infinity` if there are none. */
  get dueAt(): number {
    return this.#dueAt
  }

  get isEmpty(): boolean {
    return this.#dueAt === Infinity
  }

  get isFull(): boolean {
    return this.#attempts.length >= webhookPendingResultsMax
  }

  /** Far more than one transaction should record: the database is too slow or unavailable. */
  get isOverfull(): boolean {
    return this.#attempts.length >= 2 * webhookPendingResultsMax
  }

  /** Something outside this object has changed and must be recorded: the cursor or the health. */
  mark(): void {
    this.#dueAt = Math.min(this.#dueAt, performance.now() + webhookRecordDelayMs)
  }

  addAttempt(attempt: Attempt): void {
    this.#attempts.push(attempt)
    this.mark()
  }

  addTaken(seq: number): void {
    this.#takenSeqs.push(seq)
    this.mark()
  }

  addDelivery(delivery: Delivery): void {
    this.#deliveries.push(delivery)
    this.mark()
  }

  addDisabling(reason: DisabledReason): void {
    this.#disabledReason = reason
    this.mark()
  }

  /** Returns everything, to be recorded, and empties this object. */
  takeAll(): Omit<Results, 'cursor'> {
    const results = {
      attempts: this.#attempts,
      takenSeqs: this.#takenSeqs,
      deliveries: this.#deliveries,
      disabledReason: this.#disabledReason,
    }
    this.#attempts = []
    this.#takenSeqs = []
    this.#deliveries = []
    this.#disabledReason = undefined
    this.#dueAt = Infinity
    return results
  }
}
