/** An item in a queue; `queue` names the queue. */
type Waiting = { queue: string }

/** Hands out at most one item of each queue at a time, first in, first out. Queues take turns. */
export class PlayerQueues<Item extends Waiting> {
  /**
   * A queue is in this map while one of its items is ready or handed out. The list holds the items behind that one.
   */
  readonly #behind = new Map<string, Item[]>()
  #ready: Item[] = []
  #taken = 0
  #waitingCount = 0

  /** The number of items that are not handed out yet. */
  get size(): number {
    return this.#ready.length - this.#taken + this.#waitingCount
  }

  add(item: Item): void {
    const behind = this.#behind.get(item.queue)
    if (behind === undefined) {
      this.#behind.set(item.queue, [])
      this.#ready.push(item)
    } else {
      behind.push(item)
      this.#waitingCount++
    }
  }

  take(): Item | undefined {
    const item = this.#ready[this.#taken]
    if (item === undefined) return undefined
    this.#taken++
    if (this.#taken >= 1_000) {
      this.#ready = this.#ready.slice(this.#taken)
      this.#taken = 0
    }
    return item
  }

  /** Call this when an item is finished; the next one of its queue becomes ready. */
  finish(item: Item): void {
    const next = this.#behind.get(item.queue)?.shift()
    if (next === undefined) this.#behind.delete(item.queue)
    else {
      this.#waitingCount--
      this.#ready.push(next)
    }
  }

  /** All items that were not handed out. */
  rest(): Item[] {
    return [...this.#ready.slice(this.#taken), ...[...this.#behind.values()].flat()]
  }
}
