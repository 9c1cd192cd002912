import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { readPosition } from '../../db/work-positions.ts'
import { reportDaysDefault, reportDaysMax } from '../../limits.ts'
import { findMerchant } from '../../merchants/merchants.ts'
import { reportDays } from '../../reports/day-reports.ts'
import { reportPrizes } from '../../reports/prize-reports.ts'
import { dateAt, daysBetween, type ReportDay } from '../../reports/report-days.ts'
import { callingMerchant } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { wrongQuery } from './query.ts'
import { csvOf, type Row } from './csv-and-ndjson.ts'
import { DaysReport, PrizesReport, ReportDayAnswer, ReportPrizeAnswer } from '../answers/reports.ts'

const Day = (description: string) => Type.String({ format: 'date', pattern: '^20', description })

const ReportQuery = Type.Object({
  from: Type.Optional(Day('The first day; 30 days back by default.')),
  to: Type.Optional(Day('The last day; today by default.')),
  format: Type.Optional(Type.Enum(['json', 'csv'])),
})

/** Reports by day and by prize. */
export const reportRoutes = managementRoutes({ tag: 'Reports' }, async (app) => {
  const { ctx } = app
  const answers = (json: TObject) => ({
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: json },
        'text/csv': { schema: Type.String() },
      },
    },
  })

  app.get(
    '/api/v1/reports/days',
    {
      schema: {
        operationId: 'reportDays',
        summary: 'Report by day',
        description: "Days in the merchant's time zone, including days without activity.",
        querystring: ReportQuery,
        response: answers(DaysReport),
      },
    },
    async (request, reply) => {
      const { days, ...range } = await rangeOf(request, request.query)
      const { merchantId } = callingMerchant(request)
      const rows = await untilDone(() => reportDays(ctx.db, merchantId, days))
      if (request.query.format === 'csv') return sendCsv(reply, ReportDayAnswer, rows)
      return reply.send({ ...range, days: rows } satisfies DaysReport)
    },
  )

  app.get(
    '/api/v1/reports/prizes',
    {
      schema: {
        operationId: 'reportPrizes',
        summary: 'Report by prize',
        description:
          'Every segment of the wheels that were played, with the number of draws that its weight predicts.',
        querystring: ReportQuery,
        response: answers(PrizesReport),
      },
    },
    async (request, reply) => {
      const { days, ...range } = await rangeOf(request, request.query)
      const { merchantId } = callingMerchant(request)
      const stretch = { from: (days[0] as ReportDay).from, to: (days.at(-1) as ReportDay).to }
      const rows = await untilDone(() => reportPrizes(ctx.db, merchantId, stretch))
      if (request.query.format === 'csv') return sendCsv(reply, ReportPrizeAnswer, rows)
      return reply.send({ ...range, prizes: rows } satisfies PrizesReport)
    },
  )

  async function rangeOf(request: FastifyRequest, query: Static<typeof ReportQuery>) {
    const { slug } = callingMerchant(request)
    const [{ timeZone }, countedUntil] = await untilDone(() =>
      Promise.all([findMerchant(ctx.db, slug), readPosition(ctx.db, 'counts')]),
    )
    const to = query.to ?? dateAt(ctx.now(), timeZone)
    const from = query.from ?? daysBefore(to, reportDaysDefault - 1)
    const length = Temporal.PlainDate.from(from).until(to).days + 1
    if (length < 1) throw wrongQuery('to', 'must not be before `from`')
    if (length > reportDaysMax)
      throw wrongQuery('from', `must be at most ${reportDaysMax} days before \`to\``)
    const days = daysBetween(from, to, timeZone)
    return { timeZone, from, to, countedUntil: countedUntil?.toISOString() ?? null, days }
  }
})

function daysBefore(date: string, days: number): string {
  return Temporal.PlainDate.from(date).subtract({ days }).toString()
}

function sendCsv(reply: FastifyReply, schema: TObject, rows: readonly Row[]): FastifyReply {
  return reply.type('text/csv; charset=utf-8').send(csvOf(Object.keys(schema.properties), asIterable(rows)))
}

async function* asIterable<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
