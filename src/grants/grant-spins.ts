import assert from 'node:assert/strict'
import { allInOrder, type Database, type Transaction } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { balanceMax, grantsPerCallMax, lotsPerPlayerMax } from '../limits.ts'
import { refusalOfCampaign } from '../campaign-ref.ts'
import { byShard } from '../orders/by-shard.ts'
import { carryOut } from '../orders/carry-out.ts'
import { otherThanBefore, type RefusalCode } from '../refusals.ts'
import { playerCreated, spinsGranted } from '../players/account-events.ts'
import { type Grant, type GrantVerdict, type KeyedGrant, withHashes } from './grant.ts'
import { grantAtOnce } from './grant-at-once.ts'
import type { GrantMemory } from './grant-memory.ts'
import {
  copyOf,
  dayNumber,
  distinctPlayers,
  enter,
  insertPlayers,
  type KeyedEntry,
  type LedgerEntry,
  type LockedPlayer,
  lockPlayers,
  type PlayerKey,
  playerName,
  purseOf,
  readEntriesByKey,
  readPurses,
} from '../players/ledger.ts'
import { afterExpiry, type ExpiredLots, expireLots } from '../players/expire-spins.ts'
import { readLots } from '../players/lot-rows.ts'
import { isExpiryInRange } from '../players/spin-lots.ts'
import { writeEntries } from '../players/write-entries.ts'
import type { SeenNames } from '../players/seen-names.ts'

/**
 * Carries out grants, in one statement or in one transaction, with a verdict for each in the order given. A refused
 * grant changes nothing and does not affect the others. It is safe to repeat with the same keys, from any process, at
 * any time.
 */
export async function grantSpins(
  db: Database,
  grants: readonly (Grant & { shard?: number })[],
  now: Date,
  memory?: GrantMemory,
): Promise<GrantVerdict[]> {
  assert(grants.length <= grantsPerCallMax)
  let seen: readonly KeyedGrant[] = []
  return carryOut<KeyedGrant, GrantVerdict, KeyedGrant>(db, grants.map(withHashes), {
    foresee: (keyed) => {
      const foreseen = memory?.foresee(keyed)
      seen = foreseen?.seen ?? []
      return foreseen?.fresh ?? []
    },
    atOnce: async (fresh) => {
      const granted = await tryAtOnce(db, { fresh, seen, now, hasArchive: memory?.hasArchive === true })
      memory?.learn(fresh.every((grant) => granted.has(grant)))
      return granted
    },
    inTransaction: (left) =>
      withoutNeedlessPlayers(
        left.filter((grant) => mayCreate(grant, now)),
        (creating) =>
          db.transaction((tx) => grantInTransaction(tx, left, { creating, now, known: memory?.players })),
      ),
  })
}

/**
 * Verdicts on the grants that the statement carried out, and on repeats. Repeats are answered only together with a
 * commit of our own: once that has reached the standby, the earlier commits have too.
 */
async function tryAtOnce(
  db: Database,
  {
    fresh,
    seen,
    now,
    hasArchive,
  }: { fresh: readonly KeyedGrant[]; seen: readonly KeyedGrant[]; now: Date; hasArchive: boolean },
): Promise<ReadonlyMap<KeyedGrant, GrantVerdict>> {
  const [earlier, balances] = await db.session((connection) =>
    allInOrder([
      seen.length > 0 ? readEntriesByKey(connection, seen) : [],
      byShard(
        db,
        fresh,
        (some) => grantAtOnce(connection, some, now, hasArchive),
        ({ shard }) => shard,
      ),
    ]),
  )
  const verdicts = new Map<KeyedGrant, GrantVerdict>()
  for (const [index, grant] of fresh.entries()) {
    const balance = balances[index]
    if (balance !== undefined) verdicts.set(grant, { outcome: 'granted', balance })
  }
  if (verdicts.size === 0) return verdicts
  const done = new Map(earlier.map((entry) => [entry.keyHash, entry]))
  for (const grant of seen) {
    const before = done.get(grant.keyHash)
    if (before !== undefined) verdicts.set(grant, verdictOfRepeat(grant, before))
  }
  return verdicts
}

