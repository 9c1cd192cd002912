import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { untilDone } from '../../db/database.ts'
import { readSealsBefore } from '../../audit/ledger-seals.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import { limitOf, makeCursor, PageOf, pageQuery, picked, readCursor } from './paging.ts'
import { merchantRefusals, nullable, problemResponses, Time } from '../answers/common.ts'

const SealAnswer = Type.Object(
  {
    seal: Type.Integer({ description: 'Counts up from 1.' }),
    at: Time,
    entries: Type.Integer({ description: 'How many entries of the ledger it covers.' }),
    plays: Type.Integer(),
    hash: Type.String({
      description: 'Depends on everything that this seal and all before it cover.',
      examples: ['5c6b…'],
    }),
    keyId: nullable(Type.String({ description: 'Which key it was made with; null for none.' })),
  },
  { title: 'Seal' },
)

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
          response: { 200: PageOf('seals', SealAnswer), ...problemResponses(...merchantRefusals) },
        },
      },
      async (request) => {
        const { query } = request
        const { merchantId } = callingMerchant(request)
        const limit = limitOf(query)
        const [before] = readCursor(query, Type.Tuple([SealNo])) ?? [2 ** 31 - 1]
        const seals = await untilDone(() => readSealsBefore(ctx.db, merchantId, { before, limit }))
        const last = seals.length === limit ? seals.at(-1) : undefined
        const shown = seals.map(({ sealNo, sealedAt, entries, plays, hash, keyId }) => ({
          seal: sealNo,
          at: sealedAt.toISOString(),
          entries,
          plays,
          hash,
          keyId,
        }))
        return {
          seals: picked(shown, query, SealAnswer),
          next: last === undefined ? null : makeCursor([last.sealNo]),
        }
      },
    )
  }
}
