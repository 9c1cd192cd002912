import { Type } from 'typebox'
import { recentRequestsMax } from '../../limits.ts'
import { callingMerchant } from '../authenticate.ts'
import { managementRoutes } from '../route-groups.ts'
import { RecentRequestsAnswer, shownRequest } from '../answers/requests.ts'

/** The recent requests of a merchant's own systems. */
export const requestRoutes = managementRoutes({ tag: 'Audit' }, async (app) => {
  const { ctx } = app
  app.get(
    '/api/v1/requests',
    {
      schema: {
        operationId: 'listRecentRequests',
        summary: 'List recent requests and their answers',
        description: `Newest first: the last ${recentRequestsMax} with a valid service token, or the last ${recentRequestsMax} that were refused. They are kept in memory, so the list covers one of \`processes\` processes, since its start. Requests of the console are not included.`,
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
