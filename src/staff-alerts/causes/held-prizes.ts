import { campaignNumber, numberIn } from '../../campaign-ref.ts'
import { statement } from '../../db/database.ts'
import { type FindFindings, timeThere } from '../finding.ts'

/** Campaigns with prizes that nobody has checked by the time that their players were told. */
export const findUncheckedPrizes: FindFindings = async (db, merchantIds, now) => {
  const found = await db.query(unchecked, [merchantIds, now])
  return found.map(({ merchantId, campaignId, slug, name, count }) => ({
    merchantId,
    campaigns: [campaignId],
    subject: slug,
    name,
    value: `${count} waiting for longer than the player was told`,
    path: `/prizes?state=held&campaign=${slug}`,
  }))
}

const unchecked = statement<{
  merchantId: number
  campaignId: number
  slug: string
  name: string
  count: number
}>(`
select
  merchants.merchant_id as "merchantId",
  ${campaignNumber} as "campaignId",
  campaigns.slug,
  campaigns.name,
  count(*)::int as count
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join prize_holds using (merchant_id)
join plays
  on plays.shard = prize_holds.shard
  and plays.player_no = prize_holds.player_no
  and plays.play_no = prize_holds.play_no
join campaigns
  on campaigns.merchant_id = merchants.merchant_id
  and ${campaignNumber} = ${numberIn('plays.campaign_id')}
where decision is null
and due_at <= ${timeThere}
group by merchants.merchant_id, campaigns.campaign_id, campaigns.slug, campaigns.name`)
