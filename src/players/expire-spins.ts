import type { Database } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { lotsSweptMax } from '../limits.ts'
import { spinsExpired, spinsExpiring } from './account-events.ts'
import { copyOf, enter, type LedgerEntry, type LockedPlayer, lockPlayers, purseOf } from './ledger.ts'
import { findDuePlayers, readLots, writeLots } from './lot-rows.ts'
import { settleExpiry, takeFromLot } from './spin-lots.ts'
import { writeEntries } from './write-entries.ts'

/** The campaigns that purses were made for, by the number of the purse. */
type PurseNames = ReadonlyMap<number, Maker>
type Maker = { slug: string }

/** What is to be written for lots that have expired. `players` have their new state. */
export type ExpiredLots = { entries: LedgerEntry[]; players: LockedPlayer[]; events: NewEvent[] }

/**
 * Removes lots that have expired from locked players. Every operation that changes a balance does so first, so nobody
 * can use expired spins. The key of the entry is the number of the lot, so a lot expires exactly once. Players without
 * such lots are returned as they are, the others as copies.
 */
export function expireLots(
  locked: readonly LockedPlayer[],
  { names, now }: { names: PurseNames; now: Date },
): ExpiredLots & { all: LockedPlayer[] } {
  const expired: ExpiredLots = { entries: [], players: [], events: [] }
  const all = locked.map((before) => {
    if (before.nextExpiry === null || before.nextExpiry > now) return before
    const player = copyOf(before)
    const entries = settleExpiry(player.lots ?? [], now).flatMap((lot) => {
      const { lotNo, purseId, expiresAt } = lot
      const campaign = { campaignId: purseId, purseId }
      // A server from before lots existed may have used spins without taking them from a lot.
      const spins = Math.min(lot.spinsLeft, purseOf(player, campaign).balance)
      takeFromLot(lot, lot.spinsLeft)
      if (spins === 0) return []
      const change = { kind: 'expiry', amount: -spins, key: `lot-${lotNo}`, reason: null } as const
      const entry = enter(player, { ...change, campaign, draws: [{ lotNo, spins }] })
      const maker = names.get(purseId) as Maker
      expired.events.push(spinsExpired(entry, { ...player, expiresAt, campaign: maker }, now))
      return [entry]
    })
    expired.entries.push(...entries)
    if (entries.length > 0) expired.players.push(player)
    return player
  })
  return { ...expired, all }
}

/** Locked players without their expired lots, together with what is still to be written about those. */
export function afterExpiry<Work extends Pick<ExpiredLots, 'entries' | 'players' | 'events'>>(
  expired: ExpiredLots,
  work: Work,
): Work {
  if (expired.entries.length === 0) return work
  const changed = new Set(work.players.map(({ playerNo }) => playerNo))
  return {
    ...work,
    entries: [...expired.entries, ...work.entries],
    players: [...expired.players.filter(({ playerNo }) => !changed.has(playerNo)), ...work.players],
    events: [...expired.events, ...work.events],
  }
}

/**
 * Expires the lots that are due and announces those that will be, some at a time. Returns 'done' when there are none.
 * Any number of processes may call it.
 */
export async function expireNextSpins(
  db: Database,
  realTime: Date,
  merchantId: number | null = null,
): Promise<'more' | 'done'> {
  return db.transaction(async (tx) => {
    const { players: due, now } = await findDuePlayers(tx, { realTime, merchantId, limit: lotsSweptMax })
    if (due.length === 0) return 'done'
    const players = await lockPlayers(tx, due)
    // In a statement after the lock, so that a play in between is seen.
    const names = await readLots(tx, players)
    const { all, ...expired } = expireLots(players, { names, now })
    const notices = all.flatMap((player) => announceLots(player, { names, now }))
    const others = all.filter((player) => !expired.players.includes(player))
    await tx.commitWith([
      writeEntries(tx, { ...expired, events: [...expired.events, ...notices], now }),
      writeLots(tx, others),
    ])
    return 'more'
  })
}

/** Expires all spins of a merchant that are due. If another process does part of it, this waits for its locks. */
export async function expireSpinsOf(db: Database, merchantId: number, realTime: Date): Promise<void> {
  while ((await expireNextSpins(db, realTime, merchantId)) === 'more') continue
}

/** The events that announce lots which expire soon. Each lot is announced once. */
function announceLots(player: LockedPlayer, { names, now }: { names: PurseNames; now: Date }): NewEvent[] {
  const due = (player.lots ?? []).filter((lot) => lot.spinsLeft > 0 && lot.dueAt <= now)
  return due.map((lot) => {
    lot.dueAt = lot.expiresAt
    lot.isChanged = true
    const { balance } = purseOf(player, lot)
    const campaign = names.get(lot.purseId) as Maker
    return spinsExpiring(lot, { ...player, balance, campaign }, now)
  })
}
