import { mainCampaign } from '../campaign-ref.ts'
import type { Queryable } from '../db/database.ts'
import { countFreeSpins } from '../free-spins/describe-free-spins.ts'
import type { Player } from '../players/players.ts'
import { listPurses } from '../players/purses.ts'
import { type CurrentWheel, openingOfWheel, type PublishedWheels } from '../wheels/published-wheels.ts'

/** A campaign as a player sees it in the lobby. */
export type LobbyCard = ReturnType<typeof openingOfWheel> & {
  slug: string
  wheel: CurrentWheel
  /** As many as the player could use now. */
  spins: number
}

type CampaignCard = Omit<LobbyCard, 'spins'>

/**
 * The campaigns that players may see, the best first: open ones, then by priority, then by the nearest end or opening.
 * Campaigns that are over are left out.
 */
export async function lobbyCampaigns(
  wheels: Pick<PublishedWheels, 'playable'>,
  merchantId: number,
  now: Date,
): Promise<CampaignCard[]> {
  const cards = (await wheels.playable(merchantId)).map((wheel) => ({
    slug: wheel.campaign.slug,
    wheel,
    ...openingOfWheel(wheel, now),
  }))
  return cards.filter(({ closesAt }) => closesAt === null || now < closesAt).toSorted(compare)
}

/**
 * The same campaigns with the player's spins: those of the purse, and the free spins that can be collected now. The
 * time zone of the browser is not needed: a first collection is the same in all, and later ones follow the stored zone.
 */
export async function lobbyCards(
  { db, wheels }: { db: Queryable; wheels: Pick<PublishedWheels, 'playable'> },
  player: Player & { merchantId: number },
  now: Date,
): Promise<LobbyCard[]> {
  const campaigns = await lobbyCampaigns(wheels, player.merchantId, now)
  const [purses, free] = await Promise.all([
    listPurses(db, player, now),
    countFreeSpins(
      db,
      campaigns.map(({ wheel }) => ({ ...player, wheel })),
      now,
    ),
  ])
  const balances = new Map([[0, player.balance], ...purses.map(pairOf)])
  return campaigns.map((card, index) => ({
    ...card,
    spins: (balances.get(card.wheel.campaign.purseId) ?? 0) + (free[index] ?? 0),
  }))
}

/** The campaign to open for a player that has not chosen: the best one with spins, or else the best one. */
export function firstChoice(cards: readonly LobbyCard[]): string {
  const playable = cards.find(({ state, spins }) => state === 'open' && spins > 0)
  return (playable ?? cards[0] ?? mainCampaign).slug
}

function pairOf({ purseId, balance }: { purseId: number; balance: number }): [number, number] {
  return [purseId, balance]
}

function compare(one: CampaignCard, other: CampaignCard): number {
  return (
    Number(other.state === 'open') - Number(one.state === 'open') ||
    other.wheel.priority - one.wheel.priority ||
    nextChangeOf(one) - nextChangeOf(other) ||
    (one.slug < other.slug ? -1 : 1)
  )
}

function nextChangeOf({ opensAt, closesAt }: CampaignCard): number {
  return (opensAt ?? closesAt)?.getTime() ?? Number.MAX_SAFE_INTEGER
}
