import { readCampaign } from '../campaigns/campaigns.ts'
import { type Database, type Queryable, statement } from '../db/database.ts'
import { timeOf } from '../test-clock.ts'
import { within } from '../wheel-document/schedule.ts'
import { later } from './codes.ts'
import { deleteConsentsWithdrawn, listConsentsWithdrawn } from './consents.ts'
import {
  answersDaysDefault,
  consentYearsDefault,
  entryRequestSeconds,
  entryTidyLimits,
} from './entry-limits.ts'
import { deleteAnswersOfCampaign, listAnswersOfCampaign } from './visitor-entries.ts'
import { deleteEndedBudgets } from './budgets.ts'
import { deleteOldRequests } from './entry-requests.ts'
import { deleteEndedSessions } from './entry-sessions.ts'
import { deleteExpiredSolutions } from './spent-challenges.ts'

/**
 * Deletes what is of no use any more, the answers of campaigns that ended long enough ago, and the proofs of consents
 * that were withdrawn long enough ago. A campaign with very many of them does not hold up the others.
 */
export async function tidyEntries(db: Database, now: Date, limits = entryTidyLimits): Promise<void> {
  await deleteEndedSessions(db, now)
  await deleteEndedBudgets(db, now)
  await deleteExpiredSolutions(db, now)
  await deleteOldRequests(db, later(now, -entryRequestSeconds))
  for (const place of await db.query(readPlaces)) {
    const today = timeOf(place, now)
    await deleteAnswers(db, place, { today, limits })
    await deleteConsents(db, place, { today, limits })
  }
}

type Run = { today: Date; limits: typeof entryTidyLimits }

async function deleteAnswers(db: Database, place: Place, { today, limits }: Run): Promise<void> {
  const end = await endOf(db, place)
  const changedBefore = later(today, -(place.answersDays ?? answersDaysDefault) * 86_400)
  if (end === null || end > changedBefore) return
  const page = { changedBefore, limit: limits.perPage }
  await byPages(limits, {
    list: () => listAnswersOfCampaign(db, place, page),
    remove: (some) => deleteAnswersOfCampaign(db, { ...place, ...some }, page),
  })
}

async function deleteConsents(db: Database, place: Place, { today, limits }: Run): Promise<void> {
  const before = yearsBefore(today, place.consentYears ?? consentYearsDefault)
  await byPages(limits, {
    list: () => listConsentsWithdrawn(db, place, { before, limit: limits.perPage }),
    remove: (some) => deleteConsentsWithdrawn(db, { ...place, ...some }, before),
  })
}

/** Each deletion is a transaction of its own. */
async function byPages(
  { perPage, pagesPerRun }: Run['limits'],
  work: {
    list: () => Promise<{ shard: number; playerNo: number }[]>
    remove: (some: { shard: number; playerNos: readonly number[] }) => Promise<void>
  },
): Promise<void> {
  for (let page = 0; page < pagesPerRun; page++) {
    const found = await work.list()
    for (const [shard, some] of Map.groupBy(found, (one) => one.shard))
      await work.remove({ shard, playerNos: some.map(({ playerNo }) => playerNo) })
    if (found.length < perPage) return
  }
}

function yearsBefore(now: Date, years: number): Date {
  const moment = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC')
  return new Date(moment.subtract({ years }).epochMilliseconds)
}

/**
 * When a campaign closed for good, or was archived before that. If it has no end: when its entry was closed, or when
 * the last visitor entered, if the entry is gone. Null: it goes on.
 */
async function endOf(db: Queryable, place: Place): Promise<Date | null> {
  const campaign = await readCampaign(db, place)
  if (campaign === undefined) return null
  const { archivedAt, schedule } = campaign
  const { closesAt } = within(schedule, campaign)
  const [end] = [archivedAt, closesAt === undefined ? null : new Date(closesAt)]
    .filter((one) => one !== null)
    .toSorted((one, other) => one.getTime() - other.getTime())
  return end ?? place.closedAt
}

type Place = {
  merchantId: number
  campaignId: number
  slug: string
  answersDays: number | null
  consentYears: number | null
  /** Null while visitors can enter. */
  closedAt: Date | null
  clockAheadMs: number | null
}

const readPlaces = statement<Place>(`
select
  entry_counts.merchant_id as "merchantId",
  entry_counts.campaign_id as "campaignId",
  coalesce(campaigns.slug, 'main') as slug,
  (entry_settings.settings ->> 'answersDays')::int as "answersDays",
  (entry_settings.settings ->> 'consentYears')::int as "consentYears",
  case
    when entry_settings.settings is null then (
      select max(entered_at)
      from visitor_entries
      where visitor_entries.merchant_id = entry_counts.merchant_id
      and visitor_entries.campaign_id = entry_counts.campaign_id
    )
    when not (entry_settings.settings ->> 'isOpen')::boolean then entry_settings.changed_at
  end as "closedAt",
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
