import { type CampaignRef, mainCampaign } from '../campaign-ref.ts'
import type { RefusalCode } from '../refusals.ts'
import { type EntryKind, keyHash } from '../players/ledger.ts'
import { shardOf } from '../players/shard.ts'
import type { ExpiryRule } from '../players/spin-lots.ts'
import type { Clocked } from '../test-clock.ts'

/** An order to add spins. Its key makes it safe to repeat; if the caller sent none, we generate one. */
export type Grant = Clocked & {
  merchantId: number
  playerId: string
  kind: EntryKind
  amount: number
  key: string
  madeKey?: boolean
  reason: string | null
  /** `main` by default. */
  campaign?: CampaignRef | undefined
  /** When the spins expire; undefined for never. */
  expiry?: ExpiryRule | undefined
  /** The person who gives it by hand; undefined for a merchant's system. */
  origin?: string
  /** Whether an unknown player is created. */
  mayCreatePlayer: boolean
  /** The merchant's limits, for one call and for a player's day. */
  callMax: number
  dailyMax: number | null
}

/** The outcome of a grant. `balance` is the balance right after the grant, even for a repeat much later. */
export type GrantVerdict =
  | { outcome: 'granted' | 'replayed'; balance: number }
  | { outcome: 'refused'; code: RefusalCode; detail?: string; spinsLeft?: number }

/** A grant with its campaign, and its shard and key hash, computed once. */
export type KeyedGrant = Grant & { campaign: CampaignRef; shard: number; keyHash: string }

export function withHashes(grant: Grant & { shard?: number }): KeyedGrant {
  const { campaign = mainCampaign, shard = shardOf(grant) } = grant
  return { ...grant, campaign, shard, keyHash: keyHash(grant) }
}
