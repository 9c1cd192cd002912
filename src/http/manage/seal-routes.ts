import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { readSealsBefore } from '../../audit/ledger-seals.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import { limitOf, makeCursor, pageQuery, picked, readCursor } from './paging.ts'
import { merchantRefusals, problemResponses } from '../answers/common.ts'
import { SealAnswer, SealsAnswer, shownSeal } from '../answers/seals.ts'

const SealNo = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** Seals over the ledger, for a merchant that keeps them. */
export function sealRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app

    app.get(
      '/api/v1/seals',
      {
        onRequest: authenticate('manage', 'read'),
        schema: {
          tags: ['Audit'],
          security: [{ serviceToken: [] }],
          operationId: 'listSeals',
          summary: 'List the seals over the ledger',
          description:
            'Newest first. Keep the newest one outside: with it, `wheelhouse audit --seals` finds whatever was changed by hand in what it covers.',
          querystring: Type.Object(pageQuery),
          response: { 200: SealsAnswer, ...problemResponses(...merchantRefusals) },
        },
      },
      async (request) => {
        const { query } = request
        const { merchantId } = callingMerchant(request)
        const limit = limitOf(query)
        const [before] = readCursor(query, Type.Tuple([SealNo])) ?? [2 ** 31 - 1]
        const seals = await untilDone(() => readSealsBefore(ctx.db, merchantId, { before, limit }))
        const last = seals.length === limit ? seals.at(-1) : undefined
        return {
          seals: picked(seals.map(shownSeal), query, SealAnswer),
          next: last === undefined ? null : makeCursor([last.sealNo]),
        }
      },
    )
  }
}
