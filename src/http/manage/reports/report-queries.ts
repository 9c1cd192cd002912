import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import { cohortWeeksDefault, reportDaysDefault, reportDaysMax } from '../../../limits.ts'
import { findMerchant } from '../../../merchants/merchants.ts'
import { readCounted } from '../../../reports/next-interval.ts'
import type { ReportScope } from '../../../reports/counts-by-day.ts'
import {
  comparedPeriod,
  comparisons,
  dateAt,
  daysBetween,
  mondayOf,
  type ReportDay,
} from '../../../reports/report-days.ts'
import { slugPattern } from '../../../slug.ts'
import { campaignQuery } from '../../answers/campaigns.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { filteredCampaign, wheelNamed } from '../campaign-of-request.ts'
import { wrongQuery } from '../query.ts'
import { dayPattern } from '../../answers/patterns.ts'
import { reportFormatQuery } from './report-answers.ts'

const Day = (description: string) => Type.String({ format: 'date', pattern: dayPattern, description })

export const reportQuery = {
  from: Type.Optional(Day('The first day; 30 days back by default.')),
  to: Type.Optional(Day('The last day; today by default.')),
  ...reportFormatQuery,
}

export const scopeQuery = {
  ...campaignQuery,
  wheel: Type.Optional(
    Type.String({ pattern: slugPattern, description: 'Only this wheel; all by default.' }),
  ),
}

export const compareQuery = {
  compare: Type.Optional(
    Type.Enum(comparisons, {
      description:
        'Compares with as many days just before (`previous`), or with the same days a week or a year before.',
    }),
  ),
}

const ReportQuery = Type.Object(reportQuery)

/** The days of a report, and how far they are counted by this work. */
export async function rangeOf(
  ctx: Context,
  request: FastifyRequest,
  { query, work }: { query: Static<typeof ReportQuery>; work: 'counts' | 'visits' },
) {
  const merchant = callingMerchant(request)
  const [{ timeZone }, countedUntil] = await untilDone(() =>
    Promise.all([findMerchant(ctx.db, merchant.slug), readCounted(ctx.db, work, merchant)]),
  )
  const to = query.to ?? dateAt(nowOf(request), timeZone)
  const from = query.from ?? daysBefore(to, reportDaysDefault - 1)
  const length = Temporal.PlainDate.from(from).until(to).days + 1
  if (length < 1) throw wrongQuery('to', 'must not be before `from`')
  if (length > reportDaysMax) throw wrongQuery('from', `must be at most ${reportDaysMax} days before \`to\``)
  const about = { timeZone, from, to, countedUntil: countedUntil?.toISOString() ?? null }
  return { about, days: daysBetween(from, to, timeZone) }
}

type Range = Awaited<ReturnType<typeof rangeOf>>

/** The period to compare with, and its days. */
export function comparedDays(
  { about }: Range,
  { compare }: { compare?: (typeof comparisons)[number] },
): { period: { from: string; to: string }; days: ReportDay[] } | undefined {
  if (compare === undefined) return undefined
  const period = comparedPeriod(about, compare)
  return { period, days: daysBetween(period.from, period.to, about.timeZone) }
}

/** The weeks of a report of cohorts, as Mondays. `now` is the newest week. */
export function weeksOf(now: Date, { about }: Range, query: { from?: string }) {
  const last = mondayOf(about.to)
  const first =
    query.from === undefined ? daysBefore(last, 7 * (cohortWeeksDefault - 1)) : mondayOf(about.from)
  return { first, last, now: mondayOf(dateAt(now, about.timeZone)) }
}

/** The plays that a report is about. */
export async function scopeOf(
  request: FastifyRequest,
  { wheel, campaign }: { wheel?: string; campaign?: string },
): Promise<ReportScope> {
  const { merchantId } = callingMerchant(request)
  const campaignId = await filteredCampaign(request, campaign)
  if (wheel === undefined) return { merchantId, wheelId: null, campaignId }
  const { wheelId } = await wheelNamed(request, wheel)
  return { merchantId, wheelId, campaignId }
}

function daysBefore(date: string, days: number): string {
  return Temporal.PlainDate.from(date).subtract({ days }).toString()
}
