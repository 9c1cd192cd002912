import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { reportCohorts } from '../../../reports/cohorts.ts'
import { reportDays } from '../../../reports/day-reports.ts'
import { type Funnel, reportFunnel } from '../../../reports/funnel-reports.ts'
import { reportPerformance, totalOf } from '../../../reports/performance-reports.ts'
import { reportPrizes } from '../../../reports/prize-reports.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { jsonOrFile, sendReport } from './report-answers.ts'
import {
  CohortsReport,
  CohortWeek,
  ComparedDay,
  DaysReport,
  FunnelReport,
  FunnelStage,
  type PerformanceDay,
  PerformanceReport,
  PrizesReport,
  ReportDayAnswer,
  ReportPrizeAnswer,
} from '../../answers/reports.ts'
import {
  compareQuery,
  comparedDays,
  rangeOf,
  reportQuery,
  scopeOf,
  weeksOf,
  scopeQuery,
} from './report-queries.ts'

/** The compared figures have columns of their own, such as `compared.plays`. */
const ComparedDays = Type.Object({ ...ComparedDay.properties, compared: ComparedDay })

/** Reports, as JSON or as a file. */
export const reportRoutes = managementRoutes({ tag: 'Reports' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/reports/days',
    {
      schema: {
        operationId: 'reportDays',
        summary: 'Report by day',
        description: "Days in the merchant's time zone, including days without activity.",
        querystring: Type.Object(reportQuery),
        response: jsonOrFile(DaysReport),
      },
    },
    async (request, reply) => {
      const { about, days } = await rangeOf(ctx, request, { query: request.query, work: 'counts' })
      const { merchantId } = callingMerchant(request)
      const rows = await untilDone(() => reportDays(ctx.db, merchantId, days))
      return sendReport(reply, request.query, {
        json: { ...about, days: rows } satisfies DaysReport,
        file: { name: 'days', row: ReportDayAnswer, rows },
      })
    },
  )

  app.get(
    '/api/v1/reports/prizes',
    {
      config: { refusals: ['wheel_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'reportPrizes',
        summary: 'Report by prize',
        description:
          'Every segment of the wheels that were played, with the number of draws that its weight predicts.',
        querystring: Type.Object({ ...reportQuery, ...scopeQuery }),
        response: jsonOrFile(PrizesReport),
      },
    },
    async (request, reply) => {
      const { about, days } = await rangeOf(ctx, request, { query: request.query, work: 'counts' })
      const scope = await scopeOf(request, request.query)
      const rows = await untilDone(() => reportPrizes(ctx.db, scope, days))
      return sendReport(reply, request.query, {
        json: { ...about, prizes: rows } satisfies PrizesReport,
        file: { name: 'prizes', row: ReportPrizeAnswer, rows },
      })
    },
  )

  app.get(
    '/api/v1/reports/performance',
    {
      config: { refusals: ['wheel_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'reportPerformance',
        summary: 'Report by wheel and campaign, compared with another period',
        description:
          'Totals, and the same figures by day. A day is compared with the day at the same place of the other period.',
        querystring: Type.Object({ ...reportQuery, ...scopeQuery, ...compareQuery }),
        response: jsonOrFile(PerformanceReport),
      },
    },
    async (request, reply) => {
      const range = await rangeOf(ctx, request, { query: request.query, work: 'counts' })
      const scope = await scopeOf(request, request.query)
      const other = comparedDays(range, request.query)
      const [own, compared] = await untilDone(() =>
        Promise.all([
          reportPerformance(ctx.db, scope, range.days),
          other === undefined ? undefined : reportPerformance(ctx.db, scope, other.days),
        ]),
      )
      const days: PerformanceDay[] = own.map((day, place) => ({
        ...day,
        compared: compared?.[place] ?? null,
      }))
      const json = {
        ...range.about,
        compared: other?.period ?? null,
        totals: totalOf(own),
        comparedTotals: compared === undefined ? null : totalOf(compared),
        days,
      } satisfies PerformanceReport
      const row = compared === undefined ? ComparedDay : ComparedDays
      return sendReport(reply, request.query, { json, file: { name: 'performance', row, rows: days } })
    },
  )

  app.get(
    '/api/v1/reports/funnel',
    {
      config: { refusals: ['wheel_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'reportFunnel',
        summary: 'Report how far visits came',
        description:
          'A visit is a player who opened the wheel of a campaign on a day. It is opened, played, won, claimed and redeemed; each stage includes those after it. A claim or redemption counts for the day of the visit, and not any more once it is taken back. Spins that were won are not a prize here.',
        querystring: Type.Object({ ...reportQuery, ...scopeQuery, ...compareQuery }),
        response: jsonOrFile(FunnelReport),
      },
    },
    async (request, reply) => {
      const range = await rangeOf(ctx, request, { query: request.query, work: 'visits' })
      const scope = await scopeOf(request, request.query)
      const other = comparedDays(range, request.query)
      const [own, compared] = await untilDone(() =>
        Promise.all([
          reportFunnel(ctx.db, scope, range.days),
          other === undefined ? undefined : reportFunnel(ctx.db, scope, other.days),
        ]),
      )
      const stages = own.map((one, place) => ({
        ...one,
        share: shareOf(own, place) ?? 0,
        comparedVisits: compared?.[place]?.visits ?? null,
        comparedShare: compared === undefined ? null : shareOf(compared, place),
      }))
      return sendReport(reply, request.query, {
        json: { ...range.about, compared: other?.period ?? null, stages } satisfies FunnelReport,
        file: { name: 'funnel', row: FunnelStage, rows: stages },
      })
    },
  )

  app.get(
    '/api/v1/reports/cohorts',
    {
      config: { refusals: ['wheel_not_found', 'campaign_not_found'], boundTokens: 'filtered' },
      schema: {
        operationId: 'reportCohorts',
        summary: 'Report players who came back, by week',
        description:
          'Players by the week of their first play, and how many of them played in each week since. Weeks start on Monday. Without `from`, the last 12 weeks.',
        querystring: Type.Object({ ...reportQuery, ...scopeQuery }),
        response: jsonOrFile(CohortsReport),
      },
    },
    async (request, reply) => {
      const range = await rangeOf(ctx, request, { query: request.query, work: 'visits' })
      const scope = await scopeOf(request, request.query)
      const weeks = weeksOf(nowOf(request), range, request.query)
      const cohorts = await untilDone(() => reportCohorts(ctx.db, scope, weeks))
      const rows = cohorts.flatMap(({ week, weeks: later }) => later.map((one) => ({ week, ...one })))
      return sendReport(reply, request.query, {
        json: { ...range.about, from: weeks.first, cohorts } satisfies CohortsReport,
        file: { name: 'cohorts', row: CohortWeek, rows },
      })
    },
  )
})

/** The share of all visits that came to a stage. Null if there were no visits. */
function shareOf(funnel: Funnel, place: number): number | null {
  const [all, here] = [funnel[0]?.visits ?? 0, funnel[place]?.visits ?? 0]
  return all === 0 ? null : here / all
}
