import { webhookNoteDelayMs, webhookNotesMax } from '../../limits.ts'
import type { Note } from './record-results.ts'
import type { Attempt } from '../webhook-attempts.ts'
import type { Delivery } from '../webhook-deliveries.ts'
import type { DisabledReason } from '../webhooks.ts'

/** What is to be noted, gathered for a moment so that many results share a transaction. */
export class Notebook {
  #attempts: Attempt[] = []
  #takenSeqs: number[] = []
  #deliveries: Delivery[] = []
  #disabledReason: DisabledReason | undefined
  #dueAt = Infinity

  /** When it is to be written down; never, while there is nothing. */
  get dueAt(): number {
    return this.#dueAt
  }

  get isEmpty(): boolean {
    return this.#dueAt === Infinity
  }

  get isFull(): boolean {
    return this.#attempts.length >= webhookNotesMax
  }

  /** Far more than a note should hold: the database does not keep up, or is away. */
  get isOverfull(): boolean {
    return this.#attempts.length >= 2 * webhookNotesMax
  }

  /** Something changed that is not in here itself: the cursor. */
  mark(): void {
    this.#dueAt = Math.min(this.#dueAt, performance.now() + webhookNoteDelayMs)
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

  /** All of it, for writing; the book is empty again. */
  tearOut(): Omit<Note, 'cursor'> {
    const note = {
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
    return note
  }
}
