import assert from 'node:assert/strict'
import { allInOrder, type Database, type Queryable, untilDone } from '../db/database.ts'
import { balanceMax, grantsPerCallMax } from '../limits.ts'
import type { RefusalCode } from '../refusals.ts'
import {
  distinctPlayers,
  enter,
  type EntryKind,
  insertEntries,
  insertPlayers,
  type KeyedEntry,
  type LedgerEntry,
  type LockedPlayer,
  lockPlayers,
  type PlayerKey,
  playerName,
  readEntriesByKey,
  updatePlayers,
} from './ledger.ts'
import { shardOf } from './shard.ts'

/** An order to add spins. Its key makes it safe to carry out again; where the caller sent none, one was made for it. */
export type Grant = {
  merchantId: number
  playerId: string
  kind: EntryKind
  amount: number
  key: string
  reason: string | null
  /** Whether a player that is not known yet comes into being. */
  mayCreatePlayer: boolean
  /** The merchant's ceilings, for one call and for a player's day. */
  callMax: number
  dailyMax: number | null
}

/** What became of a grant. `balance` is the player's right after it, also for a repeat much later. */
export type GrantVerdict =
  | { outcome: 'granted' | 'replayed'; balance: number }
  | { outcome: 'refused'; code: RefusalCode }

/**
 * Carries out grants in one transaction, with a verdict for each in the order given. A refused one changes nothing and
 * hinders no other. Safe to call again with the same keys, from anywhere, at any time.
 */
export async function grantSpins(db: Database, grants: readonly Grant[], now: Date): Promise<GrantVerdict[]> {
  assert(grants.length > 0 && grants.length <= grantsPerCallMax)
  const sharded = grants.map((grant) => ({ ...grant, shard: shardOf(grant) }))
  return untilDone(() => db.transaction((tx) => grantInTransaction(tx, sharded, now)))
}

type ShardedGrant = Grant & { shard: number }

async function grantInTransaction(
  tx: Queryable,
  grants: readonly ShardedGrant[],
  now: Date,
): Promise<GrantVerdict[]> {
  const creating = grants.filter(
    (grant) => grant.mayCreatePlayer && limitRefusal(grant, newPlayer) === undefined,
  )
  const [, players, earlier] = await allInOrder([
    creating.length > 0 ? insertPlayers(tx, distinctPlayers(creating), now) : undefined,
    lockPlayers(tx, distinctPlayers(grants)),
    readEntriesByKey(tx, grants),
  ])
  const { verdicts, entries, changed } = decideGrants(grants, { players, earlier, now })
  if (entries.length > 0) await allInOrder([insertEntries(tx, entries), updatePlayers(tx, changed)])
  return verdicts
}

/** The rules of granting: what each grant comes to, and what must be written for it. */
export function decideGrants(
  grants: readonly ShardedGrant[],
  state: { players: readonly LockedPlayer[]; earlier: readonly KeyedEntry[]; now: Date },
): { verdicts: GrantVerdict[]; entries: LedgerEntry[]; changed: LockedPlayer[] } {
  const today = Math.floor(state.now.getTime() / 86_400_000)
  const players = new Map(state.players.map((player) => [playerName(player), onDay(player, today)]))
  const done = new Map(state.earlier.map((entry) => [entryName(entry), entry]))
  const entries: LedgerEntry[] = []
  const changed = new Set<LockedPlayer>()

  const verdicts = grants.map((grant): GrantVerdict => {
    const before = done.get(entryName(grant))
    if (before !== undefined) return verdictOfRepeat(grant, before)
    const player = players.get(playerName(grant))
    if (player?.isBlocked === true) return { outcome: 'refused', code: 'player_blocked' }
    const refusal = limitRefusal(grant, player ?? newPlayer)
    if (refusal !== undefined) return { outcome: 'refused', code: refusal }
    if (player === undefined) return { outcome: 'refused', code: 'player_not_found' }

    const entry = enter(player, grant, state.now)
    player.grantedDayTotal += grant.amount
    entries.push(entry)
    changed.add(player)
    done.set(entryName(grant), { ...grant, balanceAfter: entry.balanceAfter })
    return { outcome: 'granted', balance: entry.balanceAfter }
  })
  return { verdicts, entries, changed: [...changed] }
}

const newPlayer = { balance: 0, grantedDayTotal: 0 }

function limitRefusal(
  grant: Grant,
  player: { balance: number; grantedDayTotal: number },
): RefusalCode | undefined {
  if (grant.amount > grant.callMax) return 'grant_limit_exceeded'
  if (grant.dailyMax !== null && player.grantedDayTotal + grant.amount > grant.dailyMax)
    return 'daily_grant_limit_exceeded'
  if (player.balance + grant.amount > balanceMax) return 'balance_limit_exceeded'
  return undefined
}

/** The first game link that brings spins decides; a later one changes nothing, whatever number it names. */
function verdictOfRepeat(grant: Grant, before: KeyedEntry): GrantVerdict {
  const isSame = grant.kind === 'initial' || grant.amount === before.amount
  return isSame
    ? { outcome: 'replayed', balance: before.balanceAfter }
    : { outcome: 'refused', code: 'idempotency_key_reused' }
}

/** A new day starts at zero. A clock that lags behind another server's does not bring yesterday back. */
function onDay(player: LockedPlayer, today: number): LockedPlayer {
  return today > player.grantedDay ? { ...player, grantedDay: today, grantedDayTotal: 0 } : { ...player }
}

// A key may hold colons; its length tells where it ends and the player begins.
function entryName(entry: PlayerKey & { kind: EntryKind; key: string }): string {
  return `${entry.kind}:${entry.key.length}:${entry.key}:${playerName(entry)}`
}