async function grantInTransaction(
  tx: Transaction,
  grants: readonly KeyedGrant[],
  { creating, now, known }: { creating: readonly KeyedGrant[]; now: Date; known: SeenNames | undefined },
): Promise<GrantVerdict[]> {
  const accounts = await openAccounts(tx, { players: grants, creating, keys: grants, now, known })
  const decided = decideGrants(grants, { ...accounts, now })
  refuseNeedlessPlayers(accounts.created, decided)
  await tx.commitWith([
    writeEntries(
      tx,
      afterExpiry(accounts.expired, {
        entries: decided.entries,
        players: decided.changed,
        events: eventsOfGrants(accounts.created, decided, now),
        now,
      }),
    ),
  ])
  return decided.verdicts
}

/**
 * Runs a transaction of grants again without the players that it had created for nothing: all their grants are repeats,
 * whose player was erased since.
 */
async function withoutNeedlessPlayers<T>(
  creating: readonly KeyedGrant[],
  work: (creating: readonly KeyedGrant[]) => Promise<T>,
): Promise<T> {
  for (let left = creating; ;)
    try {
      return await work(left)
    } catch (error) {
      if (!(error instanceof NeedlessPlayers)) throw error
      left = left.filter((grant) => !error.names.has(playerName(grant)))
    }
}

class NeedlessPlayers extends Error {
  readonly names: ReadonlySet<string>
  constructor(names: readonly string[]) {
    super('players were created for nothing')
    this.names = new Set(names)
  }
}

/** Ends the transaction if a player was created, and none of its grants was carried out. */
function refuseNeedlessPlayers(created: readonly PlayerKey[], { carriedOut }: DecidedGrants): void {
  const used = new Set(carriedOut.map(playerName))
  const needless = created.map(playerName).filter((name) => !used.has(name))
  if (needless.length > 0) throw new NeedlessPlayers(needless)
}

/**
 * Creates missing players, locks all of them, and then reads the earlier entries for the keys, the purses and the lots.
 * Lots that have expired are taken from the players; what is to be written about them is returned.
 */
export async function openAccounts(
  tx: Transaction,
  order: {
    players: readonly PlayerKey[]
    creating: readonly PlayerKey[]
    keys: readonly KeyedGrant[]
    now: Date
    known: SeenNames | undefined
  },
): Promise<Accounts> {
  const { creating, keys, now, known } = order
  const wanted = distinctPlayers(order.players)
  const unknown = known === undefined ? creating : creating.filter((player) => !known.has(playerName(player)))
  const [created, locked, earlier, givePurses] = await allInOrder([
    unknown.length > 0 ? insertPlayers(tx, distinctPlayers(unknown), now) : [],
    lockPlayers(tx, wanted),
    keys.length > 0 ? readEntriesByKey(tx, keys) : [],
    readPurses(tx, keys, ({ campaign }) => campaign),
  ])
  givePurses(locked)
  const lotNames = await readLots(tx, locked)
  const { all: players, ...expired } = expireLots(locked, { names: lotNames, now })
  if (known === undefined) return { created, players, earlier, expired }
  const names = players.map(playerName)
  const there = new Set(names)
  // A player seen before does not exist: the database was restored, or two names look the same to `SeenNames`.
  // Inserting after locking could deadlock, which would be retried; the case is that rare.
  if (creating.some((player) => !there.has(playerName(player)))) {
    const again = await openAccounts(tx, { ...order, known: undefined })
    return { ...again, created: [...created, ...again.created] }
  }
  for (const name of names) known.add(name)
  return { created, players, earlier, expired }
}

export type Accounts = {
  created: PlayerKey[]
  players: LockedPlayer[]
  earlier: KeyedEntry[]
  expired: ExpiredLots
}

export type DecidedGrants = {
  verdicts: GrantVerdict[]
  /** One for each grant in `carriedOut`, in the same order. */
  entries: LedgerEntry[]
  carriedOut: KeyedGrant[]
  changed: LockedPlayer[]
}

export function eventsOfGrants(
  created: readonly PlayerKey[],
  { entries, carriedOut }: DecidedGrants,
  now: Date,
): NewEvent[] {
  return [
    ...created.map((player) => playerCreated(player, now)),
    ...entries.map((entry, index) => spinsGranted(entry, carriedOut[index] as KeyedGrant, now)),
  ]
}

/**
 * The rules of granting: the verdict on each grant, and what must be written for it. The statement in
 * grant-at-once.ts has the same rules; test/grants/grant-rules.test.ts compares them.
 */
