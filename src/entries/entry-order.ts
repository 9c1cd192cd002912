import type { CampaignRef } from '../campaign-ref.ts'
import type { KeyedGrant } from '../grants/grant.ts'
import type { Merchant } from '../merchants/merchants.ts'
import type { LockedPlayer } from '../players/ledger.ts'
import type { RefusalCode } from '../refusals.ts'
import type { EntryPlace } from './entry-place.ts'
import type { CampaignEntry } from './entry-rows.ts'
import type { EntryAnswer } from './form.ts'
import type { GivenConsent } from './read-answers.ts'
import type { FoundEntry } from './visitor-entries.ts'

/** An entry that is ready to be made: its form was checked, and its challenge solved. */
export type EntryOrder = {
  merchant: Merchant
  campaign: CampaignRef
  /** With the version of the form that the visitor saw. */
  entry: CampaignEntry
  fold: string
  answers: Record<string, EntryAnswer>
  consents: readonly GivenConsent[]
  language: string
  /** What shows that the visitor has the address: a code in the mail, or the pass of a player. */
  proof: { code: true } | PassProof | undefined
  now: Date
}

/** `isProved`: the pass was given to a browser that had proved the address. */
type PassProof = { passOf: string; isProved: boolean }

type EnteredVisitor = { outcome: 'entered'; playerId: string; playerNo: number }
export type Refused = { outcome: 'refused'; code: RefusalCode }
export type EntryVerdict = EnteredVisitor | Refused

/** Somebody whose address is not another one's. */
export type Visitor = { order: EntryOrder; grant: KeyedGrant; isKnown: boolean }

/** A visitor with its player. `before`: the entry of this campaign that the visitor comes back to. */
export type OpenedVisitor = Visitor & {
  player?: LockedPlayer
  before?: FoundEntry | undefined
  verdict: EntryVerdict
}

export function placeOf(
  { merchant, campaign }: EntryOrder,
  { shard, playerNo }: { shard: number; playerNo: number },
): EntryPlace {
  return { shard, playerNo, merchantId: merchant.merchantId, campaignId: campaign.campaignId }
}

export function isProved({ proof }: EntryOrder): boolean {
  return proof !== undefined && 'code' in proof
}
