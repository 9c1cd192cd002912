import type { SigningKey } from './game-token.ts'

/** What was found with a key, by name. It is forgotten together with the key, and all at once when there is too much. */
export class KeyMemory<T> {
  readonly #max: number
  readonly #ofKeys = new WeakMap<SigningKey, Map<string, T>>()

  constructor(max: number) {
    this.#max = max
  }

  /** What is remembered, or else what `find` finds. */
  recall<Found extends T | undefined>(key: SigningKey, name: string, find: () => Found): T | Found {
    const known = this.#ofKeys.get(key)?.get(name)
    if (known !== undefined) return known
    const found = find()
    if (found !== undefined) this.#add(key, name, found)
    return found
  }

  #add(key: SigningKey, name: string, found: T): void {
    let ofKey = this.#ofKeys.get(key)
    if (ofKey === undefined) this.#ofKeys.set(key, (ofKey = new Map()))
    if (ofKey.size >= this.#max) ofKey.clear()
    ofKey.set(name, found)
  }
}
