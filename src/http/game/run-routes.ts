import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { untilDone } from '../../db/database.ts'
import { revealRun } from '../../pacing/reveal-run.ts'
import { findRun } from '../../pacing/pace-runs.ts'
import { timeOf } from '../../test-clock.ts'
import { problemResponses } from '../answers/shapes.ts'
import { RunAnswer, RunName, RunQuery } from '../answers/runs.ts'
import { limitAddress } from './game-routes.ts'

/** Runs of paced prizes, public for anyone who wants to check them. */
export const runRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { ctx } = app
  app.get(
    '/api/v1/game/runs/:commitment',
    {
      onRequest: limitAddress(app),
      schema: {
        operationId: 'readPaceRun',
        summary: 'Read a run of a paced prize',
        description:
          'When units of a paced prize, or cents of a budget, are released. After the run also its key and everything that it gave, page by page. `docs/fairness.md` says how to check it.',
        tags: ['Game'],
        security: [],
        params: RunName,
        querystring: RunQuery,
        response: {
          200: RunAnswer,
          ...problemResponses(
            'validation_failed',
            'run_not_found',
            'content_type_unsupported',
            'rate_limited',
            'internal_error',
            'overloaded',
            'database_unavailable',
          ),
        },
      },
    },
    (request) =>
      untilDone(async () => {
        const { commitment } = request.params
        const now = timeOf((await findRun(ctx.db, commitment)) ?? {}, ctx.now())
        return revealRun({ ...ctx, now }, commitment, request.query.after ?? 0)
      }) as never,
  )
}
