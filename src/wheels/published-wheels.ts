import { mainCampaign } from '../campaign-ref.ts'
import { type Database, untilDone } from '../db/database.ts'
import { currentWheelCacheMs, wheelsCachedMax } from '../limits.ts'
import { Refusal } from '../refusals.ts'
import { isTest } from '../test-clock.ts'
import { openingAt, within } from '../wheel-document/schedule.ts'
import {
  listPlayableCampaigns,
  readMerchantId,
  readWheelOfCampaign,
  type WheelOfCampaign,
} from './wheel-of-campaign.ts'
import type { Schedule, WheelVersion } from '../wheel-document/wheel-types.ts'
import { readVersion } from './wheel-versions.ts'
import { nameForPlayers } from './name-for-players.ts'

/** The wheel that a campaign's links open, in its current version, and its schedule within the campaign's dates. */
export type CurrentWheel = WheelVersion & WheelOfCampaign & { schedule: Schedule; nameForPlayers: string }

/** Whether a wheel can be played now, when it opens next, when it closes for good. An archived campaign is closed. */
export function openingOfWheel(
  { campaign, pausedAt, schedule }: Pick<CurrentWheel, 'campaign' | 'pausedAt' | 'schedule'>,
  now: Date,
) {
  const { isOpen, opensAt, closesAt } = openingAt(schedule, now)
  const isArchived = campaign.archivedAt !== null
  const state = isArchived ? 'closed' : pausedAt !== null ? 'paused' : isOpen ? 'open' : 'closed'
  return { state, opensAt: isArchived ? null : opensAt, closesAt } as const
}

/**
 * A cache of published wheels. A campaign's current wheel is cached for `currentWheelCacheMs`, so a publication or a
 * pause takes effect everywhere within that time. Those of test merchants are not cached, because their clocks move.
 * Versions never change and stay cached while there is room.
 */
export class PublishedWheels {
  readonly #db: Database
  /** By merchant and campaign. */
  readonly #ofCampaigns = new Map<string, Read<CurrentWheel | undefined>>()
  /** By merchant: the ids of its campaigns. */
  readonly #campaigns = new Map<string, Read<string[]>>()
  readonly #versions = new Map<string, WheelVersion>()
  /** By the id of a merchant that an address names. */
  readonly #merchants = new Map<string, Read<number | undefined>>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The wheel of a campaign. */
  async current(merchantId: number, campaign = mainCampaign.slug): Promise<CurrentWheel> {
    const name = `${merchantId}:${campaign}`
    const wheel = await recent(this.#ofCampaigns, name, () => this.#read(merchantId, campaign))
    if (wheel === undefined) throw new Refusal('campaign_not_published')
    if (isTest(wheel)) this.#ofCampaigns.delete(name)
    return wheel
  }

  async #read(merchantId: number, campaign: string): Promise<CurrentWheel | undefined> {
    const wheel = await readWheelOfCampaign(this.#db, merchantId, campaign)
    if (wheel === undefined) return undefined
    const version = await this.version(wheel.wheelId, wheel.version)
    const { document } = version
    return {
      ...version,
      ...wheel,
      schedule: within(document, wheel),
      nameForPlayers: nameForPlayers(wheel.campaignTexts, document),
    }
  }

  /** The wheels of all campaigns that a merchant's players may see. */
  async playable(merchantId: number): Promise<CurrentWheel[]> {
    const slugs = await recent(this.#campaigns, String(merchantId), () =>
      listPlayableCampaigns(this.#db, merchantId),
    )
    return Promise.all(slugs.map((slug) => this.current(merchantId, slug)))
  }

  /** The merchant of that name, if there is one. */
  async merchantId(slug: string): Promise<number | undefined> {
    return recent(this.#merchants, slug, () => readMerchantId(this.#db, slug))
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
}

type Read<Value> = { value: Promise<Value>; readAt: number }

/** The value in the cache, or read again if that is too old. */
function recent<Value>(
  cache: Map<string, Read<Value>>,
  name: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const kept = cache.get(name)
  if (kept !== undefined && performance.now() - kept.readAt < currentWheelCacheMs) return kept.value
  const value = untilDone(read)
  // Failures are not cached.
  value.catch(() => cache.delete(name))
  keep(cache, name, { value, readAt: performance.now() })
  return value
}

/** Adds to a cache, and drops the oldest entry when it is full. */
function keep<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): void {
  cache.delete(key)
  cache.set(key, value)
  const [oldest] = cache.keys()
  if (cache.size > wheelsCachedMax && oldest !== undefined) cache.delete(oldest)
}
