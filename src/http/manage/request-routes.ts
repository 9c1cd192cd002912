import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { recentRequestsMax } from '../../limits.ts'
import { type authenticator, callingMerchant } from '../authenticate.ts'
import { merchantRefusals, nullable, problemResponses, Time } from '../answers/common.ts'

const RecentRequest = Type.Object(
  {
    requestId: Type.String({ description: 'As in the header `X-Request-Id` of the answer.' }),
    at: Time,
    method: Type.String(),
    path: Type.String({ description: 'The route, without ids.' }),
    status: Type.Integer(),
    code: nullable(Type.String({ description: 'The `code` of a problem document.' })),
    detail: nullable(Type.String({ description: 'What the problem document said.' })),
    ms: Type.Number(),
    tokenId: Type.String(),
    tokenName: Type.String(),
  },
  { title: 'RecentRequest' },
)

/** What a merchant's own systems asked for lately. */
export function requestRoutes(authenticate: ReturnType<typeof authenticator>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const { ctx } = app
    app.get(
      '/api/v1/requests',
      {
        onRequest: authenticate('manage', 'read'),
        schema: {
          tags: ['Audit'],
          security: [{ serviceToken: [] }],
          operationId: 'listRecentRequests',
          summary: 'List the last requests and how they were answered',
          description: `Newest first: the last ${recentRequestsMax} with a valid service token, or the last ${recentRequestsMax} that were refused. They are kept in memory: of one process out of \`processes\`, since its start. The console's own requests are not among them.`,
          querystring: Type.Object({
            only: Type.Optional(Type.Enum(['refused'])),
          }),
          response: {
            200: Type.Object({
              requests: Type.Array(RecentRequest),
              processes: Type.Integer({ description: 'How many processes this server runs.' }),
            }),
            ...problemResponses(...merchantRefusals),
          },
        },
      },
      (request) => {
        const { merchantId } = callingMerchant(request)
        const requests = ctx.recentRequests.list(merchantId, request.query.only ?? 'all')
        return {
          requests: requests.map(({ at, ms, problem, ...rest }) => ({
            ...rest,
            at: new Date(at).toISOString(),
            ms: Math.round(ms * 10) / 10,
            code: problem?.code ?? null,
            detail: problem?.detail ?? null,
          })),
          processes: ctx.config.processes,
        }
      },
    )
  }
}
