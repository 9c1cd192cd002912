import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { readSealsBefore } from '../../../integrity/ledger-seals.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { cursorAfter, lastOfFullPage, newestFirst, pageQuery, picked, readPage } from '../paging.ts'
import { SealAnswer, SealsAnswer, shownSeal } from '../../answers/seals.ts'

/** Seals over the ledger, for a merchant that keeps them. */
export const sealRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/seals',
    {
      schema: {
        operationId: 'listSeals',
        summary: 'List the seals over the ledger',
        description:
          'Newest first. Keep the newest one outside of this server: with it, `wheelhouse audit --seals` finds manual edits of the entries that it covers.',
        querystring: Type.Object(pageQuery),
        response: { 200: SealsAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(query, newestFirst)
      const [before] = start
      const seals = await untilDone(() => readSealsBefore(ctx.db, merchantId, { before, limit }))
      return {
        seals: picked(seals.map(shownSeal), query, SealAnswer),
        next: cursorAfter(lastOfFullPage(seals, limit), ({ sealNo }) => [sealNo]),
      }
    },
  )
})
