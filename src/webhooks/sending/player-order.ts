/** Something that waits for its turn among those of one player. */
type Waiting = { lane: string }

/** Hands out at most one at a time for each lane, in the order in which they came, and lanes in turn. */
export class PlayerLanes<Item extends Waiting> {
  /** A lane is here while one of its items is ready or handed out; the list is what waits behind that one. */
  readonly #behind = new Map<string, Item[]>()
  #ready: Item[] = []
  #taken = 0
  #waitingCount = 0

  /** How many are ready or wait behind others, and are not handed out. */
  get size(): number {
    return this.#ready.length - this.#taken + this.#waitingCount
  }

  add(item: Item): void {
    const behind = this.#behind.get(item.lane)
    if (behind === undefined) {
      this.#behind.set(item.lane, [])
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

  /** The item that was handed out is done with; the next of its lane is ready. */
  finish(item: Item): void {
    const next = this.#behind.get(item.lane)?.shift()
    if (next === undefined) this.#behind.delete(item.lane)
    else {
      this.#waitingCount--
      this.#ready.push(next)
    }
  }

  /** All that were not handed out. */
  rest(): Item[] {
    return [...this.#ready.slice(this.#taken), ...[...this.#behind.values()].flat()]
  }
}
