import { Type } from 'typebox'
import { recentRequestsMax } from '../../limits.ts'
import { callingMerchant } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { RecentRequestsAnswer, shownRequest } from '../answers/requests.ts'

/** What a merchant's own systems asked for lately. */
export const requestRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app
  app.get(
    '/api/v1/requests',
    {
      schema: {
        operationId: 'listRecentRequests',
        summary: 'List the last requests and how they were answered',
        description: `Newest first: the last ${recentRequestsMax} with a valid service token, or the last ${recentRequestsMax} that were refused. They are kept in memory: of one process out of \`processes\`, since its start. The console's own requests are not among them.`,
        querystring: Type.Object({
          only: Type.Optional(Type.Enum(['refused'])),
        }),
        response: { 200: RecentRequestsAnswer },
      },
    },
    (request) => {
      const { merchantId } = callingMerchant(request)
      const requests = ctx.recentRequests.list(merchantId, request.query.only ?? 'all')
      return {
        requests: requests.map(shownRequest),
        processes: ctx.config.processes,
      }
    },
  )
})
