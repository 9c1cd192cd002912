import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { countedOf } from '../../../pacing/pace-report.ts'
import { forecastDaysMax, forecastPlaysMax } from '../../../limits.ts'
import { readPools } from '../../../stock/code-pools.ts'
import { readStocks } from '../../../stock/prize-stocks.ts'
import { slugPattern } from '../../../slug.ts'
import { simulateWheel } from '../../../wheel-document/simulate-wheel.ts'
import { Refusal } from '../../../refusals.ts'
import { findPublication } from '../../../wheels/schedule-publication.ts'
import { versionBefore } from '../../../wheels/wheel-versions.ts'
import type { WheelDocument } from '../../../wheel-document/wheel-document.ts'
import type { Wheel } from '../../../wheel-document/wheel-types.ts'
import { checkDraft, readGiven } from '../../../wheels/wheels.ts'
import { nowOf } from '../../authenticate.ts'
import { callerGone } from '../../caller-gone.ts'
import { managementRoutes } from '../../route-groups.ts'
import { wheelNamed } from '../campaign-of-request.ts'
import { momentIn, wrongQuery } from '../query.ts'
import { shownOpening, SimulationAnswer } from '../../answers/wheels.ts'

/** What a draft would cost, and how long its stock would last. */
export const simulationRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app

  app.post(
    '/api/v1/wheels/:wheel/simulation',
    {
      config: {
        refusals: ['wheel_not_found', 'nothing_scheduled'],
        changesNothing: true,
        boundTokens: 'checked',
      },
      schema: {
        operationId: 'simulateWheel',
        summary: 'Check and simulate a wheel',
        description:
          'Returns the errors that prevent publication, and the chance, wins and cost of each prize on a day on which nothing runs out. With `days`, every play of these days is simulated too, many times, with stock, limits and dates; `forecast` is the result. It is null without `days`, and for a draft with errors.',
        params: Type.Object({ wheel: Type.String({ pattern: slugPattern }) }),
        body: Type.Object({
          of: Type.Optional(
            Type.Enum(['draft', 'published', 'scheduled'], {
              description: 'The document: by default the draft. With `published`, `errors` is empty.',
            }),
          ),
          at: Type.Optional(
            Type.String({
              format: 'date-time',
              description: 'Simulate from this time on; by default from now on.',
              examples: ['2026-11-20T18:00:00+01:00'],
            }),
          ),
          playsPerDay: Type.Integer({ minimum: 1, maximum: 1_000_000_000, examples: [1000] }),
          days: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: forecastDaysMax,
              description: `How many days to simulate, from now or from the opening on. At most ${forecastPlaysMax.toLocaleString('en')} plays in all.`,
            }),
          ),
          spinsPerPlayer: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1_000,
              description: 'How often each player plays, for limits per player; 1 by default.',
            }),
          ),
        }),
        response: { 200: SimulationAnswer },
      },
    },
    async (request, reply) => {
      const { playsPerDay, days, spinsPerPlayer = 1 } = request.body
      if (playsPerDay * (days ?? 0) > forecastPlaysMax)
        throw wrongQuery('days', `times plays a day must be at most ${forecastPlaysMax.toLocaleString('en')}`)
      const start = momentIn('at', request.body.at) ?? nowOf(request)
      const named = await wheelNamed(request, request.params.wheel)
      const wheel = { ...named, draft: await documentOf(named, request.body.of ?? 'draft') }
      const isPublished = request.body.of === 'published'
      const errors = isPublished ? [] : await untilDone(() => checkDraft(ctx.db, wheel, start))
      const sources = { ...ctx, now: nowOf(request) }
      const { given, endedRuns } = await untilDone(() =>
        readGiven(ctx.db, wheel, start, (run) => countedOf(sources, run)),
      )
      const opening = shownOpening(wheel.draft, start)
      const simulation = simulateWheel(wheel.draft, playsPerDay, given)
      if (days === undefined || errors.length > 0)
        return { errors, simulation, opening, endedRuns, forecast: null }
      const [stocks, pools] = await untilDone(() =>
        Promise.all([readStocks(ctx.db, wheel), readPools(ctx.db, wheel.merchantId)]),
      )
      const order = { wheel: wheel.draft, facts: { stocks, pools, given }, start }
      const forecast = await ctx.forecasts.make(
        { ...order, days, playsPerDay, spinsPerPlayer },
        { merchantId: wheel.merchantId, gone: callerGone(reply) },
      )
      return { errors, simulation, opening, endedRuns, forecast }
    },
  )

  async function documentOf(wheel: Wheel, name: 'draft' | 'published' | 'scheduled'): Promise<WheelDocument> {
    if (name === 'draft') return wheel.draft
    if (name === 'scheduled') return (await untilDone(() => findPublication(ctx.db, wheel))).document
    const version = await untilDone(() => versionBefore(ctx.db, wheel))
    if (version === undefined) throw new Refusal('wheel_not_found', { detail: 'The wheel is not published.' })
    return version.document
  }
})
