import { openingOf } from '../campaigns/campaign.ts'
import { readCampaign } from '../campaigns/campaigns.ts'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { later } from './codes.ts'
import { answersDaysDefault, entryRequestSeconds } from './entry-limits.ts'
import { deleteAnswersOfCampaign } from './visitor-entries.ts'
import { deleteEndedBudgets } from './budgets.ts'
import { deleteOldRequests } from './entry-requests.ts'
import { deleteEndedSessions } from './entry-sessions.ts'
import { deleteExpiredSolutions } from './spent-challenges.ts'

/** Deletes what is of no use any more, and the answers of campaigns that ended long enough ago. */
export async function tidyEntries(db: Database, now: Date): Promise<void> {
  await deleteEndedSessions(db, now)
  await deleteEndedBudgets(db, now)
  await deleteExpiredSolutions(db, now)
  await deleteOldRequests(db, later(now, -entryRequestSeconds))
  for (const place of await db.query(readPlaces)) {
    const end = await endOf(db, place, now)
    const days = place.answersDays ?? answersDaysDefault
    if (end !== null && later(end, days * 86_400) <= now) await deleteAnswersOfCampaign(db, place)
  }
}

/** When a campaign closed for good, or was archived. Null: it goes on. */
async function endOf(
  db: Queryable,
  place: { merchantId: number; slug: string },
  now: Date,
): Promise<Date | null> {
  const campaign = await readCampaign(db, place)
  return campaign === undefined ? null : (openingOf(campaign, now).closesAt ?? campaign.archivedAt)
}

// The times are real ones, also of test merchants: their answers are kept longer than by their clocks, never shorter.
const readPlaces = statement<{
  merchantId: number
  campaignId: number
  slug: string
  answersDays: number | null
}>(`
select
  entry_counts.merchant_id as "merchantId",
  entry_counts.campaign_id as "campaignId",
  coalesce(campaigns.slug, 'main') as slug,
  (entry_settings.settings ->> 'answersDays')::int as "answersDays"
from entry_counts
left join campaigns
  on campaigns.merchant_id = entry_counts.merchant_id
  and campaigns.campaign_id = entry_counts.campaign_id
left join entry_settings
  on entry_settings.merchant_id = entry_counts.merchant_id
  and entry_settings.campaign_id = entry_counts.campaign_id
where entry_counts.entered > 0
order by 1, 2`)
