import { type Database, untilDone } from '../db/database.ts'
import { currentWheelCacheMs, wheelsCachedMax } from '../limits.ts'
import type { WheelVersion } from './wheel-types.ts'
import { readVersion, readWheelOfLinks, type WheelOfLinks } from './wheels.ts'

/** The wheel that a merchant's links open, in its current version. */
export type CurrentWheel = WheelVersion & WheelOfLinks

/**
 * A cache of published wheels. A merchant's current wheel is cached for `currentWheelCacheMs`, so a publication or a pause
 * takes effect everywhere within that time. Versions never change and stay cached while there is room.
 */
export class PublishedWheels {
  readonly #db: Database
  readonly #ofLinks = new Map<number, { wheel: Promise<WheelOfLinks | undefined>; readAt: number }>()
  readonly #versions = new Map<string, WheelVersion>()

  constructor(db: Database) {
    this.#db = db
  }

  async current(merchantId: number): Promise<CurrentWheel> {
    const kept = this.#ofLinks.get(merchantId)
    const isFresh = kept !== undefined && performance.now() - kept.readAt < currentWheelCacheMs
    const wheel = await (isFresh ? kept.wheel : this.#readOfLinks(merchantId))
    if (wheel === undefined) throw new Error(`merchant ${merchantId} has no published wheel`)
    return { ...(await this.version(wheel.wheelId, wheel.version)), ...wheel }
  }

  async version(wheelId: number, version: number): Promise<WheelVersion> {
    const name = `${wheelId}:${version}`
    const kept = this.#versions.get(name)
    if (kept !== undefined) return kept
    const read = await untilDone(() => readVersion(this.#db, { wheelId, version }))
    if (read === undefined) throw new Error(`wheel ${wheelId} has no version ${version}`)
    keep(this.#versions, name, read)
    return read
  }

  #readOfLinks(merchantId: number): Promise<WheelOfLinks | undefined> {
    const wheel = untilDone(() => readWheelOfLinks(this.#db, merchantId))
    // Failures are not cached.
    wheel.catch(() => this.#ofLinks.delete(merchantId))
    keep(this.#ofLinks, merchantId, { wheel, readAt: performance.now() })
    return wheel
  }
}

/** Adds to a cache, and drops the oldest entry when it is full. */
function keep<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  cache.delete(key)
  cache.set(key, value)
  const [oldest] = cache.keys()
  if (cache.size > wheelsCachedMax && oldest !== undefined) cache.delete(oldest)
}
