/** The spins of a player in each campaign. Pure. */
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import type { PlayerAnswer } from '../../../src/http/answers/players.ts'
import { formatNumber } from '../texts.ts'

type Balances = Pick<PlayerAnswer, 'spinCount' | 'purses'>

/** The spins that a player has for a campaign, which may use the purse of another. */
export function spinsFor(player: Balances, campaign: Pick<CampaignAnswer, 'purse'> | undefined): number {
  const purse = campaign?.purse ?? 'main'
  if (purse === 'main') return player.spinCount
  return player.purses?.find((one) => one.campaign === purse)?.spinCount ?? 0
}

/** A line such as `Main 3 · Winter sale 6`; null for a player with spins of `main` only. */
export function pursesText(
  { spinCount, purses = [] }: Balances,
  campaigns: readonly Pick<CampaignAnswer, 'campaign' | 'name'>[],
): string | null {
  const others = purses.filter((purse) => purse.spinCount > 0)
  if (others.length === 0) return null
  const nameOf = (slug: string) => campaigns.find(({ campaign }) => campaign === slug)?.name ?? slug
  return [{ campaign: 'main', spinCount }, ...others]
    .map((purse) => `${nameOf(purse.campaign)} ${formatNumber(purse.spinCount)}`)
    .join(' · ')
}
