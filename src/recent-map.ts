/**
 * A cache that keeps at least the `keptMin` entries used last, and at most twice as many. Entries live in two halves:
 * when the new half is full, it becomes the old one, and the old one is dropped. A used entry moves to the new half.
 */
export class RecentMap<Key, Value> {
  readonly #keptMin: number
  #recent = new Map<Key, Value>()
  #old = new Map<Key, Value>()

  constructor(keptMin: number) {
    this.#keptMin = keptMin
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#keptMin && !this.#recent.has(key)) {
      this.#old = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }

  delete(key: Key): void {
    this.#recent.delete(key)
    this.#old.delete(key)
  }
}
