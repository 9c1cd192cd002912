import { openingOf } from '../campaigns/campaign.ts'
import { readCampaign } from '../campaigns/campaigns.ts'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { timeOf } from '../test-clock.ts'
import { later } from './codes.ts'
import { deleteConsentsWithdrawn } from './consents.ts'
import { answersDaysDefault, consentYearsDefault, entryRequestSeconds } from './entry-limits.ts'
import { deleteAnswersOfCampaign } from './visitor-entries.ts'
import { deleteEndedBudgets } from './budgets.ts'
import { deleteOldRequests } from './entry-requests.ts'
import { deleteEndedSessions } from './entry-sessions.ts'
import { deleteExpiredSolutions } from './spent-challenges.ts'

/**
 * Deletes what is of no use any more, the answers of campaigns that ended long enough ago, and the proofs of consents
 * that were withdrawn long enough ago.
 */
export async function tidyEntries(db: Database, now: Date): Promise<void> {
  await deleteEndedSessions(db, now)
  await deleteEndedBudgets(db, now)
  await deleteExpiredSolutions(db, now)
  await deleteOldRequests(db, later(now, -entryRequestSeconds))
  for (const place of await db.query(readPlaces)) {
    const today = timeOf(place, now)
    const end = await endOf(db, place, today)
    const days = place.answersDays ?? answersDaysDefault
    const changedBefore = later(today, -days * 86_400)
    if (end !== null && end <= changedBefore) await deleteAnswersOfCampaign(db, place, { changedBefore })
    await deleteConsentsWithdrawn(db, place, yearsBefore(today, place.consentYears ?? consentYearsDefault))
  }
}

function yearsBefore(now: Date, years: number): Date {
  const moment = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC')
  return new Date(moment.subtract({ years }).epochMilliseconds)
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

const readPlaces = statement<{
  merchantId: number
  campaignId: number
  slug: string
  answersDays: number | null
  consentYears: number | null
  clockAheadMs: number | null
}>(`
select
  entry_counts.merchant_id as "merchantId",
  entry_counts.campaign_id as "campaignId",
  coalesce(campaigns.slug, 'main') as slug,
  (entry_settings.settings ->> 'answersDays')::int as "answersDays",
  (entry_settings.settings ->> 'consentYears')::int as "consentYears",
  merchants.clock_ahead_ms as "clockAheadMs"
from entry_counts
join merchants using (merchant_id)
left join campaigns
  on campaigns.merchant_id = entry_counts.merchant_id
  and campaigns.campaign_id = entry_counts.campaign_id
left join entry_settings
  on entry_settings.merchant_id = entry_counts.merchant_id
  and entry_settings.campaign_id = entry_counts.campaign_id
where entry_counts.entered > 0
order by 1, 2`)
