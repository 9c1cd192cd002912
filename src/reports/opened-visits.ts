import type { Database } from '../db/database.ts'
import { openedVisitsMax, openedVisitsPerStatement } from '../limits.ts'
import { insertOpenedVisits, type OpenedVisit } from './visits.ts'

/**
 * Visits that were opened, until the next flush. To open a link writes nothing for the reports, so it costs no time. A
 * crash loses the last seconds; a visit that was also played is counted by its play.
 */
export class OpenedVisits {
  readonly #db: Database
  #visits = new Map<string, OpenedVisit>()

  constructor(db: Database) {
    this.#db = db
  }

  add({ merchantId, campaignId, wheelId, shard, playerNo, at }: OpenedVisit): void {
    // A page that is opened again and again within a quarter of an hour is one visit in any time zone.
    const name = `${playerNo}:${campaignId}:${wheelId}:${Math.floor(at.getTime() / quarterMs)}`
    if (this.#visits.size < openedVisitsMax)
      this.#visits.set(name, { merchantId, campaignId, wheelId, shard, playerNo, at })
  }

  /** Writes what is in memory. What can't be written stays for the next flush. */
  async flush(): Promise<void> {
    const some = [...this.#visits].slice(0, openedVisitsPerStatement)
    if (some.length === 0) return
    await insertOpenedVisits(
      this.#db,
      some.map(([, visit]) => visit),
    )
    for (const [name] of some) this.#visits.delete(name)
    await this.flush()
  }

  async close(onTrouble: (error: unknown) => void): Promise<void> {
    await this.flush().catch(onTrouble)
  }
}

const quarterMs = 15 * 60 * 1000
