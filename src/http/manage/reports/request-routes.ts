import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { recentRequestsListedDefault, recentRequestsMax } from '../../../reports/request-limits.ts'
import { callingMerchant } from '../../authenticate.ts'
import { managementRoutes } from '../../route-groups.ts'
import { RecentRequestsAnswer, shownRequest } from '../../answers/requests.ts'

/** The recent requests of a merchant's own systems. */
export const requestRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app
  app.get(
    '/api/v1/requests',
    {
      schema: {
        operationId: 'listRecentRequests',
        summary: 'List recent requests and their answers',
        description: `Newest first: the last ${recentRequestsMax} with a valid service token, or the last ${recentRequestsMax} that were refused. Requests that another process has answered appear within ten seconds. Requests of the console are not included.`,
        querystring: Type.Object({
          only: Type.Optional(Type.Enum(['refused'])),
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: recentRequestsMax, default: recentRequestsListedDefault }),
          ),
        }),
        response: { 200: RecentRequestsAnswer },
      },
    },
    async (request) => {
      const { merchantId } = callingMerchant(request)
      const { only = 'all', limit = recentRequestsListedDefault } = request.query
      const requests = await untilDone(() => ctx.recentRequests.list(merchantId, only, limit))
      return {
        requests: requests.map(shownRequest),
        processes: ctx.config.processes,
      }
    },
  )
})
