import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { paceStatement } from '../../../integrity/pace-statement.ts'
import { untilDone } from '../../../db/database.ts'
import { paceReports } from '../../../pacing/pace-report.ts'
import { slugPattern } from '../../../slug.ts'
import { callingMerchant, nowOf } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { wheelNamed } from '../campaign-of-request.ts'
import { CertificateAnswer, PacesAnswer, shownPace } from '../../answers/paces.ts'

const Slug = Type.String({ pattern: slugPattern })
const WheelName = Type.Object({ wheel: Slug })
const PrizeName = Type.Object({
  wheel: Slug,
  prize: Type.String({
    pattern: `${slugPattern}|^\\*$`,
    description: 'The id of a prize, or `*` for the budget.',
  }),
})

/** Runs of paced prizes and budgets, for their merchant. */
export const paceRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app
  const sources = (request: FastifyRequest) => ({ ...ctx, now: nowOf(request) })

  app.get(
    '/api/v1/wheels/:wheel/paces',
    {
      config: { refusals: ['wheel_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'listPaces',
        summary: 'List the runs of paced prizes',
        description:
          'What was given, by whole past days. What was released stays secret until a minute after the end of the run, so that nobody can wait for the moment when a unit is free.',
        params: WheelName,
        response: { 200: PacesAnswer },
      },
    },
    async (request) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      const reports = await untilDone(() => paceReports(sources(request), wheel))
      return { paces: reports.map(shownPace) }
    },
  )

  app.get(
    '/api/v1/wheels/:wheel/paces/:prize/certificate',
    {
      config: { refusals: ['wheel_not_found', 'run_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readPaceCertificate',
        summary: 'Read the statement about a run',
        description:
          'What rules such as the CAP code of the UK ask for: how winners are drawn, that all units were made available, and how to verify both.',
        params: PrizeName,
        querystring: Type.Object({
          run: Type.Optional(Type.Integer({ minimum: 1, description: 'The newest run by default.' })),
        }),
        response: { 200: CertificateAnswer },
      },
    },
    async (request) => {
      const { wheel: slug, prize: prizeId } = request.params
      const merchant = callingMerchant(request)
      const wheel = await wheelNamed(request, slug)
      const which = { prizeId, run: request.query.run }
      return untilDone(() => paceStatement(sources(request), { merchant, wheel }, which))
    },
  )
})
