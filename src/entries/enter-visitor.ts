import { randomBytes } from 'node:crypto'
import { isMain } from '../campaign-ref.ts'
import { allInOrder, type Transaction } from '../db/database.ts'
import { type KeyedGrant, withHashes } from '../grants/grant.ts'
import { openAccounts } from '../grants/grant-spins.ts'
import { spinNumberCeiling } from '../limits.ts'
import { type LockedPlayer, playerName } from '../players/ledger.ts'
import { revokeLinksOfPlayer } from '../players/players.ts'
import { expiryRule } from '../players/spin-lots.ts'
import { claimAddresses } from './address-keys.ts'
import { deleteRequestsOf } from './entry-requests.ts'
import {
  type EntryOrder,
  type EntryVerdict,
  type OpenedVisitor,
  placeOf,
  type Refused,
  type Visitor,
} from './entry-order.ts'
import { visitorIdPrefix } from './form.ts'
import { RefusedEntries } from './refused-entries.ts'
import { findVisitorEntry, hasProvedAddress } from './visitor-entries.ts'
import type { VisitorKeys } from './visitor-keys.ts'
import { writeVisitors } from './write-visitors.ts'

/** Makes one entry. */
export async function enterVisitor(
  tx: Transaction,
  order: EntryOrder,
  keys: VisitorKeys,
): Promise<EntryVerdict> {
  const [verdict] = await enterVisitors(tx, [order], keys).catch((error: unknown) => {
    throw error instanceof RefusedEntries ? error.refusals.get(order) : error
  })
  return verdict as EntryVerdict
}

/**
 * Makes entries: the addresses, the players, the spins, the answers and the events, all or nothing. An address that has
 * entered gets nothing twice, whatever it sends. No two orders have the same address. The verdicts are in the order
 * given. Those that are refusals may be committed; others are thrown as `RefusedEntries`. All orders have one time.
 */
export async function enterVisitors(
  tx: Transaction,
  orders: readonly EntryOrder[],
  keys: VisitorKeys,
): Promise<EntryVerdict[]> {
  const now = orders[0]?.now
  if (now === undefined) return []
  const owners = await claimOwners(tx, orders, { keys, now })
  const judged = orders.map((order, index) => judgeOwner(order, owners[index] as Owner))
  const visitors = judged.filter((one): one is Visitor => !('outcome' in one))
  if (visitors.length === 0) return judged as Refused[]
  const grants = visitors.map(({ grant }) => grant)
  const creating = visitors.filter(({ isKnown }) => !isKnown).map(({ grant }) => grant)
  const accounts = await openAccounts(tx, { players: grants, creating, keys: grants, now, known: undefined })
  const players = new Map(accounts.players.map((player) => [playerName(player), player]))
  const opened = await allInOrder(visitors.map((visitor) => findEarlier(tx, visitor, players)))
  await writeVisitors(tx, opened, { accounts, keys, now })
  const verdicts = new Map(opened.map(({ order, verdict }) => [order, verdict]))
  return judged.map((one) => ('outcome' in one ? one : (verdicts.get(one.order) as EntryVerdict)))
}

/** Whose the address is. `isNew`: it is the order's from now on. */
type Owner = { playerId: string | null; isNew: boolean }

async function claimOwners(
  tx: Transaction,
  orders: readonly EntryOrder[],
  { keys, now }: { keys: VisitorKeys; now: Date },
): Promise<Owner[]> {
  const claims = orders.map(({ merchant, fold }) => {
    return { merchant, fold, playerId: `${visitorIdPrefix}${randomBytes(10).toString('hex')}` }
  })
  const owners = await claimAddresses(tx, claims, { keys: keys.addresses, now })
  return owners.map(({ playerId }, index) => ({ playerId, isNew: playerId === claims[index]?.playerId }))
}

function judgeOwner(order: EntryOrder, { playerId, isNew }: Owner): Visitor | Refused {
  if (playerId === null) return { outcome: 'refused', code: 'address_refused' }
  const { proof } = order
  const mayGoOn = isNew || (proof !== undefined && ('code' in proof || proof.passOf === playerId))
  if (!mayGoOn) return { outcome: 'refused', code: 'entry_known' }
  return { order, grant: entryGrant(order, playerId), isKnown: !isNew }
}

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

/**
 * Until its first proof, anybody may have typed an address. Whoever did so loses the game, also by sending the form
 * again under the same key.
 */
async function takeGamesAway(
  tx: Transaction,
  player: LockedPlayer & { merchantId: number },
  now: Date,
): Promise<void> {
  await allInOrder([revokeLinksOfPlayer(tx, player, now), deleteRequestsOf(tx, player)])
}

/** A visitor who is known may enter another campaign, or come back to the same one. */
async function findEarlier(
  tx: Transaction,
  visitor: Visitor,
  players: ReadonlyMap<string, LockedPlayer>,
): Promise<OpenedVisitor> {
  const { order, grant, isKnown } = visitor
  const { proof } = order
  const player = players.get(playerName(grant))
  if (player === undefined && !isKnown) throw new Error('the visitor was not created')
  if (player === undefined) return { ...visitor, verdict: { outcome: 'refused', code: 'address_refused' } }
  if (player.isBlocked) return { ...visitor, verdict: { outcome: 'refused', code: 'player_blocked' } }
  const isDoubted = isKnown && proof !== undefined && !('passOf' in proof && proof.isProved)
  const isProvedBefore = isDoubted && (await hasProvedAddress(tx, player))
  if (isProvedBefore && 'passOf' in proof)
    return { ...visitor, verdict: { outcome: 'refused', code: 'entry_known' } }
  if (isDoubted && !isProvedBefore && 'code' in proof)
    await takeGamesAway(tx, { ...player, merchantId: grant.merchantId }, order.now)
  const before = isKnown ? await findVisitorEntry(tx, placeOf(order, player)) : undefined
  const { playerId, playerNo } = player
  return { ...visitor, player, before, verdict: { outcome: 'entered', playerId, playerNo } }
}
