import { campaignOf } from '../campaign-ref.ts'
import { allInOrder, type Database, type Queryable } from '../db/database.ts'
import type { NewEvent } from '../events/event-pages.ts'
import { periodKind } from '../free-spin-rule/free-spin-rule.ts'
import { balanceMax, lotsPerPlayerMax } from '../limits.ts'
import { carryOut } from '../orders/carry-out.ts'
import { spinsGranted } from '../players/account-events.ts'
import { afterExpiry, type ExpiredLots, expireLots } from '../players/expire-spins.ts'
import {
  distinctPlayers,
  enter,
  type LedgerEntry,
  type LockedPlayer,
  lockPlayers,
  type PlayerKey,
  playerName,
  purseOf,
  readPurses,
} from '../players/ledger.ts'
import { type ErasedCollection, readErasedCollections } from '../players/erased-ids.ts'
import { readLots } from '../players/lot-rows.ts'
import { writeEntries } from '../players/write-entries.ts'
import { type Clocked, isTest } from '../test-clock.ts'
import { readInterruptions } from '../wheels/interruptions.ts'
import { type CurrentWheel, openingOfWheel } from '../wheels/published-wheels.ts'
import { type Collection, decideFreeSpins, type FreeSpinCase, hasGap } from './decide-free-spins.ts'
import {
  type FreeSpinKey,
  type FreeSpinState,
  readFreeSpinStates,
  readLastPeriod,
  type StateRow,
  type TermsRow,
  writeFreeSpinStates,
  writeTerms,
} from '../players/free-spin-rows.ts'

/** A player who opens the game of a campaign, or plays in it. */
export type FreeSpinVisit = PlayerKey &
  Clocked & {
    wheel: CurrentWheel
    /** As far as it is known. */
    timeZone?: string | undefined
    isPlay: boolean
  }

/** Collects what is due for visits, in one transaction. It is safe to repeat, from any process, at any time. */
export async function collectFreeSpins(
  db: Database,
  visits: readonly FreeSpinVisit[],
  now: Date,
): Promise<void> {
  const inTransaction = () =>
    db.transaction(async (tx) => {
      const [locked, givePurses] = await allInOrder([
        lockPlayers(tx, distinctPlayers(visits)),
        readPurses(tx, visits, ({ wheel }) => wheel.campaign),
      ])
      givePurses(locked)
      const names = await readLots(tx, locked)
      const { all, ...expired } = expireLots(locked, { names, now })
      const collected = await collectForLocked(tx, { visits, players: all, expired, now })
      await allInOrder([writeEntries(tx, { ...collected, now }), collected.writeRest(tx)])
      return visits.map(() => true)
    })
  await carryOut(db, visits, { inTransaction })
}

/** What is to be written. `writeRest` writes what is not in the ledger. */
export type Collected = ExpiredLots & { writeRest: (tx: Queryable) => Promise<void> }

/**
 * Gives locked players their free spins. The key of an entry names the campaign, the kind of period and its number, so
 * a period is given once, whatever a clock says. Returns what is to be written, together with what has expired.
 */
export async function collectForLocked(
  tx: Queryable,
  work: {
    visits: readonly FreeSpinVisit[]
    players: readonly LockedPlayer[]
    expired: ExpiredLots
    now: Date
  },
): Promise<Collected> {
  const { expired, now } = work
  const collected: ExpiredLots = { entries: [], players: [], events: [] }
  const [states, terms]: [StateRow[], TermsRow[]] = [[], []]
  for (const one of await decideVisits(tx, work)) {
    const { visit, player, key, before, collection } = one
    if (!fits(player, visit, collection)) continue
    const { campaign, freeSpins } = visit.wheel
    for (const { streak, ...spins } of collection.due) {
      const entry = enterSpins(one, spins, now)
      collected.entries.push(entry)
      collected.events.push(spinsGranted(entry, { playerId: player.playerId, campaign }, now))
      terms.push({ ...entry, ruleSince: freeSpins?.since, streak, timeZone: collection.timeZone })
    }
    collected.events.push(streakChanged(visit, before, collection))
    states.push({ ...key, merchantId: visit.merchantId, ...collection.state })
    if (!collected.players.includes(player)) collected.players.push(player)
  }
  return {
    ...afterExpiry(expired, collected),
    writeRest: async (connection) => {
      await allInOrder([writeFreeSpinStates(connection, states), writeTerms(connection, terms)])
    },
  }
}

function enterSpins(
  { visit, player, collection }: DueVisit,
  { period, amount, expiresAt }: { period: number; amount: number; expiresAt: Date },
  now: Date,
): LedgerEntry {
  const { campaign } = visit.wheel
  const key = `free-${campaign.campaignId}.${collection.state.kind}-${period}`
  const expires = { rule: { expiresAt, lifetimeDays: null, noticeHours: null }, now }
  return enter(player, { kind: 'free', amount, key, reason: null, campaign, expires })
}

type DueVisit = {
  visit: FreeSpinVisit
  key: FreeSpinKey
  player: LockedPlayer
  before: FreeSpinState | undefined
  collection: Collection
}

