import { campaignOf } from '../campaign-ref.ts'
import { type Database, type Transaction, untilDone } from '../db/database.ts'
import type { NewEvent, PageAddresses } from '../events/event-pages.ts'
import { actorText, type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { type Grant, type GrantVerdict, withHashes } from '../grants/grant.ts'
import {
  type Accounts,
  type DecidedGrants,
  decideGrants,
  eventsOfGrants,
  mayCreate,
  openAccounts,
} from '../grants/grant-spins.ts'
import { distinctPlayers, type LockedPlayer, type PlayerKey, playerName } from '../players/ledger.ts'
import { afterExpiry } from '../players/expire-spins.ts'
import { writeEntries } from '../players/write-entries.ts'
import type { SeenNames } from '../players/seen-names.ts'
import { carryOut } from '../orders/carry-out.ts'
import { Refusal, type RefusalCode } from '../refusals.ts'
import type { Clocked } from '../test-clock.ts'
import { linkAtOnce } from './link-at-once.ts'
import { findKeyedLink, insertKeyedLink, type KeyedRequest, type LinkIdentity } from './keyed-links.ts'

/** A request for a game link. `initial` is set if the link brings spins to a player that never had initial spins. */
export type LinkOrder = PlayerKey &
  Clocked & {
    linkId: string
    expiresAt: Date
    initial: Grant | undefined
    by?: string
    /** The id of the campaign, or `*` for the lobby. */
    campaign: string
    /** The game, if undefined. */
    opens?: 'wallet'
    /** False if only a player that exists gets a link. */
    mayCreatePlayer?: boolean
  }

export type LinkVerdict = { outcome: 'created'; playerNo: number } | { outcome: 'refused'; code: RefusalCode }

/**
 * Prepares links, with a verdict for each in the order given. Missing players are created, and get their initial spins,
 * once in their life. Links of players who need neither are written in one statement, the others in one transaction.
 */
export async function createLinks(
  db: Database,
  orders: readonly LinkOrder[],
  now: Date,
  known?: SeenNames,
): Promise<LinkVerdict[]> {
  // A link leaves nothing but its event, so a repeat is recognised by the ids of its pages alone. So links that were
  // tried at once have pages of their own.
  const addresses = { tried: new Map(), others: new Map() } satisfies Record<string, PageAddresses>
  let tried: ReadonlySet<LinkOrder> = new Set()
  return carryOut<LinkOrder, LinkVerdict, LinkOrder>(db, orders, {
    foresee: () => foresee(db, orders, known),
    atOnce: (foreseen) => {
      tried = new Set(foreseen)
      return tryAtOnce(db, foreseen, { now, addresses: addresses.tried })
    },
    divide: (left) => [...Map.groupBy(left, (order) => tried.has(order)).values()],
    inTransaction: (group) => {
      const ofGroup = tried.has(group[0] as LinkOrder) ? addresses.tried : addresses.others
      return db.transaction((tx) => createInTransaction(tx, group, { now, known, addresses: ofGroup }))
    },
  })
}

/** The links that one statement can probably write: players exist, no initial spins; on a cluster, one shard. */
function foresee(
  db: Database,
  orders: readonly LinkOrder[],
  known: SeenNames | undefined,
): readonly LinkOrder[] {
  return orders.filter(
    (order) =>
      order.initial === undefined &&
      known?.has(playerName(order)) === true &&
      (!db.isCluster || order.shard === orders[0]?.shard),
  )
}

async function tryAtOnce(
  db: Database,
  orders: readonly LinkOrder[],
  { now, addresses }: { now: Date; addresses: PageAddresses },
): Promise<[LinkOrder, LinkVerdict][]> {
  const players = distinctPlayers(orders)
  const events = orders.map((order) => linkCreated(order, now))
  const numbers = await db.session((connection) =>
    linkAtOnce(connection, players, { events, addresses, now }),
  )
  if (numbers === undefined) return []
  const byName = new Map(players.map((player, index) => [playerName(player), numbers[index] as number]))
  return orders.map((order) => [
    order,
    { outcome: 'created', playerNo: byName.get(playerName(order)) as number },
  ])
}

type LinkWork = {
  now: Date
  known: SeenNames | undefined
  addresses: PageAddresses
  cause?: Cause
  /** Written together with the links. */
  keep?: (verdicts: readonly LinkVerdict[]) => Promise<void> | undefined
}

export async function createInTransaction(
  tx: Transaction,
  orders: readonly LinkOrder[],
  work: LinkWork,
): Promise<LinkVerdict[]> {
  return writeLinks(tx, orders, await decideLinks(tx, orders, work), work)
}

/** Locks the players, and decides about their initial spins. */
async function decideLinks(
  tx: Transaction,
  orders: readonly LinkOrder[],
  { now, known }: LinkWork,
): Promise<{ accounts: Accounts; decided: DecidedGrants }> {
  const grants = orders.flatMap(({ initial, shard }) =>
    initial === undefined ? [] : withHashes({ ...initial, shard }),
  )
  const accounts = await openAccounts(tx, {
    players: orders,
    creating: orders.filter(
      ({ initial, mayCreatePlayer = true }) =>
        mayCreatePlayer && (initial === undefined || mayCreate(initial, now)),
    ),
    keys: grants,
    now,
    known,
  })
  // An erased player keeps its entry, under the hash of its old id. So a new player with that id gets none.
  return { accounts, decided: decideGrants(grants, { ...accounts, now }) }
}

async function writeLinks(
  tx: Transaction,
  orders: readonly LinkOrder[],
  { accounts, decided }: Awaited<ReturnType<typeof decideLinks>>,
  { now, addresses, cause, keep }: LinkWork,
): Promise<LinkVerdict[]> {
  const verdicts = verdictsOf(orders, accounts.players, decided.verdicts)
  const links = orders.filter((_, index) => verdicts[index]?.outcome === 'created')
  await tx.commitWith([
    cause === undefined ? undefined : recordChanges(tx, changesOf(links, accounts.players), cause),
    keep?.(verdicts),
    writeEntries(
      tx,
      afterExpiry(accounts.expired, {
        entries: decided.entries,
        players: decided.changed,
        events: [
          ...eventsOfGrants(accounts.created, decided, now),
          ...links.map((link) => linkCreated(link, now)),
        ],
        addresses,
        now,
      }),
    ),
  ])
  return verdicts
}

/** Creates a link by hand, in the name of the person who asked for it. */
export async function createLinkByHand(db: Database, order: LinkOrder, cause: Cause): Promise<LinkVerdict> {
  const addresses: PageAddresses = new Map()
  const named = { ...order, by: actorText(cause.actor) }
  const [verdict] = await untilDone(() =>
    db.transaction((tx) =>
      createInTransaction(tx, [named], { now: cause.now, known: undefined, addresses, cause }),
    ),
  )
  return verdict as LinkVerdict
}

/** Creates a link with an idempotency key. Returns the link that was created first under the key. */
export async function createKeyedLink(
  db: Database,
  order: LinkOrder & LinkIdentity,
  request: KeyedRequest,
): Promise<LinkIdentity> {
  const addresses: PageAddresses = new Map()
  const { linkId, issuedAt, expiresAt } = order
  return untilDone(() =>
    db.transaction(async (tx) => {
      const work = {
        now: issuedAt,
        known: undefined,
        addresses,
        keep: ([verdict]: readonly LinkVerdict[]) =>
          verdict?.outcome === 'created' ? insertKeyedLink(tx, request, order) : undefined,
      }
      const decided = await decideLinks(tx, [order], work)
      // After the lock on the player, whose requests with this key come one after another.
      const first = await findKeyedLink(tx, request)
      if (first !== undefined) return first
      const [verdict] = await writeLinks(tx, [order], decided, work)
      if (verdict?.outcome === 'refused') throw new Refusal(verdict.code)
      return { linkId, issuedAt, expiresAt }
    }),
  )
}

/** A link is refused if its initial spins are refused, or its player is blocked or missing. */
function verdictsOf(
  orders: readonly LinkOrder[],
  players: readonly LockedPlayer[],
  grants: readonly GrantVerdict[],
): LinkVerdict[] {
  const blocked = new Set(players.filter((player) => player.isBlocked).map(playerName))
  const numbers = new Map(players.map((player) => [playerName(player), player.playerNo]))
  const ofGrants = grants.values()
  return orders.map((order): LinkVerdict => {
    const grant = order.initial === undefined ? undefined : ofGrants.next().value
    if (blocked.has(playerName(order))) return { outcome: 'refused', code: 'player_blocked' }
    if (grant?.outcome === 'refused') return grant
    const playerNo = numbers.get(playerName(order))
    return playerNo === undefined
      ? { outcome: 'refused', code: 'player_not_found' }
      : { outcome: 'created', playerNo }
  })
}

function changesOf(links: readonly LinkOrder[], players: readonly LockedPlayer[]): Change[] {
  const numbers = new Map(players.map((player) => [playerName(player), player.playerNo]))
  return links.map((link) => ({
    merchantId: link.merchantId,
    action: 'link.create',
    subject: { kind: 'player', shard: link.shard, playerNo: numbers.get(playerName(link)) as number },
    after: {
      linkId: link.linkId,
      expiresAt: link.expiresAt.toISOString(),
      ...campaignOf({ slug: link.campaign }),
      ...opening(link),
    },
  }))
}

function linkCreated(order: LinkOrder, at: Date): NewEvent<'link.created'> {
  const { merchantId, shard, playerId, linkId, expiresAt, by, campaign: slug } = order
  return {
    merchantId,
    shard,
    type: 'link.created',
    at,
    data: {
      playerId,
      linkId,
      expiresAt: expiresAt.toISOString(),
      ...(by === undefined ? {} : { by }),
      ...campaignOf({ slug }),
      ...opening(order),
    },
  }
}

function opening({ opens }: LinkOrder): { opens?: 'wallet' } {
  return opens === undefined ? {} : { opens }
}
