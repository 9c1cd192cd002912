import { RecentMap } from '../recent-map.ts'
import type { SigningKey } from './signing-key.ts'

/** A cache of results that belong to a signing key, by name. Dropping the key drops its results. */
export class KeyMemory<T> {
  readonly #keptMin: number
  readonly #ofKeys = new WeakMap<SigningKey, RecentMap<string, T>>()

  constructor(keptMin: number) {
    this.#keptMin = keptMin
  }

  /** The cached result, or the one that `find` returns. */
  recall<Found extends T | undefined>(key: SigningKey, name: string, find: () => Found): T | Found {
    let ofKey = this.#ofKeys.get(key)
    const known = ofKey?.get(name)
    if (known !== undefined) return known
    const found = find()
    if (found === undefined) return found
    if (ofKey === undefined) this.#ofKeys.set(key, (ofKey = new RecentMap(this.#keptMin)))
    ofKey.set(name, found)
    return found
  }
}
