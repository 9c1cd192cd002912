import { randomUUIDv7 } from 'node:crypto'
import { campaignOf } from '../campaign-ref.ts'
import { allInOrder, type Transaction } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import type { GrantVerdict } from '../grants/grant.ts'
import { type Accounts, decideGrants, eventsOfGrants } from '../grants/grant-spins.ts'
import { afterExpiry } from '../players/expire-spins.ts'
import type { LockedPlayer } from '../players/ledger.ts'
import { writeEntries } from '../players/write-entries.ts'
import { Refusal } from '../refusals.ts'
import { renewConsents } from './consents.ts'
import { type EntryOrder, isProved, type OpenedVisitor, placeOf } from './entry-order.ts'
import { answersPlace } from './entry-place.ts'
import { countEntries, type NewCounts, readEntered } from './entry-rows.ts'
import { refuseSome } from './refused-entries.ts'
import { seal } from './seal.ts'
import { consentHash } from './terms.ts'
import type { VisitorKeys } from './visitor-keys.ts'
import { type FoundEntry, insertVisitorEntries, setVerified } from './visitor-entries.ts'

/** Writes new entries with their spins, and what visitors who come back have proved and agreed to. */
export async function writeVisitors(
  tx: Transaction,
  opened: readonly OpenedVisitor[],
  { accounts, keys, now }: { accounts: Accounts; keys: VisitorKeys; now: Date },
): Promise<void> {
  const entering = opened.filter(
    (one): one is OpenedVisitor & { player: LockedPlayer } => one.player !== undefined,
  )
  const [back, fresh] = [
    entering.filter(({ before }) => before !== undefined),
    entering.filter(({ before }) => before === undefined),
  ]
  const decided = decideGrants(
    fresh.map(({ grant }) => grant),
    { ...accounts, now },
  )
  refuseSome(fresh.map(({ order }, index) => [order, refusalOfGrant(decided.verdicts[index])]))
  const proved = back.filter(({ order, before }) => isProved(order) && before?.verifiedAt === null)
  await allInOrder([
    ...back.map(async ({ order, player }) => renewConsents(tx, placeOf(order, player), newConsents(order))),
    ...proved.map(async ({ order, player }) => setVerified(tx, placeOf(order, player), now)),
  ])
  const made = fresh.map(({ order, player }) => newEntry(order, { player, keys }))
  const events = [
    ...eventsOfGrants(accounts.created, decided, now),
    ...made.map(({ order, ...entry }) => createdEvent(order, entry)),
    ...proved.map(({ order, player, before }) =>
      verifiedEvent(order, { ...player, ...(before as FoundEntry) }),
    ),
  ]
  const written = { entries: decided.entries, players: decided.changed, events, now }
  const [, , full] = await allInOrder([
    writeEntries(tx, afterExpiry(accounts.expired, written)),
    insertVisitorEntries(tx, made),
    // Last, because all entries of a campaign meet at this row.
    countEntries(tx, countsOf(made, proved)),
  ])
  await refuseBeyondRoom(tx, full)
}

/** The campaign may have closed while the visitor looked for the code. */
function refusalOfGrant(verdict: GrantVerdict | undefined): Refusal | undefined {
  if (verdict?.outcome !== 'refused') return undefined
  return new Refusal(verdict.code.startsWith('campaign_') ? 'entry_closed' : verdict.code)
}

function newEntry(order: EntryOrder, { player, keys }: { player: LockedPlayer; keys: VisitorKeys }) {
  const { entry, language, now } = order
  const place = placeOf(order, player)
  return {
    ...place,
    order,
    playerId: player.playerId,
    entryId: randomUUIDv7(),
    enteredAt: now,
    verifiedAt: isProved(order) ? now : null,
    formVersion: entry.version,
    language,
    answers: seal(JSON.stringify(order.answers), answersPlace(place), keys.answers),
    consents: newConsents(order),
  }
}

/** By campaign. `orders`: those that enter, each counted once. */
type Counts = NewCounts & { orders: EntryOrder[]; revision: number }

function countsOf(
  made: readonly { order: EntryOrder }[],
  proved: readonly { order: EntryOrder }[],
): Counts[] {
  const counts = new Map<string, Counts>()
  const countsFor = ({ entry }: EntryOrder): Counts => {
    const { merchantId, campaignId, entriesMax, revision } = entry
    const name = `${merchantId}:${campaignId}`
    const known = counts.get(name)
    const own = known ?? { merchantId, campaignId, entered: 0, verified: 0, orders: [], entriesMax, revision }
    // The settings may have changed between two visitors.
    if (revision > own.revision) Object.assign(own, { entriesMax, revision })
    counts.set(name, own)
    return own
  }
  for (const { order } of made) {
    const own = countsFor(order)
    own.entered++
    own.orders.push(order)
    if (isProved(order)) own.verified++
  }
  for (const { order } of proved) countsFor(order).verified++
  return [...counts.values()]
}

/** Refuses those who came last. */
async function refuseBeyondRoom(tx: Transaction, full: readonly Counts[]): Promise<void> {
  const refused = await allInOrder(
    full.map(async ({ orders, entriesMax, ...campaign }) => {
      const room = Math.max(0, Number(entriesMax) - (await readEntered(tx, campaign)))
      return orders.slice(room).map((order) => [order, new Refusal('entry_full')] as const)
    }),
  )
  refuseSome(refused.flat())
}

function newConsents(order: EntryOrder) {
  return { ...consentsOf(order), isConfirmed: isProved(order) }
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
  const { merchant, campaign, consents, now } = order
  const isVerified = isProved(order)
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
