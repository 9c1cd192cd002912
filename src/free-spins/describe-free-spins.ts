import type { Queryable } from '../db/database.ts'
import { spinsFor } from '../free-spin-rule.ts'
import { openingOfWheel, type PublishedWheels } from '../wheels/published-wheels.ts'
import { caseOf, type FreeSpinVisit } from './collect-free-spins.ts'
import { currentStreak, decideFreeSpins, nextCollection } from './decide-free-spins.ts'
import { readFreeSpinStates } from '../players/free-spin-rows.ts'

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
  visit: Omit<FreeSpinVisit, 'isPlay'> & { playerNo: number },
  now: Date,
): Promise<FreeSpins | undefined> {
  const { wheel, shard, playerNo } = visit
  const rule = wheel.freeSpins
  if (rule === undefined) return undefined
  const key = { shard, playerNo, campaignId: wheel.campaign?.campaignId ?? 0 }
  const [state] = await readFreeSpinStates(db, [key])
  const given = await caseOf(db, visit, { key, state }, now)
  const collection = openingOfWheel(wheel, now).state === 'open' ? decideFreeSpins(given) : undefined
  const due = collection?.due ?? []
  const length = currentStreak(given)
  const afterwards = { ...given, state: collection?.state ?? state }
  return {
    every: rule.every,
    available: due.reduce((sum, { amount }) => sum + amount, 0),
    until: due[0]?.expiresAt ?? null,
    next: nextCollection(afterwards) ?? null,
    nextSpins: spinsFor(rule, (collection?.state.streak ?? length) + 1),
    streak: { length, best: state?.bestStreak ?? 0, milestones: rule.streaks },
  }
}

/** A player's free spins in all campaigns that have some. The campaigns are those that players see. */
export async function listFreeSpins(
  { db, wheels }: { db: Queryable; wheels: Pick<PublishedWheels, 'playable'> },
  player: Omit<FreeSpinVisit, 'isPlay' | 'wheel'> & { playerNo: number },
  now: Date,
): Promise<(FreeSpins & { campaign: string })[]> {
  const all = await wheels.playable(player.merchantId)
  const found = await Promise.all(
    all.map(async (wheel) => {
      const free = await readFreeSpins(db, { ...player, wheel }, now)
      return free === undefined ? [] : [{ campaign: wheel.campaign?.slug ?? 'main', ...free }]
    }),
  )
  return found.flat()
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
