import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { campaignOf, type CampaignRef, isMain } from '../campaign-ref.ts'
import { allInOrder, type Transaction } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { type KeyedGrant, withHashes } from '../grants/grant.ts'
import { type Accounts, decideGrants, eventsOfGrants, openAccounts } from '../grants/grant-spins.ts'
import { spinNumberCeiling } from '../limits.ts'
import type { Merchant } from '../merchants/merchants.ts'
import { afterExpiry } from '../players/expire-spins.ts'
import { expiryRule } from '../players/spin-lots.ts'
import { writeEntries } from '../players/write-entries.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import { claimAddress } from './address-keys.ts'
import { insertConsents, renewConsents } from './consents.ts'
import { type CampaignEntry, countEntry } from './entry-rows.ts'
import { type EntryAnswer, visitorIdPrefix } from './form.ts'
import { type GivenConsent } from './read-answers.ts'
import { seal } from './seal.ts'
import { consentHash } from './terms.ts'
import type { VisitorKeys } from './visitor-keys.ts'
import {
  type EntryPlace,
  findVisitorEntry,
  insertAnswers,
  insertVisitorEntry,
  setVerified,
} from './visitor-entries.ts'

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
  proof: { code: true } | { passOf: string } | undefined
  now: Date
}

type EnteredVisitor = { outcome: 'entered'; playerId: string; playerNo: number }
export type EntryVerdict = EnteredVisitor | { outcome: 'refused'; code: RefusalCode }

/**
 * Makes an entry: the address, the player, the spins, the answers and the events, all or nothing. An address that has
 * entered gets nothing twice, whatever it sends.
 */
export async function enterVisitor(
  tx: Transaction,
  order: EntryOrder,
  keys: VisitorKeys,
): Promise<EntryVerdict> {
  const { merchant, fold, proof, now } = order
  const visitor = `${visitorIdPrefix}${randomBytes(10).toString('hex')}`
  const candidate = { playerId: visitor, keys: keys.addresses, now }
  const { playerId } = await claimAddress(tx, { merchant, fold }, candidate)
  if (playerId === null) return { outcome: 'refused', code: 'address_refused' }
  const isKnown = playerId !== visitor
  const mayGoOn = !isKnown || (proof !== undefined && ('code' in proof || proof.passOf === playerId))
  if (!mayGoOn) return { outcome: 'refused', code: 'entry_known' }
  const grant = entryGrant(order, playerId)
  const accounts = await openAccounts(tx, {
    players: [grant],
    creating: isKnown ? [] : [grant],
    keys: [grant],
    now,
    known: undefined,
  })
  const opened = { grant, accounts, keys }
  return isKnown ? enterKnown(tx, order, opened) : enterNew(tx, order, opened)
}

type Opened = { grant: KeyedGrant; accounts: Accounts; keys: VisitorKeys }

function entryGrant({ merchant, campaign, entry }: EntryOrder, playerId: string): KeyedGrant {
  return withHashes({
    merchantId: merchant.merchantId,
    playerId,
    kind: 'entry',
    amount: entry.spins,
    key: isMain(campaign) ? 'entry' : `entry:${campaign.slug}`,
    campaign,
    reason: null,
    mayCreatePlayer: true,
    callMax: spinNumberCeiling,
    dailyMax: null,
    expiry: expiryRule(merchant, campaign),
  })
}

/** A visitor who is known may enter another campaign, or come back to the same one. */
async function enterKnown(tx: Transaction, order: EntryOrder, opened: Opened): Promise<EntryVerdict> {
  const [player] = opened.accounts.players
  if (player === undefined) return { outcome: 'refused', code: 'address_refused' }
  if (player.isBlocked) return { outcome: 'refused', code: 'player_blocked' }
  const place = placeOf(order, player)
  const before = await findVisitorEntry(tx, place)
  if (before === undefined) return enterNew(tx, order, opened)
  const { proof, now } = order
  const isProved = proof !== undefined && 'code' in proof
  const isFirstProof = isProved && before.verifiedAt === null
  await renewConsents(tx, place, { ...consentsOf(order), isConfirmed: isProved })
  if (isFirstProof) {
    await setVerified(tx, place, now)
    await countEntry(tx, place, { entered: 0, verified: 1, entriesMax: null })
  }
  const events = isFirstProof ? [verifiedEvent(order, { ...player, entryId: before.entryId })] : []
  await writeEntries(tx, afterExpiry(opened.accounts.expired, { entries: [], players: [], events, now }))
  return { outcome: 'entered', playerId: player.playerId, playerNo: player.playerNo }
}

