import { campaignNumber } from '../../campaign-ref.ts'
import { statement } from '../../db/database.ts'
import { type FindFindings, timeThere } from '../finding.ts'

/** Campaigns that have opened by their dates within a day, and can be played. */
export const findOpenedCampaigns: FindFindings = async (db, merchantIds, now) =>
  (await db.query(opened, [merchantIds, now])).map((campaign) => findingOf(campaign, 'open since'))

/** Campaigns that have ended by their dates within a day. */
export const findEndedCampaigns: FindFindings = async (db, merchantIds, now) =>
  (await db.query(ended, [merchantIds, now])).map((campaign) => findingOf(campaign, 'ended'))

type Passed = {
  merchantId: number
  campaignId: number
  slug: string
  name: string
  at: Date
  timeZone: string
}

function findingOf({ merchantId, campaignId, slug, name, at, timeZone }: Passed, what: string) {
  const time = at.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone })
  return {
    merchantId,
    campaigns: [campaignId],
    subject: `${slug} ${at.toISOString()}`,
    name,
    value: `${what} ${time}`,
    path: `/campaigns/${slug}`,
  }
}

const passed = (date: 'opens_at' | 'closes_at') => `
select
  merchants.merchant_id as "merchantId",
  ${campaignNumber} as "campaignId",
  campaigns.slug,
  campaigns.name,
  campaigns.${date} as at,
  merchants.time_zone as "timeZone"
from unnest($1::int[]) as watched (merchant_id)
join merchants using (merchant_id)
join campaigns using (merchant_id)
join wheels on wheels.wheel_id = coalesce(campaigns.wheel_id, merchants.wheel_id)
where campaigns.archived_at is null
and wheels.published_version is not null
and campaigns.${date} <= ${timeThere}
and campaigns.${date} > ${timeThere} - interval '1 day'`

const opened = statement<Passed>(`${passed('opens_at')}
and campaigns.paused_at is null
and wheels.paused_at is null
and coalesce(campaigns.closes_at > ${timeThere}, true)`)

const ended = statement<Passed>(passed('closes_at'))
