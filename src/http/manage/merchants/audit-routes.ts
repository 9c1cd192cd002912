import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { readAuditLog } from '../../../audit-log/audit-log.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { cursorAfter, newestFirstBig, pageQuery, picked, readPage } from '../paging.ts'
import { auditFilterOf, auditFilters } from './audit-filters.ts'
import { AuditAnswer, AuditPageAnswer, shownAuditEntry } from '../../answers/audit-log.ts'

/** The audit log. */
export const auditRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/audit-log',
    {
      schema: {
        operationId: 'listAuditLog',
        summary: 'List the audit log',
        description:
          'Newest first. Entries are never changed or deleted. With filters, a page may be short or empty and still have a `next`.',
        querystring: Type.Object({ ...pageQuery, ...auditFilters }),
        response: { 200: AuditPageAnswer },
      },
    },
    async (request) => {
      const { query } = request
      const { merchantId } = callingMerchant(request)
      const { start, limit } = readPage(query, newestFirstBig)
      const [before] = start
      const page = { before, limit, filter: await auditFilterOf(request, query) }
      const { entries, next } = await untilDone(() => readAuditLog(ctx.db, merchantId, page))
      return {
        entries: picked(entries.map(shownAuditEntry), query, AuditAnswer),
        next: cursorAfter(next, (entryNo) => [entryNo]),
      }
    },
  )
})
