import type { Queryable } from '../db/database.ts'
import type { Refusal } from '../refusals.ts'
import { happeningsWaitingMax } from './entry-limits.ts'
import { type CampaignKey, countHappenings, type Happening } from './entry-rows.ts'

/**
 * Counts pages that were opened, forms that were sent, and refusals. The counts wait in memory, so that a flood of
 * requests writes few rows. Beyond `happeningsWaitingMax` different ones are not counted.
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

  /** Refusals that are about visitors, not about us. */
  countRefusal(campaign: CampaignKey, { code }: Refusal, now: Date): void {
    if (code !== 'database_unavailable' && code !== 'overloaded') this.count(campaign, code, now)
  }

  /** If the database fails, the counts wait for the next time. A process that is killed loses them. */
  async flush(): Promise<void> {
    const counted = this.#waiting
    this.#waiting = new Map()
    if (counted.size === 0) return
    try {
      await countHappenings(this.#db, [...counted.values()])
    } catch (error) {
      for (const [name, { count }] of this.#waiting) {
        const before = counted.get(name)
        if (before !== undefined) before.count += count
        else counted.set(name, this.#waiting.get(name) as Happening)
      }
      this.#waiting = counted
      throw error
    }
  }
}
