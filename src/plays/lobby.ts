import type { Queryable } from '../db/database.ts'
import type { Player } from '../players/players.ts'
import { listPurses } from '../players/purses.ts'
import { type CurrentWheel, openingOfWheel, type PublishedWheels } from '../wheels/published-wheels.ts'

/** A campaign as a player sees it in the lobby. */
export type LobbyCard = ReturnType<typeof openingOfWheel> & {
  slug: string
  wheel: CurrentWheel
  spins: number
}

/**
 * The campaigns that a player may see, the best first: open ones, then by priority, then by the nearest end or opening.
 * Campaigns that are over are left out.
 */
export async function lobbyCards(
  { db, wheels }: { db: Queryable; wheels: Pick<PublishedWheels, 'playable'> },
  merchantId: number,
  player: Player,
  now: Date,
): Promise<LobbyCard[]> {
  const [all, purses] = await Promise.all([wheels.playable(merchantId), listPurses(db, player, now)])
  const balances = new Map([[0, player.balance], ...purses.map(pairOf)])
  const cards = all.map((wheel) => ({
    slug: wheel.campaign?.slug ?? 'main',
    wheel,
    spins: balances.get(wheel.campaign?.purseId ?? 0) ?? 0,
    ...openingOfWheel(wheel, now),
  }))
  return cards.filter(({ closesAt }) => closesAt === null || now < closesAt).toSorted(compare)
}

/** The campaign to open for a player that has not chosen: the best one with spins, or else the best one. */
export function firstChoice(cards: readonly LobbyCard[]): string {
  const playable = cards.find(({ state, spins }) => state === 'open' && spins > 0)
  return (playable ?? cards[0])?.slug ?? 'main'
}

function pairOf({ purseId, balance }: { purseId: number; balance: number }): [number, number] {
  return [purseId, balance]
}

function compare(one: LobbyCard, other: LobbyCard): number {
  return (
    Number(other.state === 'open') - Number(one.state === 'open') ||
    other.wheel.priority - one.wheel.priority ||
    nextChangeOf(one) - nextChangeOf(other) ||
    (one.slug < other.slug ? -1 : 1)
  )
}

function nextChangeOf({ opensAt, closesAt }: LobbyCard): number {
  return (opensAt ?? closesAt)?.getTime() ?? Number.MAX_SAFE_INTEGER
}
