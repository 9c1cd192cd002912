import type { Queryable } from '../db/database.ts'
import { spinsFor } from '../free-spin-rule/free-spin-rule.ts'
import type { CurrentWheel, PublishedWheels } from '../wheels/published-wheels.ts'
import { type FreeSpinPlayer, isCollecting, readCases } from './collect-free-spins.ts'
import {
  type Collection,
  currentStreak,
  decideFreeSpins,
  type FreeSpinCase,
  nextCollection,
} from './decide-free-spins.ts'

/** A player's free spins in a campaign, as they are shown. */
export type FreeSpins = {
  /** The rule's period: `day`, `week` or a duration. */
  every: string
  /** Spins that can be collected now, and are not in the balance yet. */
  available: number
  /** When the first of them are gone; null if there are none. */
  until: Date | null
  /** When the next ones come; null for never. */
  next: Date | null
  /** How many come then. */
  nextSpins: number
  streak: { length: number; best: number; milestones: { length: number; spins: number }[] }
}

/** Reads a player's free spins, without collecting them. Undefined if the campaign has no rule. */
export async function readFreeSpins(
  db: Queryable,
  player: FreeSpinPlayer,
  now: Date,
): Promise<FreeSpins | undefined> {
  const { wheel } = player
  if (wheel.freeSpins === undefined) return undefined
  const [given] = await readCases(db, [player], now)
  return given && describe(wheel, given)
}

/** A player's free spins in all campaigns that have some. The campaigns are those that players see. */
export async function listFreeSpins(
  { db, wheels }: { db: Queryable; wheels: Pick<PublishedWheels, 'playable'> },
  player: Omit<FreeSpinPlayer, 'wheel'>,
  now: Date,
): Promise<(FreeSpins & { campaign: string })[]> {
  const all = await wheels.playable(player.merchantId)
  const players = all
    .filter(({ freeSpins }) => freeSpins !== undefined)
    .map((wheel) => ({ ...player, wheel }))
  const cases = await readCases(db, players, now)
  return players.map(({ wheel }, index) => ({
    campaign: wheel.campaign.slug,
    ...describe(wheel, cases[index] as FreeSpinCase),
  }))
}

/** How many free spins can be collected now, in the order of the players. Collects nothing. */
export async function countFreeSpins(
  db: Queryable,
  players: readonly FreeSpinPlayer[],
  now: Date,
): Promise<number[]> {
  const giving = players.filter((player) => isCollecting({ ...player, isPlay: true }, now))
  const cases = await readCases(db, giving, now)
  const counts = new Map(
    giving.map((player, index) => [player, spinsIn(decideFreeSpins(cases[index] as FreeSpinCase))]),
  )
  return players.map((player) => counts.get(player) ?? 0)
}

function describe(wheel: CurrentWheel, given: FreeSpinCase): FreeSpins {
  const { rule, state } = given
  const isGiving = isCollecting({ wheel, isPlay: true }, given.now)
  const collection = isGiving ? decideFreeSpins(given) : undefined
  const length = currentStreak(given)
  const afterwards = { ...given, state: collection?.state ?? state }
  return {
    every: rule.every,
    available: spinsIn(collection),
    until: collection?.due[0]?.expiresAt ?? null,
    next: nextCollection(afterwards) ?? null,
    nextSpins: spinsFor(rule, (collection?.state.streak ?? length) + 1),
    streak: { length, best: state?.bestStreak ?? 0, milestones: rule.streaks },
  }
}

function spinsIn(collection: Collection | undefined): number {
  return (collection?.due ?? []).reduce((sum, { amount }) => sum + amount, 0)
}

/** Free spins as JSON. */
export function shownFreeSpins({ every, available, until, next, nextSpins, streak }: FreeSpins) {
  return {
    every,
    available,
    nextSpins,
    streak,
    until: until?.toISOString() ?? null,
    next: next?.toISOString() ?? null,
  }
}
