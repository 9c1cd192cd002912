import type { SigningKey } from './signing-key.ts'

/** A cache of results that belong to a signing key, by name. Dropping the key drops its results; a full cache is cleared. */
export class KeyMemory<T> {
  readonly #max: number
  readonly #ofKeys = new WeakMap<SigningKey, Map<string, T>>()

  constructor(max: number) {
    this.#max = max
  }

  /** The cached result, or the one that `find` returns. */
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