async function enterNew(
  tx: Transaction,
  order: EntryOrder,
  { grant, accounts, keys }: Opened,
): Promise<EntryVerdict> {
  const { entry, now, proof } = order
  const decided = decideGrants([grant], { ...accounts, now })
  const [verdict] = decided.verdicts
  const [player] = accounts.players
  // The campaign may have closed while the visitor looked for the code.
  if (verdict?.outcome === 'refused')
    throw new Refusal(verdict.code.startsWith('campaign_') ? 'entry_closed' : verdict.code)
  if (player === undefined) throw new Error('the visitor was not created')
  const place = placeOf(order, player)
  const isVerified = proof !== undefined && 'code' in proof
  const entryId = randomUUIDv7()
  const events = [
    ...eventsOfGrants(accounts.created, decided, now),
    createdEvent(order, { ...player, entryId }),
  ]
  const { entries, changed } = decided
  const { language } = order
  const verifiedAt = isVerified ? now : null
  const made = { ...place, entryId, enteredAt: now, verifiedAt, formVersion: entry.version, language }
  const answers = seal(JSON.stringify(order.answers), answersPlace(place), keys.answers)
  const counted = { entered: 1, verified: isVerified ? 1 : 0, entriesMax: entry.entriesMax } as const
  const results = await allInOrder([
    writeEntries(tx, afterExpiry(accounts.expired, { entries, players: changed, events, now })),
    insertVisitorEntry(tx, made),
    insertAnswers(tx, place, answers),
    insertConsents(tx, place, { ...consentsOf(order), isConfirmed: isVerified }),
    // Last, because all entries of the campaign meet at this row.
    countEntry(tx, place, counted),
  ])
  if (!results[4]) throw new Refusal('entry_full')
  return { outcome: 'entered', playerId: player.playerId, playerNo: player.playerNo }
}

/** Where answers belong, for their encryption. */
export function answersPlace({ merchantId, playerNo, campaignId }: Omit<EntryPlace, 'shard'>): string {
  return `answers ${merchantId} ${playerNo} ${campaignId}`
}

function placeOf(
  { merchant, campaign }: EntryOrder,
  { shard, playerNo }: { shard: number; playerNo: number },
): EntryPlace {
  return { shard, playerNo, merchantId: merchant.merchantId, campaignId: campaign.campaignId }
}

/** The texts that a visitor agreed to. */
export function consentsOf({
  entry,
  consents,
  language,
  now,
}: Pick<EntryOrder, 'entry' | 'consents' | 'language' | 'now'>) {
  const labels = new Map(entry.fields.map((field) => [field.id, field.labels]))
  const given = consents.map(({ field, purpose }) => ({
    field,
    purpose,
    textHash: consentHash(labels.get(field) ?? {}, language),
  }))
  return { formVersion: entry.version, language, given, now }
}

type Named = { shard: number; playerId: string; entryId: string }

function createdEvent(order: EntryOrder, { shard, playerId, entryId }: Named): NewEvent<'entry.created'> {
  const { merchant, campaign, consents, proof, now } = order
  const isVerified = proof !== undefined && 'code' in proof
  const state = isVerified ? ('confirmed' as const) : ('given' as const)
  return {
    merchantId: merchant.merchantId,
    shard,
    type: 'entry.created',
    at: now,
    data: {
      playerId,
      entryId,
      isVerified,
      consents: consents.map((consent) => ({ ...consent, state })),
      ...campaignOf(campaign),
    },
  }
}

function verifiedEvent(order: EntryOrder, { shard, playerId, entryId }: Named): NewEvent<'entry.verified'> {
  const { merchant, campaign, consents, now } = order
  const data = {
    playerId,
    entryId,
    consents: consents.map((consent) => ({ ...consent, state: 'confirmed' as const })),
    ...campaignOf(campaign),
  }
  return { merchantId: merchant.merchantId, shard, type: 'entry.verified', at: now, data }
}