export function decideGrants(
  grants: readonly KeyedGrant[],
  state: {
    players: readonly LockedPlayer[]
    earlier: readonly KeyedEntry[]
    now: Date
    /** The spins that the giver may still give today. */
    spinsLeft?: number
  },
): DecidedGrants {
  let spinsLeft = state.spinsLeft ?? Infinity
  const today = dayNumber(state.now)
  const players = new Map(state.players.map((player) => [playerName(player), onDay(player, today)]))
  const done = new Map(state.earlier.map((entry) => [entry.keyHash, entry]))
  const entries: LedgerEntry[] = []
  const carriedOut: KeyedGrant[] = []
  const changed = new Set<LockedPlayer>()

  const verdicts = grants.map((grant): GrantVerdict => {
    const before = done.get(grant.keyHash)
    if (before !== undefined) return verdictOfRepeat(grant, before)
    const player = players.get(playerName(grant))
    if (player?.isBlocked === true) return { outcome: 'refused', code: 'player_blocked' }
    const purse = player === undefined ? newPlayer : purseOf(player, grant.campaign)
    const refusal = refusalOf(grant, { ...(player ?? newPlayer), balance: purse.balance }, state.now)
    if (refusal !== undefined) return { outcome: 'refused', code: refusal }
    if (grant.amount > spinsLeft) return { outcome: 'refused', code: 'staff_grant_limit_exceeded', spinsLeft }
    if (player === undefined) return { outcome: 'refused', code: 'player_not_found' }
    if (grant.expiry !== undefined && lotCount(player) >= lotsPerPlayerMax)
      return { outcome: 'refused', code: 'lot_limit_reached' }

    const expires = grant.expiry && { rule: grant.expiry, now: state.now }
    const entry = enter(player, { ...grant, expires })
    player.grantedDayTotal += grant.amount
    purse.grantedDay = Math.max(purse.grantedDay, today)
    spinsLeft -= grant.amount
    entries.push(entry)
    carriedOut.push(grant)
    changed.add(player)
    done.set(grant.keyHash, { ...entry, keyHash: grant.keyHash })
    return { outcome: 'granted', balance: entry.balanceAfter }
  })
  return { verdicts, entries, carriedOut, changed: [...changed] }
}

function lotCount({ lots }: LockedPlayer): number {
  return lots?.filter((lot) => lot.spinsLeft > 0).length ?? 0
}

/** Whether a grant creates its player. A grant that is refused anyway does not. */
export function mayCreate(grant: Grant, now: Date): boolean {
  return grant.mayCreatePlayer && refusalOf(grant, newPlayer, now) === undefined
}

const newPlayer = { balance: 0, grantedDay: 0, grantedDayTotal: 0 }

function refusalOf(
  grant: Grant,
  player: { balance: number; grantedDayTotal: number },
  now: Date,
): RefusalCode | undefined {
  const refusal = grant.campaign && refusalOfCampaign(grant.campaign, now)
  if (refusal !== undefined) return refusal
  const expiresAt = grant.expiry?.expiresAt
  if (expiresAt !== undefined && !isExpiryInRange(expiresAt, now)) return 'expiry_out_of_range'
  if (grant.amount > grant.callMax) return 'grant_limit_exceeded'
  if (grant.dailyMax !== null && player.grantedDayTotal + grant.amount > grant.dailyMax)
    return 'daily_grant_limit_exceeded'
  if (player.balance + grant.amount > balanceMax) return 'balance_limit_exceeded'
  return undefined
}

/**
 * The first game link with initial spins decides; later ones change nothing, whatever their number. A repeat that names
 * no time of expiry gets the first answer too: the merchant's lifetime may have changed since.
 */
function verdictOfRepeat(grant: KeyedGrant, before: KeyedEntry): GrantVerdict {
  const difference = grant.kind === 'initial' ? undefined : differenceTo(before, grant)
  return difference === undefined
    ? { outcome: 'replayed', balance: before.balanceAfter }
    : { outcome: 'refused', code: 'idempotency_key_reused', detail: otherThanBefore(difference) }
}

function differenceTo(before: KeyedEntry, { amount, campaign, expiry }: KeyedGrant): string | undefined {
  // First, so that a token of one campaign can't find out how many spins another campaign gave.
  if (before.campaignId !== campaign.campaignId) return 'another campaign'
  if (before.amount !== amount) return 'another number of spins'
  if (expiry?.expiresAt === undefined || expiry.expiresAt.getTime() === before.expiresAt?.getTime())
    return undefined
  return 'another `expiresAt`'
}

/** A new day starts at zero. A clock that lags behind another server's does not bring back the previous day. */
function onDay(player: LockedPlayer, today: number): LockedPlayer {
  const copy = copyOf(player)
  return today > player.grantedDay ? Object.assign(copy, { grantedDay: today, grantedDayTotal: 0 }) : copy
}