async function decideVisits(
  tx: Queryable,
  { visits, players, now }: { visits: readonly FreeSpinVisit[]; players: readonly LockedPlayer[]; now: Date },
): Promise<DueVisit[]> {
  const byName = new Map(players.map((player) => [playerName(player), player]))
  const known = visits.flatMap((visit) => {
    const player = byName.get(playerName(visit))
    if (player === undefined || player.isBlocked || !isCollecting(visit, now)) return []
    return [{ visit, player, key: keyOf({ ...player, wheel: visit.wheel }) }]
  })
  const distinct = [
    ...new Map(known.map((one) => [`${one.key.playerNo}:${one.key.campaignId}`, one])).values(),
  ]
  const cases = await readCases(
    tx,
    distinct.map(({ visit, player }) => ({ ...visit, playerNo: player.playerNo })),
    now,
  )
  return distinct.flatMap((one, index) => {
    const given = cases[index] as FreeSpinCase
    const collection = decideFreeSpins(given)
    return collection === undefined ? [] : [{ ...one, before: given.state, collection }]
  })
}

/** A player in a campaign with a rule. */
export type FreeSpinPlayer = Omit<FreeSpinVisit, 'isPlay'> & { playerNo: number }

/** The situations of players, in their order. What is seldom needed is read only then. */
export async function readCases(
  db: Queryable,
  players: readonly FreeSpinPlayer[],
  now: Date,
): Promise<FreeSpinCase[]> {
  if (players.length === 0) return []
  const states = await readFreeSpinStates(db, players.map(keyOf))
  const erased = await readErased(db, players, states)
  const cases: FreeSpinCase[] = []
  for (const [index, { wheel, timeZone, ...player }] of players.entries()) {
    const { freeSpins: rule, schedule } = wheel
    if (rule === undefined) throw new Error(`campaign ${wheel.slug} has no rule for free spins`)
    const state = states[index]
    const before = erased.get(index)
    const kind = periodKind(rule)
    const taken = state ?? before
    const isOther = taken !== undefined && taken.kind !== kind
    const playerNo = before?.playerNo ?? player.playerNo
    const lastOfKind = isOther
      ? await readLastPeriod(db, { ...keyOf({ ...player, playerNo, wheel }), kind })
      : undefined
    cases.push({ rule, schedule, state, erased: before, lastOfKind, timeZone, interruptions: [], now })
  }
  return withInterruptions(db, players, cases)
}

/** What erased players of the same ids have collected, by place. Read only for players who have never collected. */
async function readErased(
  db: Queryable,
  players: readonly FreeSpinPlayer[],
  states: readonly (FreeSpinState | undefined)[],
): Promise<Map<number, ErasedCollection>> {
  const places = [...players.keys()].filter((place) => states[place] === undefined)
  const first = places.map((place) => players[place] as FreeSpinPlayer)
  const found = await readErasedCollections(
    db,
    first.map((player) => ({ ...player, ...keyOf(player) })),
  )
  return new Map(places.flatMap((place, index) => (found[index] ? [[place, found[index]]] : [])))
}

async function withInterruptions(
  db: Queryable,
  players: readonly FreeSpinPlayer[],
  cases: readonly FreeSpinCase[],
): Promise<FreeSpinCase[]> {
  const gaps = players.map(({ merchantId, wheel }, index) => {
    const given = cases[index] as FreeSpinCase
    const after = (hasGap(given) ? given.state?.periodEndsAt : null) ?? null
    const { wheelId, campaign } = wheel
    return { merchantId, wheelId, campaignId: campaign.campaignId, after, isTest: isTest(wheel) }
  })
  const over = await readInterruptions(db, gaps)
  return cases.map((given, index) => {
    const pausedAt = players[index]?.wheel.pausedAt ?? null
    const running = pausedAt === null ? [] : [{ startsAt: pausedAt, endsAt: given.now }]
    return { ...given, interruptions: [...(over[index] ?? []), ...running] }
  })
}

function keyOf({
  shard,
  playerNo,
  wheel,
}: Pick<FreeSpinPlayer, 'shard' | 'playerNo' | 'wheel'>): FreeSpinKey {
  return { shard, playerNo, campaignId: wheel.campaign.campaignId }
}

/** Whether a visit collects by the rule of its campaign. Only an open campaign gives free spins. */
export function isCollecting({ wheel, isPlay }: Pick<FreeSpinVisit, 'wheel' | 'isPlay'>, now: Date): boolean {
  if (wheel.freeSpins === undefined || openingOfWheel(wheel, now).state !== 'open') return false
  return isPlay || wheel.freeSpins.on === 'visit'
}

/** A player whose balance or number of lots is at its limit collects later. */
function fits(player: LockedPlayer, { wheel }: FreeSpinVisit, { due }: Collection): boolean {
  const spins = due.reduce((sum, { amount }) => sum + amount, 0)
  const lotCount = player.lots?.filter((lot) => lot.spinsLeft > 0).length ?? 0
  return (
    purseOf(player, wheel.campaign).balance + spins <= balanceMax && lotCount + due.length <= lotsPerPlayerMax
  )
}

function streakChanged(
  { merchantId, shard, playerId, wheel }: FreeSpinVisit,
  before: FreeSpinState | undefined,
  { due, state }: Collection,
): NewEvent<'streak.changed'> {
  const { streak, bestStreak, collectedAt: at } = state
  const amount = wheel.freeSpins?.amount ?? 0
  const extraSpins = (due.at(-1)?.amount ?? amount) - amount
  const data = { playerId, oldStreak: before?.streak ?? 0, newStreak: streak, bestStreak, extraSpins }
  return { merchantId, shard, type: 'streak.changed', at, data: { ...data, ...campaignOf(wheel.campaign) } }
}
