import type { Queryable } from '../db/database.ts'
import { happeningsWaitingMax } from './entry-limits.ts'
import { type CampaignKey, countHappenings, type Happening } from './entry-rows.ts'

/**
 * Counts pages that were opened, and refusals. The counts wait in memory, so that a flood of requests writes few rows.
 * Beyond `happeningsWaitingMax` different ones are not counted.
 */
export class Happenings {
  readonly #db: Queryable
  #waiting = new Map<string, Happening>()

  constructor(db: Queryable) {
    this.#db = db
  }

  count({ merchantId, campaignId }: CampaignKey, happened: string, now: Date): void {
    const day = now.toISOString().slice(0, 10)
    const name = `${merchantId} ${campaignId} ${day} ${happened}`
    const known = this.#waiting.get(name)
    if (known !== undefined) known.count++
    else if (this.#waiting.size < happeningsWaitingMax)
      this.#waiting.set(name, { merchantId, campaignId, day, happened, count: 1 })
  }

  async flush(): Promise<void> {
    const counted = [...this.#waiting.values()]
    this.#waiting = new Map()
    if (counted.length > 0) await countHappenings(this.#db, counted)
  }
}
