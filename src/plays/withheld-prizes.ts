import { type Queryable, statement, untilDone } from '../db/database.ts'
import type { CurrentWheel } from '../wheels/published-wheels.ts'
import { listClaimForms } from '../wheels/wheel-of-campaign.ts'
import type { DescribedPlay } from './describe-play.ts'
import type { PlayRow } from './plays.ts'

type PlayInCampaign = Pick<PlayRow, 'shard' | 'playerNo' | 'merchantId' | 'campaignId' | 'playNo'>

/**
 * Leaves out how to use a prize until it is claimed, where visitors have to claim by a form. Only campaigns with such a
 * form cost a query. All plays are of one player.
 */
export async function withholdPrizes(
  db: Queryable,
  { campaign, hasClaimForm }: Pick<CurrentWheel, 'campaign' | 'hasClaimForm'>,
  plays: readonly { row: PlayRow; play: DescribedPlay }[],
): Promise<DescribedPlay[]> {
  const rows = plays.flatMap(({ row, play }) => {
    // Won spins are given at once. A repeat of a play may be of another campaign than the session.
    const isPrize = play.won && play.prize.kind !== 'spins' && play.prize.withheld === undefined
    return isPrize && (hasClaimForm || row.campaignId !== campaign.campaignId) ? [row] : []
  })
  if (rows.length === 0) return plays.map(({ play }) => play)
  const toClaim = await untilDone(() => playsToClaim(db, rows))
  return plays.map(({ row, play }) =>
    toClaim.has(row.playNo)
      ? { ...play, prize: { ...play.prize, code: null, url: null, withheld: 'claim' } }
      : play,
  )
}

/**
 * The numbers of those plays of a player whose prizes are still to be claimed by a form. Players whom the merchant
 * knows are asked nothing.
 */
export async function playsToClaim(
  db: Queryable,
  plays: readonly PlayInCampaign[],
): Promise<ReadonlySet<number>> {
  const [player] = plays
  if (player === undefined) return new Set()
  const { shard, playerNo, merchantId } = player
  const asking = await listClaimForms(
    db,
    merchantId,
    plays.map(({ campaignId }) => campaignId),
  )
  const asked = plays.filter(({ campaignId }) => asking.has(campaignId))
  if (asked.length === 0) return new Set()
  const found = await db.query(readOpen, [
    shard,
    playerNo,
    asked.map(({ playNo }) => playNo),
    asked.map(({ campaignId }) => campaignId),
  ])
  return new Set(found.map(({ playNo }) => playNo))
}

const readOpen = statement<{ playNo: number }>(`
select play_no as "playNo"
from unnest($3::int[], $4::int[]) as asked (play_no, campaign_id)
where exists (
  select
  from visitor_entries
  where shard = $1
  and player_no = $2
  and visitor_entries.campaign_id = asked.campaign_id
)
and not exists (
  select
  from prize_settlements
  where shard = $1
  and player_no = $2
  and prize_settlements.play_no = asked.play_no
)`)
